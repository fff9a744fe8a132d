-- Which run a handover is for, and the client that left it.
ALTER TABLE sessions ADD COLUMN handover_run TEXT;
CREATE INDEX sessions_by_handover_run ON sessions (handover_run) WHERE handover_run IS NOT NULL;
DROP VIEW handover_overview;
CREATE VIEW handover_overview AS
  -- Every handover, with the window that left it and whether another has taken it.
  SELECT s.id AS session_id, s.claude_session_id, s.owner AS agent, s.project_id,
         p.path AS project, s.effort_id, e.skill, e.task_dir AS task, s.handover_at,
         s.handover_offers, s.handover_delivered_at, s.ended_at, s.handover_json, s.client
  FROM sessions s
  LEFT JOIN projects p ON p.id = s.project_id
  LEFT JOIN efforts e ON e.id = s.effort_id
  WHERE s.handover_json IS NOT NULL;
