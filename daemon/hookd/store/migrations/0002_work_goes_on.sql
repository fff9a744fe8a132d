-- Phases, handovers and texts that wait are kept; events say why they were answered as they were.

ALTER TABLE skills ADD COLUMN path TEXT NOT NULL DEFAULT '';
ALTER TABLE skills ADD COLUMN stamp TEXT NOT NULL DEFAULT '';

ALTER TABLE sessions ADD COLUMN handover_at TEXT;
ALTER TABLE sessions ADD COLUMN handover_offers INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN handover_delivered_at TEXT;
ALTER TABLE sessions ADD COLUMN tool_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN touched_dirs_json TEXT NOT NULL DEFAULT '[]';
ALTER TABLE sessions ADD COLUMN own_effort INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sessions_by_transcript ON sessions (transcript_path);
CREATE INDEX sessions_with_handover ON sessions (effort_id, id) WHERE handover_json IS NOT NULL;
CREATE INDEX messages_by_age ON messages (timestamp);
CREATE INDEX injections_by_age ON injections (created_at);
CREATE INDEX hook_runs_by_age ON hook_runs (created_at);
CREATE INDEX events_by_age ON events (at);

ALTER TABLE injections ADD COLUMN path TEXT;
ALTER TABLE injections ADD COLUMN handover_of INTEGER REFERENCES sessions(id) ON DELETE SET NULL;
ALTER TABLE injections ADD COLUMN offered_by INTEGER;

CREATE INDEX agents_by_effort ON agents (effort_id) WHERE effort_id IS NOT NULL;
-- Until now every open window of an agent, or with a window before it, had its effort of its own.
UPDATE sessions SET own_effort = 1
  WHERE effort_id IS NOT NULL AND (owner IS NOT NULL OR prev_session_id IS NOT NULL);

ALTER TABLE events ADD COLUMN facts_json TEXT;
CREATE INDEX events_canary ON events (id) WHERE kind = 'canary';
CREATE INDEX phase_history_by_effort ON phase_history (effort_id, id);
CREATE INDEX messages_by_effort ON messages (effort_id, id);

DROP VIEW stale_sessions;
DROP VIEW active_efforts;
DROP VIEW session_overview;
DROP VIEW effort_overview;
DROP VIEW fleet_status;

CREATE VIEW session_overview AS
  -- Every session with the names of what it belongs to.
  SELECT s.id, s.claude_session_id, s.agent_id, s.agent_type, s.owner AS agent, s.source,
         p.path AS project, s.effort_id, e.skill, e.task_id AS task, e.current_phase,
         s.heartbeat_counter, s.context_usage, s.context_source, s.cost, s.model, s.pid,
         s.parent_session_id, s.prev_session_id, s.loaded_files_json, s.preloaded_files_json,
         s.tool_calls, s.transcript_path, s.handover_at, s.handover_delivered_at,
         s.created_at, s.last_event_at, s.ended_at, s.end_reason
  FROM sessions s
  LEFT JOIN projects p ON p.id = s.project_id
  LEFT JOIN efforts e ON e.id = s.effort_id;

CREATE VIEW effort_overview AS
  -- Every effort with its task, its agent and how many windows worked on it.
  SELECT e.id, e.skill, e.mode, e.ordinal, e.lifecycle, e.current_phase, e.task_id AS task,
         t.title, p.path AS project,
         (SELECT a.id FROM agents a WHERE a.effort_id = e.id ORDER BY a.status_at DESC LIMIT 1)
           AS agent,
         (SELECT count(*) FROM sessions s WHERE s.effort_id = e.id) AS sessions,
         (SELECT max(s.heartbeat_counter) FROM sessions s
           WHERE s.effort_id = e.id AND s.ended_at IS NULL) AS heartbeat_counter,
         e.metadata_json, e.discovered_directives_json, e.created_at, e.finished_at
  FROM efforts e
  JOIN tasks t ON t.dir_path = e.task_id
  LEFT JOIN projects p ON p.id = e.project_id;

