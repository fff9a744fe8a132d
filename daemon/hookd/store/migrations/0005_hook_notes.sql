-- What there is to note of a run, such as an answer that was for another event.

ALTER TABLE hook_runs ADD COLUMN notes TEXT;
DROP VIEW hook_run_overview;
CREATE VIEW hook_run_overview AS
  -- Every run of a user's hook, with the event that it ran on.
  SELECT r.id, r.created_at AS at, r.event_id, e.event, e.claude_session_id, r.handler AS hook,
         r.command, r.exit_code, r.duration_ms, r.decision, r.fault, r.truncated, r.background,
         r.stderr_head, r.status_message, r.notes
  FROM hook_runs r
  LEFT JOIN events e ON e.id = r.event_id;
