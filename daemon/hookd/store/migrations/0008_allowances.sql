-- A person can let a single call pass a guard.

CREATE TABLE allowances (
  -- One row a guard and a call that the user lets pass it.
  id         INTEGER PRIMARY KEY,
  guard      TEXT NOT NULL,                        -- the policy
  call       TEXT NOT NULL,                        -- SHA-256 of what identifies the call
  tool       TEXT NOT NULL,
  text       TEXT NOT NULL,                        -- the call as it was shown, redacted
  folder     TEXT,                                 -- where it runs; NULL: anywhere
  event_id   INTEGER NOT NULL,                     -- the event on which the guard held it back
  until      TEXT,                                 -- NULL: always
  created_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX allowances_by_call ON allowances (call, guard);
CREATE INDEX allowances_by_age ON allowances (until) WHERE until IS NOT NULL;

CREATE VIEW allowance_overview AS
  -- Every call that may pass a guard now.
  SELECT id, event_id, guard, tool, text, folder, until, created_at
  FROM allowances WHERE until IS NULL OR until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now');
