-- Events wait for the central store in their own table. Only those that user hooks delayed, and those
-- that the store refused, have a row of the outbox.
ALTER TABLE fleet_membership ADD COLUMN shipped_events INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fleet_membership ADD COLUMN events_after INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fleet_membership ADD COLUMN last_event INTEGER;
-- Those up to now have a row of the outbox, or were sent.
UPDATE fleet_membership SET shipped_events = (SELECT coalesce(max(id), 0) FROM events),
  last_event = iif(mode = 'status' OR leaving, (SELECT coalesce(max(id), 0) FROM events), NULL);
DROP TRIGGER IF EXISTS outbox_of_event;
CREATE INDEX outbox_events ON outbox (row_id) WHERE kind = 'event';

CREATE VIEW unsent_events AS
  -- Every event that waits for the central store in its own table.
  SELECT e.* FROM events e
  WHERE e.id > (SELECT shipped_events FROM fleet_membership)
    AND e.id <= (SELECT coalesce(last_event, 9223372036854775807) FROM fleet_membership)
    AND e.pending = 0 AND e.kind IN ('hook', 'canary')
    AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = 'event' AND o.row_id = e.id);

DROP VIEW fleet_member;
CREATE VIEW fleet_member AS
  -- The fleet that this host is in, and what waits for it.
  -- More than 100,000 rows of the outbox count as those; 10,000 events and more by their numbers.
  SELECT m.id, m.tenant, m.host, m.mode, m.accept_json, m.epoch, m.joined_at, m.shipped,
         m.shipped_events, m.dropped, m.leaving, m.seen_at, m.contact_at, m.problem, m.next_step,
         m.clock_ms,
         (SELECT count(*) FROM (SELECT 1 FROM outbox WHERE seq > m.shipped AND rejected IS NULL
           LIMIT 100000))
         + (SELECT iif(count(*) < 10000, count(*), coalesce(m.last_event,
           (SELECT max(id) FROM events)) - m.shipped_events)
           FROM (SELECT 1 FROM unsent_events LIMIT 10000)) AS waiting,
         (SELECT count(*) FROM outbox WHERE rejected IS NOT NULL) AS rejected,
         (SELECT min(at) FROM (SELECT at FROM (SELECT at FROM outbox ORDER BY seq LIMIT 1)
           UNION ALL SELECT at FROM (SELECT at FROM unsent_events ORDER BY id LIMIT 1)))
           AS oldest_at
  FROM fleet_membership m;

DROP VIEW outbox_overview;
CREATE VIEW outbox_overview AS
  -- Every row that waits for the central store; state: waiting or rejected.
  -- Of events that wait, the oldest 100,000.
  SELECT o.seq AS id, o.kind, o.row_id, o.at, o.body, o.rejected AS reason,
         iif(o.rejected IS NULL, 'waiting', 'rejected') AS state
  FROM outbox o
  WHERE o.rejected IS NOT NULL OR o.seq > (SELECT shipped FROM fleet_membership)
  UNION ALL
  SELECT * FROM (SELECT u.id, 'event', u.id, u.at, NULL, NULL, 'waiting' FROM unsent_events u
    ORDER BY u.id LIMIT 100000);
