-- Windows know their size, and who can start them anew; agents are found in their terminal.

ALTER TABLE sessions ADD COLUMN window_tokens INTEGER;
ALTER TABLE sessions ADD COLUMN run TEXT;
ALTER TABLE sessions ADD COLUMN process_seen INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN added_dirs_json TEXT NOT NULL DEFAULT '[]';
CREATE INDEX sessions_by_owner ON sessions (owner, id) WHERE owner IS NOT NULL;
CREATE INDEX sessions_by_run ON sessions (run, id) WHERE run IS NOT NULL;

ALTER TABLE agents ADD COLUMN tmux_socket TEXT;
ALTER TABLE agents ADD COLUMN tmux_server INTEGER;

ALTER TABLE events ADD COLUMN pending INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hook_runs ADD COLUMN command TEXT;
ALTER TABLE hook_runs ADD COLUMN fault TEXT;
ALTER TABLE hook_runs ADD COLUMN background INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hook_runs ADD COLUMN status_message TEXT;

CREATE TABLE trusts (
  -- One row a project whose own hooks the user trusts, with exactly this content.
  root       TEXT PRIMARY KEY,                     -- absolute
  digest     TEXT NOT NULL,                        -- SHA-256 of its files of hooks
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

DROP VIEW stale_sessions;
DROP VIEW session_overview;
DROP VIEW fleet_status;

CREATE VIEW session_overview AS
  -- Every session with the names of what it belongs to.
  SELECT s.id, s.claude_session_id, s.agent_id, s.agent_type, s.owner AS agent, s.source,
         p.path AS project, s.effort_id, e.skill, e.task_id AS task, e.current_phase,
         s.heartbeat_counter, s.context_usage, s.context_source, s.cost, s.model, s.pid,
         s.parent_session_id, s.prev_session_id, s.loaded_files_json, s.preloaded_files_json,
         s.tool_calls, s.window_tokens, s.run, s.transcript_path, s.handover_at,
         s.handover_delivered_at,
         s.created_at, s.last_event_at, s.ended_at, s.end_reason
  FROM sessions s
  LEFT JOIN projects p ON p.id = s.project_id
  LEFT JOIN efforts e ON e.id = s.effort_id;

CREATE VIEW stale_sessions AS
  -- Open sessions from which nothing was heard for five minutes.
  SELECT * FROM session_overview
  WHERE ended_at IS NULL
    AND last_event_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 minutes');

CREATE VIEW fleet_status AS
  -- Who is doing what: every agent, and every open window that belongs to none.
  SELECT a.id AS agent, a.label, a.status, e.skill, e.current_phase,
         s.heartbeat_counter, s.context_usage, s.cost, s.id AS session_id,
         coalesce(s.last_event_at, a.status_at, a.created_at) AS last_seen,
         e.task_id AS task, p.path AS project, s.context_source, a.status_at, a.parent,
         a.manages, a.tmux_socket, a.tmux_pane, a.tmux_server, 'agent' AS kind
  FROM agents a
  LEFT JOIN efforts e ON e.id = a.effort_id AND e.lifecycle = 'active'
  LEFT JOIN sessions s ON s.id = (
    SELECT max(x.id) FROM sessions x WHERE x.owner = a.id AND x.agent_id IS NULL)
  LEFT JOIN projects p ON p.id = coalesce(s.project_id, e.project_id)
  UNION ALL
  SELECT 'session ' || s.id, substr(s.claude_session_id, 1, 8),
         iif(s.last_event_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 minutes'),
             'working', 'idle'),
         e.skill, e.current_phase, s.heartbeat_counter, s.context_usage, s.cost, s.id,
         s.last_event_at, e.task_id, p.path, s.context_source, NULL, NULL, NULL,
         NULL, NULL, NULL, 'session'
  FROM sessions s
  LEFT JOIN efforts e ON e.id = s.effort_id
  LEFT JOIN projects p ON p.id = s.project_id
  WHERE s.owner IS NULL AND s.agent_id IS NULL AND s.ended_at IS NULL;

CREATE VIEW hook_run_overview AS
  -- Every run of a user's hook, with the event that it ran on.
  SELECT r.id, r.created_at AS at, r.event_id, e.event, e.claude_session_id, r.handler AS hook,
         r.command, r.exit_code, r.duration_ms, r.decision, r.fault, r.truncated, r.background,
         r.stderr_head, r.status_message
  FROM hook_runs r
  LEFT JOIN events e ON e.id = r.event_id;
