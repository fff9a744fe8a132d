-- What shims had no verdict on is told to the user, and kept.

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
  UNIQUE (source, event, reason)
) STRICT;
CREATE INDEX unjudged_untold ON unjudged (id) WHERE told_at IS NULL;
CREATE INDEX unjudged_by_age ON unjudged (last_at);
