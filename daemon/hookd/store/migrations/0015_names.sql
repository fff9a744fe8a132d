-- Columns are renamed so that one word has one meaning; sessions get the client's name and version.

DROP VIEW injection_overview;
DROP VIEW hook_run_overview;
ALTER TABLE tasks RENAME COLUMN dir_path TO task_dir;
ALTER TABLE efforts RENAME COLUMN task_id TO task_dir;
ALTER TABLE guards RENAME COLUMN rule_id TO name;
ALTER TABLE injections RENAME COLUMN rule_id TO source;
ALTER TABLE events RENAME COLUMN rule TO decided_by;
ALTER TABLE hook_runs RENAME COLUMN handler TO hook_id;
ALTER TABLE hook_runs RENAME COLUMN fault TO error;
ALTER TABLE hook_runs RENAME COLUMN stderr_head TO stderr_excerpt;
ALTER TABLE sessions RENAME COLUMN client TO client_process;
ALTER TABLE sessions ADD COLUMN client TEXT;
ALTER TABLE sessions ADD COLUMN client_version TEXT;

CREATE VIEW windows AS
  -- Every context window, a subagent's too: the rows of sessions under their documented name.
  SELECT * FROM sessions;

CREATE VIEW injection_overview AS
  -- Every text that waited for a model, and what became of it.
  SELECT i.id, i.session_id, s.claude_session_id, s.owner AS agent, i.source, i.path,
         i.handover_of, i.offers,
         CASE WHEN i.delivered_at IS NOT NULL THEN 'delivered'
              WHEN i.offered_at IS NOT NULL THEN 'offered'
              WHEN i.offers > 2 THEN 'abandoned' ELSE 'waiting' END AS state,
         i.content, i.created_at, i.offered_at, i.delivered_at
  FROM injections i
  JOIN sessions s ON s.id = i.session_id;

CREATE VIEW hook_run_overview AS
  -- Every run of a user's hook, with the event that it ran on.
  SELECT r.id, r.created_at AS at, r.event_id, e.event, e.claude_session_id, r.hook_id,
         r.command, r.exit_code, r.duration_ms, r.decision, r.error, r.truncated, r.background,
         r.stderr_excerpt, r.status_message, r.notes
  FROM hook_runs r
  LEFT JOIN events e ON e.id = r.event_id;
