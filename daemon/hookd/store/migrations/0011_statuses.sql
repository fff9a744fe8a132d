-- Every window has a status, whether it has an AGENT_ID or not; and what the fleet shows of it.

ALTER TABLE sessions ADD COLUMN status TEXT NOT NULL DEFAULT 'idle'
  CHECK (status IN ('error', 'attention', 'working', 'checked', 'idle', 'done'));
ALTER TABLE sessions ADD COLUMN status_event_id INTEGER;
ALTER TABLE sessions ADD COLUMN status_at TEXT;
ALTER TABLE sessions ADD COLUMN tmux_pane TEXT;
ALTER TABLE sessions ADD COLUMN tmux_socket TEXT;
ALTER TABLE sessions ADD COLUMN tmux_server INTEGER;
ALTER TABLE sessions ADD COLUMN branch TEXT;
ALTER TABLE sessions ADD COLUMN first_prompt TEXT;
CREATE INDEX sessions_by_pane ON sessions (tmux_socket, tmux_pane) WHERE tmux_pane IS NOT NULL;
UPDATE sessions SET status = 'done' WHERE ended_at IS NOT NULL;
UPDATE sessions SET status = coalesce((SELECT a.status FROM agents a WHERE a.id = sessions.owner),
  'working') WHERE ended_at IS NULL;
UPDATE sessions SET first_prompt = (SELECT substr(m.content, 1, 200) FROM messages m
  WHERE m.session_id = sessions.id AND m.role = 'user' AND m.tool_name IS NULL
  ORDER BY m.id LIMIT 1) WHERE ended_at IS NULL AND agent_id IS NULL;
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
         s.handover_delivered_at, s.status, s.status_event_id, s.status_at, s.branch,
         s.first_prompt, s.created_at, s.last_event_at, s.ended_at, s.end_reason
  FROM sessions s
  LEFT JOIN projects p ON p.id = s.project_id
  LEFT JOIN efforts e ON e.id = s.effort_id;

CREATE VIEW fleet_status AS
  -- Who is doing what: every agent, and every open window that has no AGENT_ID.
  SELECT a.id AS agent, a.label, a.status, e.skill, e.current_phase,
         s.heartbeat_counter, s.context_usage, s.cost, s.id AS session_id,
         coalesce(s.last_event_at, a.status_at, a.created_at) AS last_seen,
         e.task_id AS task, p.path AS project, s.context_source, a.status_at, a.parent,
         a.manages, a.tmux_socket, a.tmux_pane, a.tmux_server, 'agent' AS kind,
         s.branch, s.first_prompt,
         a.status IN ('idle', 'done', 'checked')
           AND max(coalesce(s.last_event_at, a.created_at), coalesce(a.status_at, a.created_at))
           < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 minutes') AS quiet
  FROM agents a
  LEFT JOIN efforts e ON e.id = a.effort_id AND e.lifecycle = 'active'
  LEFT JOIN sessions s ON s.id = (
    SELECT max(x.id) FROM sessions x WHERE x.owner = a.id AND x.agent_id IS NULL)
  LEFT JOIN projects p ON p.id = coalesce(s.project_id, e.project_id)
  UNION ALL
  SELECT 'session ' || s.id, substr(s.claude_session_id, 1, 8), s.status,
         e.skill, e.current_phase, s.heartbeat_counter, s.context_usage, s.cost, s.id,
         s.last_event_at, e.task_id, p.path, s.context_source, s.status_at, NULL, NULL,
         s.tmux_socket, s.tmux_pane, s.tmux_server, 'session', s.branch, s.first_prompt,
         s.status IN ('idle', 'done', 'checked')
           AND s.last_event_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 minutes')
  FROM sessions s
  LEFT JOIN efforts e ON e.id = s.effort_id
  LEFT JOIN projects p ON p.id = s.project_id
  WHERE s.owner IS NULL AND s.agent_id IS NULL AND s.ended_at IS NULL;

CREATE VIEW stale_sessions AS
  -- Open sessions from which nothing was heard for five minutes.
  SELECT * FROM session_overview
  WHERE ended_at IS NULL
    AND last_event_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 minutes');
