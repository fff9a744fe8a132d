-- Context usage over time, and an index of the decisions, for board and page.
CREATE TABLE context_history (
  -- One row a session and a change of its context usage to another percent.
  session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  at         TEXT NOT NULL,
  usage      REAL NOT NULL,                        -- share of the window in use, 0.0 to 1.0
  PRIMARY KEY (session_id, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX context_history_by_age ON context_history (at);

-- Few events have a decision: a search for one must not read all the others.
CREATE INDEX events_decided ON events (id, decision, decided_by, session_id)
  WHERE decision IS NOT NULL AND kind = 'hook';
