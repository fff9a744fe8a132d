-- What each session costs by day, for budgets of guard rules.

CREATE TABLE costs (
  -- One row a day (UTC) and session: what the session has cost on that day.
  day        TEXT NOT NULL,                        -- 2026-01-31
  session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  usd        REAL NOT NULL,
  PRIMARY KEY (day, session_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX costs_by_session ON costs (session_id);
