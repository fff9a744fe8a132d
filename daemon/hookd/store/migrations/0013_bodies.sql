-- Long payloads are cut in the table of events, and kept whole beside it, compressed. Those of older
-- events follow in the background, from this number on down.

CREATE TABLE bodies (
  -- One row an event whose payload is cut in events.payload: the whole of it, `hookd why` shows it.
  event_id INTEGER PRIMARY KEY REFERENCES events(id) ON DELETE CASCADE,
  size     INTEGER NOT NULL,                       -- characters of its JSON
  zlib     BLOB NOT NULL                           -- redacted JSON, up to 64 kB, compressed
) STRICT;

INSERT INTO meta SELECT 'payloads_to_cut', id FROM events WHERE id = (SELECT max(id) FROM events);

DROP VIEW event_overview;
CREATE VIEW event_overview AS
  -- Every event with whom and what it was about, what was answered, and why.
  SELECT e.id, e.at, e.event, e.kind, e.session_id, e.claude_session_id, s.owner AS agent,
         e.agent_id, p.path AS project, s.effort_id, e.tool_name, e.tool_use_id, e.prompt_id,
         e.decision, e.rule, e.lost, e.repeats, e.repeated_at,
         EXISTS (SELECT 1 FROM hook_runs r WHERE r.event_id = e.id AND NOT r.background
                 AND r.fault LIKE 'timed out%') AS timed_out,
         e.facts_json, e.answer AS answer_json, e.payload AS payload_json, e.payload_sha256
  FROM events e
  LEFT JOIN sessions s ON s.id = e.session_id
  LEFT JOIN projects p ON p.id = s.project_id;
