-- Which client the session of an event runs in.
DROP VIEW event_overview;
CREATE VIEW event_overview AS
  -- Every event with whom and what it was about, what was answered, and why.
  SELECT e.id, e.at, e.event, e.kind, e.session_id, e.claude_session_id, s.owner AS agent,
         e.agent_id, s.client, s.client_version, p.path AS project, s.effort_id, e.tool_name,
         e.tool_use_id, e.prompt_id, e.decision, e.decided_by, e.lost, e.repeats, e.repeated_at,
         EXISTS (SELECT 1 FROM hook_runs r WHERE r.event_id = e.id AND NOT r.background
                 AND r.error LIKE 'timed out%') AS timed_out,
         e.facts_json, e.answer AS answer_json, e.payload AS payload_json, e.payload_sha256,
         e.duration_us, e.stages AS stages_json, e.resolved_json
  FROM events e
  LEFT JOIN sessions s ON s.id = e.session_id
  LEFT JOIN projects p ON p.id = s.project_id;
