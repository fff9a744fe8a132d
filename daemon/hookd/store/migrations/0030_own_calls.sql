-- Calls of hookd's own MCP tools: which session made one.
CREATE TABLE own_calls (
  -- One row a call of a tool of hookd's MCP server whose server has not asked who makes it.
  id           INTEGER PRIMARY KEY,
  at           TEXT NOT NULL,
  event_id     INTEGER NOT NULL,                   -- its PreToolUse
  session_id   INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  conversation TEXT NOT NULL,                      -- the client's session id
  agent_id     TEXT,                               -- the subagent
  tool_use_id  TEXT,
  tool         TEXT NOT NULL,                      -- such as log
  digest       TEXT NOT NULL,                      -- SHA-256 of its input
  used_at      TEXT                                -- when it named its caller
) STRICT;
CREATE INDEX own_calls_by_digest ON own_calls (digest);
CREATE INDEX own_calls_by_session ON own_calls (session_id);
CREATE INDEX own_calls_by_age ON own_calls (at);
