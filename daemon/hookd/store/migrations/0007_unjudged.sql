-- What shims had no verdict on is told to the user, and kept; so are answers that came too late.

CREATE TABLE unjudged (
  -- One row an event and a reason for which the shim had no verdict, as often as that happened.
  id       INTEGER PRIMARY KEY,
  event    TEXT NOT NULL,
  reason   TEXT NOT NULL,
  count    INTEGER NOT NULL,
  more     INTEGER NOT NULL,  -- 1: the shim's file was full, so there may have been others
  first_at TEXT NOT NULL,
  last_at  TEXT NOT NULL,
  source   TEXT NOT NULL,     -- the shim's file and the place in it: nothing is kept twice
  kept_at  TEXT NOT NULL,
  told_at  TEXT,              -- when an answer told the user
  told_by  INTEGER,           -- the event of that answer
  UNIQUE (source, event, reason)
) STRICT;
CREATE INDEX unjudged_untold ON unjudged (id) WHERE told_at IS NULL;
CREATE INDEX unjudged_by_age ON unjudged (last_at);

ALTER TABLE events ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
DROP VIEW event_overview;
CREATE VIEW event_overview AS
  -- Every event with whom and what it was about, what was answered, and why.
  SELECT e.id, e.at, e.event, e.kind, e.session_id, e.claude_session_id, s.owner AS agent,
         e.agent_id, p.path AS project, s.effort_id, e.tool_name, e.tool_use_id, e.prompt_id,
         e.decision, e.rule, e.lost, e.facts_json, e.answer AS answer_json,
         e.payload AS payload_json
  FROM events e
  LEFT JOIN sessions s ON s.id = e.session_id
  LEFT JOIN projects p ON p.id = s.project_id;
