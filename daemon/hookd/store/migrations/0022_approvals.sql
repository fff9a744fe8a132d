-- Permission requests that wait for an answer from the board, the browser or the command line.
CREATE TABLE approvals (
  -- One row a permission request that waited for an answer from outside the client.
  id          INTEGER PRIMARY KEY,
  event_id    INTEGER NOT NULL,                    -- the PermissionRequest
  session_id  INTEGER REFERENCES sessions(id) ON DELETE CASCADE,
  tool        TEXT NOT NULL,
  text        TEXT NOT NULL,                       -- the call in words, redacted
  input_json  TEXT NOT NULL,                       -- the tool's input, redacted, cut at 8 kB
  reason      TEXT,                                -- why a guard asks; NULL: the client itself asks
  risk_json   TEXT,                                -- kind and severity of what a command risks
  diff        TEXT,                                -- what a file tool changes; NULL: another tool
  asked_at    TEXT NOT NULL,
  until       TEXT NOT NULL,                       -- when it is left to the client's dialog
  status      TEXT NOT NULL DEFAULT 'pending'      -- dialog: left to the client's own dialog
              CHECK (status IN ('pending', 'allowed', 'denied', 'dialog', 'expired', 'ended')),
  answered_by TEXT,                                -- user and terminal, or 'web'; NULL: no person
  answered_at TEXT,                                -- when it ended, in whatever way
  message     TEXT                                 -- to the model, or how it ended; redacted
) STRICT;
CREATE INDEX approvals_by_event ON approvals (event_id);
CREATE INDEX approvals_by_session ON approvals (session_id);
CREATE INDEX approvals_by_age ON approvals (asked_at);
CREATE INDEX approvals_pending ON approvals (id) WHERE status = 'pending';

CREATE VIEW approval_overview AS
  -- Every permission request that waited for an answer, with its session, agent and project.
  SELECT a.id, a.event_id, a.session_id, s.claude_session_id, s.owner AS agent, p.path AS project,
         a.tool, a.text, a.input_json, a.reason, a.risk_json, a.diff, a.asked_at, a.until,
         a.status, a.answered_by, a.answered_at, a.message
  FROM approvals a
  LEFT JOIN sessions s ON s.id = a.session_id
  LEFT JOIN projects p ON p.id = s.project_id;