CREATE VIEW active_efforts AS
  -- The efforts that are not finished.
  SELECT * FROM effort_overview WHERE lifecycle = 'active';

CREATE VIEW stale_sessions AS
  -- Open sessions from which nothing was heard for five minutes.
  SELECT * FROM session_overview
  WHERE ended_at IS NULL
    AND last_event_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 minutes');

CREATE VIEW event_overview AS
  -- Every event with whom and what it was about, what was answered, and why.
  SELECT e.id, e.at, e.event, e.kind, e.session_id, e.claude_session_id, s.owner AS agent,
         e.agent_id, p.path AS project, s.effort_id, e.tool_name, e.tool_use_id, e.prompt_id,
         e.decision, e.rule, e.facts_json, e.answer AS answer_json, e.payload AS payload_json
  FROM events e
  LEFT JOIN sessions s ON s.id = e.session_id
  LEFT JOIN projects p ON p.id = s.project_id;

CREATE VIEW message_overview AS
  -- Everything said, with the window and the work it was said in.
  SELECT m.id, m.timestamp, m.role, m.tool_name, m.content, m.ref, m.session_id,
         s.claude_session_id, s.owner AS agent, m.effort_id, e.skill, e.task_id AS task
  FROM messages m
  LEFT JOIN sessions s ON s.id = m.session_id
  LEFT JOIN efforts e ON e.id = m.effort_id;

CREATE VIEW handover_overview AS
  -- Every handover, with the window that left it and whether another has taken it.
  SELECT s.id AS session_id, s.claude_session_id, s.owner AS agent, s.project_id,
         p.path AS project, s.effort_id, e.skill, e.task_id AS task, s.handover_at,
         s.handover_offers, s.handover_delivered_at, s.ended_at, s.handover_json
  FROM sessions s
  LEFT JOIN projects p ON p.id = s.project_id
  LEFT JOIN efforts e ON e.id = s.effort_id
  WHERE s.handover_json IS NOT NULL;

CREATE VIEW phase_overview AS
  -- Every phase that an effort entered, with the proof of the phase it left.
  SELECT h.id, h.effort_id, e.skill, e.task_id AS task, h.phase_label AS phase, h.proof_json,
         h.reason, h.created_at
  FROM phase_history h
  JOIN efforts e ON e.id = h.effort_id;

CREATE VIEW injection_overview AS
  -- Every text that waited for a model, and what became of it.
  SELECT i.id, i.session_id, s.claude_session_id, s.owner AS agent, i.rule_id, i.path,
         i.handover_of, i.offers,
         CASE WHEN i.delivered_at IS NOT NULL THEN 'delivered'
              WHEN i.offered_at IS NOT NULL THEN 'offered'
              WHEN i.offers > 2 THEN 'given up' ELSE 'waiting' END AS state,
         i.content, i.created_at, i.offered_at, i.delivered_at
  FROM injections i
  JOIN sessions s ON s.id = i.session_id;

CREATE VIEW skill_overview AS
  -- Every skill that was read, with its project.
  SELECT k.id, k.name, p.path AS project, k.version, k.description, k.phases_json, k.modes_json,
         k.templates_json, k.cmd_dependencies_json, k.next_skills_json, k.directives_json, k.path,
         k.updated_at
  FROM skills k
  JOIN projects p ON p.id = k.project_id;

CREATE VIEW fleet_status AS
  -- Who is doing what: every agent, and every open window that belongs to none.
  SELECT a.id AS agent, a.label, a.status, e.skill, e.current_phase,
         s.heartbeat_counter, s.context_usage, s.cost, s.id AS session_id,
         coalesce(s.last_event_at, a.status_at, a.created_at) AS last_seen,
         e.task_id AS task, p.path AS project
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
         s.last_event_at, e.task_id, p.path
  FROM sessions s
  LEFT JOIN efforts e ON e.id = s.effort_id
  LEFT JOIN projects p ON p.id = s.project_id
  WHERE s.owner IS NULL AND s.agent_id IS NULL AND s.ended_at IS NULL;
