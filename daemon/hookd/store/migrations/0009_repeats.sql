-- How often an event was delivered again: each delivery after the first got the first one's answer.

ALTER TABLE events ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN repeated_at TEXT;
DROP VIEW event_overview;
CREATE VIEW event_overview AS
  -- Every event with whom and what it was about, what was answered, and why.
  SELECT e.id, e.at, e.event, e.kind, e.session_id, e.claude_session_id, s.owner AS agent,
         e.agent_id, p.path AS project, s.effort_id, e.tool_name, e.tool_use_id, e.prompt_id,
         e.decision, e.rule, e.lost, e.repeats, e.repeated_at, e.facts_json,
         e.answer AS answer_json, e.payload AS payload_json
  FROM events e
  LEFT JOIN sessions s ON s.id = e.session_id
  LEFT JOIN projects p ON p.id = s.project_id;
