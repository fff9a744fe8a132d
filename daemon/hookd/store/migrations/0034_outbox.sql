-- A fleet of many hosts: what waits for the central store, the membership, and items from it.
CREATE TABLE outbox (
  -- One row a change that waits for the central store of the fleet. Only a joined host has rows.
  seq      INTEGER PRIMARY KEY AUTOINCREMENT,        -- never given again
  kind     TEXT NOT NULL CHECK (kind IN
             ('session', 'event', 'mail', 'claim', 'release', 'forget', 'left')),
  row_id   INTEGER,                                  -- of the session or event
  at       TEXT NOT NULL,
  body     TEXT,                                     -- JSON; NULL: read from the row when it is sent
  rejected TEXT                                      -- why the central store refused it
) STRICT;
CREATE UNIQUE INDEX outbox_sessions ON outbox (row_id) WHERE kind = 'session';
CREATE INDEX outbox_rejected ON outbox (seq) WHERE rejected IS NOT NULL;

CREATE TABLE fleet_membership (
  -- One row at most: the fleet that this host is in, and how sending to it goes.
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  tenant      TEXT NOT NULL,                         -- the team's space in the central store
  host        TEXT NOT NULL,                         -- this host's name there
  mode        TEXT NOT NULL CHECK (mode IN ('status', 'decisions', 'events')),
  accept_json TEXT NOT NULL DEFAULT '[]',            -- kinds of items that may come down
  epoch       TEXT NOT NULL,                         -- of the sequence; a restored database has another
  keys_json   TEXT NOT NULL DEFAULT '[]',            -- public keys of the fleet, pinned
  joined_at   TEXT NOT NULL,
  shipped     INTEGER NOT NULL DEFAULT 0,            -- rows up to this number were sent
  dropped     INTEGER NOT NULL DEFAULT 0,            -- events that a full outbox dropped
  leaving     INTEGER NOT NULL DEFAULT 0,            -- 1: nothing new is sent
  seen_at     TEXT,                                  -- when the sync process last reported
  contact_at  TEXT,                                  -- when the central store last answered
  problem     TEXT,                                  -- why nothing can be sent
  next_step   TEXT,                                  -- what to do about it
  clock_ms    INTEGER                                -- this host's clock, ahead of the central store's
) STRICT;

CREATE TABLE fleet_items (
  -- One row a signed item that came from the central store, so that each counts once.
  id         TEXT PRIMARY KEY,                       -- chosen by its sender
  kind       TEXT NOT NULL,                          -- mail, claim, rules, pause, ...
  sender     TEXT,                                   -- a host; NULL: the fleet's key
  at         TEXT NOT NULL,                          -- when it came
  outcome    TEXT NOT NULL,                          -- applied, ignored, refused
  reason     TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX fleet_items_by_age ON fleet_items (at);

CREATE VIEW fleet_member AS
  -- The fleet that this host is in, and what waits for it; more than 100,000 rows count as those.
  SELECT m.id, m.tenant, m.host, m.mode, m.accept_json, m.epoch, m.joined_at, m.shipped, m.dropped,
         m.leaving, m.seen_at, m.contact_at, m.problem, m.next_step, m.clock_ms,
         (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT 100000)) - (SELECT count(*)
           FROM outbox WHERE rejected IS NOT NULL) AS waiting,
         (SELECT count(*) FROM outbox WHERE rejected IS NOT NULL) AS rejected,
         (SELECT at FROM outbox ORDER BY seq LIMIT 1) AS oldest_at
  FROM fleet_membership m;

CREATE VIEW outbox_overview AS
  -- Every row that waits for the central store; state: waiting or rejected.
  SELECT seq AS id, kind, row_id, at, body, rejected AS reason,
         CASE WHEN rejected IS NULL THEN 'waiting' ELSE 'rejected' END AS state
  FROM outbox;
