-- Tables, roles, rights and functions of the central store. migrate.py runs it as one transaction,
-- as hookd_owner, who owns everything here but the functions that write for hosts.
--
-- A host writes by functions of hookd_writer, whose rights row level security limits to the rows of
-- the host that is logged in (session_user, which SET ROLE does not change). It inserts items itself.

CREATE TABLE hookd.tenants (
  tenant text PRIMARY KEY CHECK (tenant ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'),
  number integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  retention_days integer NOT NULL DEFAULT 30 CHECK (retention_days BETWEEN 1 AND 3650),
  rows_per_minute integer NOT NULL DEFAULT 3000000 CHECK (rows_per_minute > 0),
  bytes_per_minute bigint NOT NULL DEFAULT 1073741824 CHECK (bytes_per_minute >= 1048576),
  items_per_hour integer NOT NULL DEFAULT 600 CHECK (items_per_hour > 0),
  fleet_keys text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE hookd.hosts (
  tenant text NOT NULL REFERENCES hookd.tenants,
  host text NOT NULL CHECK (host ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'),
  role text UNIQUE,                        -- its login; NULL after `hookd fleet host remove`
  public_key text NOT NULL,
  certificate text NOT NULL,
  backend integer,                         -- the server's process of the last hello: it alone ingests
  epoch uuid,                              -- the current one; the numbers of each are in epochs
  last_seen timestamptz,
  clock_offset_ms bigint,                  -- the host's clock minus the server's
  mode text CHECK (mode IN ('status', 'decisions', 'events')),
  version text CHECK (length(version) <= 100),
  accepts text[] NOT NULL DEFAULT '{}',
  open_sessions integer NOT NULL DEFAULT 0,
  attention integer NOT NULL DEFAULT 0,    -- open sessions with that status
  counted_on date,                         -- the day of the next two
  events_today bigint NOT NULL DEFAULT 0,
  denied_today bigint NOT NULL DEFAULT 0,
  rate_minute timestamptz,
  rate_rows bigint NOT NULL DEFAULT 0,
  rate_bytes bigint NOT NULL DEFAULT 0,
  rate_hour timestamptz,
  rate_items integer NOT NULL DEFAULT 0,
  added_at timestamptz NOT NULL DEFAULT now(),
  joined_at timestamptz,
  left_at timestamptz,
  removed_at timestamptz,
  PRIMARY KEY (tenant, host)
);

CREATE TABLE hookd.viewers (
  tenant text NOT NULL REFERENCES hookd.tenants,
  name text NOT NULL CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'),
  role text UNIQUE,
  added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, name)
);

-- A host whose database was restored begins a new epoch. It sends two streams, each by numbers of its
-- own that count within the epoch: its events by their ids, and all other changes.
CREATE TABLE hookd.epochs (
  tenant text NOT NULL,
  host text NOT NULL,
  epoch uuid NOT NULL,
  number integer NOT NULL,
  last_change bigint NOT NULL DEFAULT 0,
  last_event bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, host, epoch),
  FOREIGN KEY (tenant, host) REFERENCES hookd.hosts
);

CREATE TABLE hookd.sessions (
  tenant text NOT NULL,
  host text NOT NULL,
  epoch integer NOT NULL,
  number bigint NOT NULL,
  conversation text,
  agent text,
  client text,
  project text,
  status text,
  started_at timestamptz,
  last_event_at timestamptz,
  ended_at timestamptz,
  state jsonb NOT NULL,                    -- all that the host sent
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, host, epoch, number)
);
CREATE INDEX sessions_open ON hookd.sessions (tenant, host) WHERE ended_at IS NULL;
CREATE INDEX sessions_recent ON hookd.sessions (tenant, last_event_at DESC);
CREATE INDEX sessions_open_recent ON hookd.sessions (tenant, last_event_at DESC)
  WHERE ended_at IS NULL;

-- A partition for each tenant, and in it one for each day of receipt: see maintain_1.
CREATE TABLE hookd.events (
  tenant text NOT NULL,
  host text NOT NULL,
  epoch integer NOT NULL,
  event_id bigint NOT NULL,                -- its number on the host
  received_at timestamptz NOT NULL,
  at timestamptz NOT NULL,                 -- by the host's clock
  event text NOT NULL,
  session bigint,
  conversation text,
  tool text,
  decision text,
  decided_by text,
  duration_us bigint,
  client text,
  kind text,
  detail jsonb,                            -- payload and answer, in the mode events
  PRIMARY KEY (tenant, host, epoch, event_id, received_at)
) PARTITION BY LIST (tenant);
CREATE INDEX events_session ON hookd.events (tenant, host, session, epoch, event_id);

CREATE TABLE hookd.minutes (
  tenant text NOT NULL,
  host text NOT NULL,
  received_at date NOT NULL,               -- day of receipt
  minute timestamptz NOT NULL,             -- by the host's clock, corrected by its offset
  event text NOT NULL,
  decision text NOT NULL,                  -- '' without one
  count bigint NOT NULL,
  PRIMARY KEY (tenant, host, received_at, minute, event, decision)
) PARTITION BY LIST (tenant);

-- The same of all hosts together, for the last two days. Hosts that ship at the same time add to the
-- rows of different parts: see free_part.
CREATE TABLE hookd.fleet_minutes (
  tenant text NOT NULL,
  minute timestamptz NOT NULL,
  decision text NOT NULL,
  part smallint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (tenant, minute, decision, part)
) WITH (fillfactor = 70);

-- xid orders items by commit: all below pg_snapshot_xmin(pg_current_snapshot()) are complete.
CREATE TABLE hookd.items (
  tenant text NOT NULL REFERENCES hookd.tenants,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind ~ '^[a-z][a-z-]{0,30}$'),
  sender text,                             -- a host; NULL: signed by the fleet key
  recipient text CHECK (length(recipient) <= 63),  -- a host; NULL: all
  body text NOT NULL CHECK (octet_length(body) <= 262144),
  key_id text NOT NULL CHECK (length(key_id) <= 64),
  signature text NOT NULL CHECK (length(signature) <= 200),
  created_at text NOT NULL CHECK (length(created_at) <= 40),   -- as signed
  expires_at text CHECK (length(expires_at) <= 40),            -- as signed
  received_at timestamptz NOT NULL DEFAULT now(),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CHECK (sender IS NULL OR recipient IS NOT NULL)  -- a host writes to one host
);
CREATE UNIQUE INDEX items_once ON hookd.items (tenant, coalesce(sender, ''), id);
CREATE INDEX items_order ON hookd.items (tenant, xid);

CREATE TABLE hookd.claims (
  tenant text NOT NULL,
  repository text NOT NULL CHECK (length(repository) <= 100),
  pattern text NOT NULL CHECK (length(pattern) <= 1000),
  host text NOT NULL,
  claim bigint NOT NULL,                   -- its number on the host
  agent text CHECK (length(agent) <= 200),
  claimed_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,         -- by the server's clock: see limit_claim
  item text CHECK (octet_length(item) <= 16384),  -- what its host signed
  signature text CHECK (length(signature) <= 200),
  PRIMARY KEY (tenant, repository, pattern),
  FOREIGN KEY (tenant, host) REFERENCES hookd.hosts
);
CREATE INDEX claims_host ON hookd.claims (tenant, host, claim);

-- Who is logged in. Owned by hookd_writer, who sees only the row of that login.
CREATE FUNCTION hookd.current_tenant() RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT tenant FROM hookd.hosts WHERE role = session_user::text
  UNION ALL SELECT tenant FROM hookd.viewers WHERE role = session_user::text
$$;

CREATE FUNCTION hookd.current_host() RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT host FROM hookd.hosts WHERE role = session_user::text
$$;

-- Make the table that a host copies its rows into. It belongs to hookd_writer, so its host can
-- neither add a trigger to it nor put another in its place.
CREATE FUNCTION hookd.open_batch_1() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET client_min_messages = error AS $$
BEGIN
  CREATE TEMPORARY TABLE IF NOT EXISTS hookd_batch (
    seq bigint NOT NULL, kind text NOT NULL, at timestamptz NOT NULL, body jsonb NOT NULL
  ) ON COMMIT DELETE ROWS;
  -- Without compression the size of a value is known, and its limit costs nothing.
  ALTER TABLE pg_temp.hookd_batch ALTER COLUMN body SET STORAGE EXTERNAL;
  EXECUTE format('GRANT INSERT ON pg_temp.hookd_batch TO %I', session_user);
END $$;

CREATE FUNCTION hookd.refuse_row(seq bigint, flaw text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'row % is refused: %', seq, flaw USING ERRCODE = 'HK001', DETAIL = seq::text;
END $$;

-- Return the time of a text such as 2026-01-02T03:04:05.678Z; NULL for any other text. It is called
-- for each row, so it has no SET and no regular expression, and most texts are read without the block
-- that catches errors: each costs more than the rest of it. Its callers have a search_path of their
-- own, and it has only their rights.
CREATE FUNCTION hookd.as_time(value text) RETURNS timestamptz
  LANGUAGE plpgsql STABLE STRICT AS $$
DECLARE
  found timestamptz;
BEGIN
  IF translate(value, '123456789', '000000000') = '0000-00-00T00:00:00.000Z'
    AND substr(value, 1, 4) BETWEEN '1970' AND '2199' AND substr(value, 6, 2) BETWEEN '01' AND '12'
    AND substr(value, 9, 2) BETWEEN '01' AND '28' AND substr(value, 12, 2) <= '23'
    AND substr(value, 15, 2) <= '59' AND substr(value, 18, 2) <= '59' THEN
    RETURN value;
  END IF;
  BEGIN
    IF value LIKE '____-__-__T__:__:__%Z' THEN
      found := value;
    END IF;
    RETURN CASE WHEN found BETWEEN '1970-01-01' AND '2200-01-01' THEN found END;
  EXCEPTION WHEN data_exception THEN
    RETURN NULL;
  END;
END $$;

-- Return a value of at most 40 characters, NULL for any other.
CREATE FUNCTION hookd.short(value jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT value WHERE length(value::text) <= 40
$$;

-- Refuse the first row of the batch that the tables could not store.
CREATE FUNCTION hookd.check_batch(after bigint, stream text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  wrong record;
BEGIN
  SELECT b.seq, f.flaw INTO wrong
  FROM pg_temp.hookd_batch b, LATERAL (SELECT CASE
    WHEN b.kind NOT IN ('session', 'event', 'mail', 'claim', 'release', 'forget', 'left')
      THEN 'its kind is unknown'
    WHEN stream = 'events' AND b.kind <> 'event'
      THEN 'it is no event'
    WHEN jsonb_typeof(b.body) <> 'object' AND NOT (b.kind = 'session' AND b.body = 'null')
      THEN 'its body is no object'
    WHEN b.at < '1970-01-01' OR b.at > '2200-01-01' THEN 'its time is out of range'
    WHEN pg_column_size(b.body) > 1048576
      THEN 'it is larger than 1 MiB'
    WHEN b.kind = 'event' AND (jsonb_typeof(b.body->'event') IS DISTINCT FROM 'string'
        OR length(b.body->>'event') > 100
        OR coalesce(length(b.body->>'decision') > 100, false)
        OR coalesce(length(b.body->>'conversation') > 500, false)
        OR jsonb_typeof(b.body->'event_id') IS DISTINCT FROM 'number'
        OR coalesce(jsonb_typeof(b.body->'session') NOT IN ('number', 'null'), false)
        OR coalesce(jsonb_typeof(b.body->'duration_us') NOT IN ('number', 'null'), false))
      THEN 'it is no event'
    WHEN b.kind = 'session' AND b.body <> 'null' AND (jsonb_typeof(b.body->'session') IS DISTINCT FROM 'number'
        OR coalesce(length(b.body->>'conversation') > 500, false)
        OR pg_column_size(b.body) > 65536)
      THEN 'it is no session'
    WHEN b.kind = 'forget' AND NOT (jsonb_typeof(b.body->'conversation') IS NOT DISTINCT FROM 'string'
        OR jsonb_typeof(b.body->'sessions') IS NOT DISTINCT FROM 'array'
        OR jsonb_typeof(b.body->'events') IS NOT DISTINCT FROM 'array')
      THEN 'it names neither conversation nor sessions nor events'
    WHEN b.kind = 'mail' AND (
        coalesce(b.body->>'id', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        OR jsonb_typeof(b.body->'body') IS DISTINCT FROM 'string'
        OR octet_length(b.body->>'body') > 262144
        OR coalesce(length(b.body->>'recipient'), 64) > 63
        OR coalesce(length(b.body->>'key_id'), 65) > 64
        OR coalesce(length(b.body->>'signature'), 201) > 200
        OR coalesce(length(b.body->>'created_at'), 41) > 40
        OR length(coalesce(b.body->>'expires_at', '')) > 40)
      THEN 'it is no signed item'
    END AS flaw) f
  WHERE b.seq > after AND f.flaw IS NOT NULL
  ORDER BY b.seq LIMIT 1;
  IF FOUND THEN
    PERFORM hookd.refuse_row(wrong.seq, wrong.flaw);
  END IF;
END $$;

-- Apply the rows of hookd_batch, of a stream, that this epoch has not sent yet; return the last number
-- of the stream. The host's row is locked, so a batch is applied once, whatever was sent twice.
CREATE FUNCTION hookd.ingest_1(current_epoch uuid, stream text) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  me hookd.hosts;
  its hookd.epochs;
  after bigint;
  fresh bigint;
  highest bigint;
  bytes bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('pg_temp.hookd_batch')
      AND relowner = current_user::regrole) THEN
    RAISE EXCEPTION 'call hookd.open_batch_1() first' USING ERRCODE = 'HK002';
  END IF;
  me := hookd.lock_host();
  IF me.backend <> pg_backend_pid() THEN
    -- It was lost before this began, and what it brings may have been forgotten since.
    RAISE EXCEPTION 'another connection of host % sends now', me.host USING ERRCODE = 'HK005';
  END IF;
  its := hookd.enter_epoch(me, current_epoch);
  after := CASE stream WHEN 'events' THEN its.last_event ELSE its.last_change END;
  SELECT count(*), max(seq), sum(pg_column_size(body)) INTO fresh, highest, bytes
  FROM pg_temp.hookd_batch WHERE seq > after;
  IF fresh = 0 THEN
    RETURN after;
  END IF;
  PERFORM hookd.spend_rows(me, fresh, bytes);
  PERFORM hookd.check_batch(after, stream);
  PERFORM hookd.add_events(me, its, after);
  PERFORM hookd.add_sessions(me, its, after);
  PERFORM hookd.add_mail(me, after);
  PERFORM hookd.add_ends(me, its, after);
  UPDATE hookd.epochs
  SET last_event = CASE stream WHEN 'events' THEN highest ELSE last_event END,
    last_change = CASE stream WHEN 'events' THEN last_change ELSE highest END
  WHERE tenant = me.tenant AND host = me.host AND epoch = current_epoch;
  RETURN highest;
END $$;

CREATE FUNCTION hookd.lock_host() RETURNS hookd.hosts
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  me hookd.hosts;
BEGIN
  SELECT * INTO me FROM hookd.hosts WHERE role = session_user::text FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this login is no host of a fleet' USING ERRCODE = 'HK003';
  END IF;
  RETURN me;
END $$;

-- Return the host's epoch, a new one where it is unknown: the sessions of the last one are ended.
CREATE FUNCTION hookd.enter_epoch(me hookd.hosts, current_epoch uuid) RETURNS hookd.epochs
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its hookd.epochs;
BEGIN
  SELECT * INTO its FROM hookd.epochs
  WHERE tenant = me.tenant AND host = me.host AND epoch = current_epoch;
  IF NOT FOUND THEN
    INSERT INTO hookd.epochs (tenant, host, epoch, number)
    SELECT me.tenant, me.host, current_epoch, 1 + coalesce(max(number), 0)
    FROM hookd.epochs WHERE tenant = me.tenant AND host = me.host
    RETURNING * INTO its;
    UPDATE hookd.sessions SET ended_at = now()
    WHERE tenant = me.tenant AND host = me.host AND ended_at IS NULL;
    UPDATE hookd.hosts SET epoch = current_epoch, open_sessions = 0, attention = 0,
      joined_at = now(), left_at = NULL
    WHERE tenant = me.tenant AND host = me.host;
  END IF;
  RETURN its;
END $$;

CREATE FUNCTION hookd.spend_rows(me hookd.hosts, fresh bigint, bytes bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  this_minute timestamptz := date_trunc('minute', clock_timestamp());
  of_rows bigint := fresh + CASE WHEN me.rate_minute = this_minute THEN me.rate_rows ELSE 0 END;
  of_bytes bigint := bytes + CASE WHEN me.rate_minute = this_minute THEN me.rate_bytes ELSE 0 END;
  t hookd.tenants;
BEGIN
  SELECT * INTO t FROM hookd.tenants WHERE tenant = me.tenant;
  IF of_rows > t.rows_per_minute THEN
    RAISE EXCEPTION 'host % may send % rows a minute', me.host, t.rows_per_minute
      USING ERRCODE = 'HK004';
  END IF;
  IF of_bytes > t.bytes_per_minute THEN
    RAISE EXCEPTION 'host % may send % bytes a minute', me.host, t.bytes_per_minute
      USING ERRCODE = 'HK004';
  END IF;
  UPDATE hookd.hosts
  SET rate_minute = this_minute, rate_rows = of_rows, rate_bytes = of_bytes, last_seen = now()
  WHERE tenant = me.tenant AND host = me.host;
END $$;

-- Return a part of fleet_minutes that no other host adds to before this transaction ends: one that
-- stays open stops no other host. With 32 of them open, hosts wait for each other.
CREATE FUNCTION hookd.free_part(of_tenant text, of_host text) RETURNS smallint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  first integer := hashtext(of_host) & 31;
BEGIN
  FOR step IN 0..31 LOOP
    IF pg_try_advisory_xact_lock(hashtext(of_tenant), 7466101 + ((first + step) & 31)) THEN
      RETURN (first + step) & 31;
    END IF;
  END LOOP;
  RETURN first;
END $$;

-- Add events, their counts by minute, and those of today: one pass over the batch.
CREATE FUNCTION hookd.add_events(me hookd.hosts, its hookd.epochs, after bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  offset_of_clock interval := coalesce(me.clock_offset_ms, 0) * interval '1 millisecond';
  today date := (now() AT TIME ZONE 'UTC')::date;
  free smallint := hookd.free_part(me.tenant, me.host);
  added bigint;
  denied bigint;
BEGIN
  WITH sent AS (
    INSERT INTO hookd.events (tenant, host, epoch, event_id, received_at, at, event, session,
      conversation, tool, decision, decided_by, duration_us, client, kind, detail)
    SELECT me.tenant, me.host, its.number, trunc((b.body->>'event_id')::numeric), now(), b.at,
      b.body->>'event',
      trunc((b.body->>'session')::numeric), b.body->>'conversation', b.body->>'tool',
      b.body->>'decision', b.body->>'decided_by', trunc((b.body->>'duration_us')::numeric),
      b.body->>'client', b.body->>'kind', nullif(b.body->'detail', 'null')
    FROM pg_temp.hookd_batch b WHERE b.kind = 'event' AND b.seq > after
    RETURNING at, event, coalesce(decision, '') AS decision
  ), by_minute AS (
    SELECT date_trunc('minute', least(at - offset_of_clock, now())) AS minute, event, decision,
      count(*) AS count
    FROM sent GROUP BY 1, 2, 3
  ), counted AS (
    INSERT INTO hookd.minutes AS m (tenant, host, received_at, minute, event, decision, count)
    SELECT me.tenant, me.host, today, n.minute, n.event, n.decision, n.count FROM by_minute n
    ON CONFLICT (tenant, host, received_at, minute, event, decision)
    DO UPDATE SET count = m.count + excluded.count
  ), counted_together AS (
    INSERT INTO hookd.fleet_minutes AS m (tenant, minute, decision, part, count)
    SELECT me.tenant, n.minute, n.decision, free, sum(n.count) FROM by_minute n
    WHERE n.minute > now() - interval '2 days'
    GROUP BY n.minute, n.decision ORDER BY n.minute, n.decision  -- one order: no deadlock
    ON CONFLICT (tenant, minute, decision, part) DO UPDATE SET count = m.count + excluded.count
  )
  SELECT sum(count), coalesce(sum(count) FILTER (WHERE decision IN ('deny', 'block')), 0)
  INTO added, denied FROM by_minute;
  IF added > 0 THEN
    UPDATE hookd.hosts SET counted_on = today,
      events_today = added + CASE WHEN counted_on = today THEN events_today ELSE 0 END,
      denied_today = denied + CASE WHEN counted_on = today THEN denied_today ELSE 0 END
    WHERE tenant = me.tenant AND host = me.host;
  END IF;
END $$;

-- Add sessions, or replace them. A row of an older epoch is the same session: it was sent before the
-- host joined again, or before its database was restored.
CREATE FUNCTION hookd.add_sessions(me hookd.hosts, its hookd.epochs, after bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF its.number > 1 THEN
    DELETE FROM hookd.sessions s USING pg_temp.hookd_batch b
    WHERE s.tenant = me.tenant AND s.host = me.host AND s.epoch < its.number
      AND s.number = trunc((b.body->>'session')::numeric)::bigint
      AND s.conversation = b.body->>'conversation'
      AND b.kind = 'session' AND b.body <> 'null' AND b.seq > after;
  END IF;
  INSERT INTO hookd.sessions (tenant, host, epoch, number, conversation, agent, client, project,
    status, started_at, last_event_at, ended_at, state)
  SELECT DISTINCT ON (n.number) me.tenant, me.host, its.number, n.number,
    b.body->>'conversation', b.body->>'agent', b.body->>'client', b.body->>'project',
    b.body->>'status', hookd.as_time(b.body->>'started_at'),
    coalesce(hookd.as_time(b.body->>'last_event_at'), b.at),
    hookd.as_time(b.body->>'ended_at'), b.body
  FROM pg_temp.hookd_batch b,
    LATERAL (SELECT trunc((b.body->>'session')::numeric)::bigint AS number) n
  WHERE b.kind = 'session' AND b.body <> 'null' AND b.seq > after
  ORDER BY n.number, b.seq DESC
  ON CONFLICT (tenant, host, epoch, number) DO UPDATE SET
    conversation = excluded.conversation, agent = excluded.agent, client = excluded.client,
    project = excluded.project, status = excluded.status, started_at = excluded.started_at,
    last_event_at = excluded.last_event_at, ended_at = excluded.ended_at,
    state = excluded.state, updated_at = now();
  IF FOUND THEN
    PERFORM hookd.count_sessions(me);
  END IF;
END $$;

CREATE FUNCTION hookd.count_sessions(me hookd.hosts) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE hookd.hosts h SET open_sessions = c.opened, attention = c.attention
  FROM (SELECT count(*) AS opened, count(*) FILTER (WHERE status = 'attention') AS attention
    FROM hookd.sessions s
    WHERE s.tenant = me.tenant AND s.host = me.host AND s.ended_at IS NULL) c
  WHERE h.tenant = me.tenant AND h.host = me.host
$$;

-- Add mail. Reject the first row above the hourly limit: the host returns that mail to its sender
-- and sends the rows after it at once, instead of waiting for the next hour.
CREATE FUNCTION hookd.add_mail(me hookd.hosts, after bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  spent integer := CASE WHEN me.rate_hour = date_trunc('hour', clock_timestamp())
    THEN me.rate_items ELSE 0 END;
  allowed integer := (SELECT items_per_hour FROM hookd.tenants WHERE tenant = me.tenant);
  beyond bigint := (SELECT b.seq FROM pg_temp.hookd_batch b
    WHERE b.kind = 'mail' AND b.seq > after
    ORDER BY b.seq OFFSET greatest(allowed - spent, 0) LIMIT 1);
BEGIN
  IF beyond IS NOT NULL THEN
    PERFORM hookd.refuse_row(beyond, format('host %s may send %s items an hour', me.host, allowed));
  END IF;
  INSERT INTO hookd.items (tenant, id, kind, sender, recipient, body, key_id, signature,
    created_at, expires_at)
  SELECT me.tenant, (b.body->>'id')::uuid, 'mail', me.host, b.body->>'recipient',
    b.body->>'body', b.body->>'key_id', b.body->>'signature', b.body->>'created_at',
    b.body->>'expires_at'
  FROM pg_temp.hookd_batch b WHERE b.kind = 'mail' AND b.seq > after
  ORDER BY b.seq
  ON CONFLICT DO NOTHING;
END $$;

-- Apply `forget`, which deletes this host's rows of sessions, and `left`.
CREATE FUNCTION hookd.add_ends(me hookd.hosts, its hookd.epochs, after bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  forgotten jsonb;
BEGIN
  FOR forgotten IN SELECT b.body FROM pg_temp.hookd_batch b
    WHERE b.kind = 'forget' AND b.seq > after LOOP
    PERFORM hookd.forget(me, its, forgotten->>'conversation',
      ARRAY(SELECT jsonb_array_elements_text(forgotten->'conversations')
        WHERE jsonb_typeof(forgotten->'conversations') = 'array'),
      ARRAY(SELECT jsonb_array_elements_text(forgotten->'sessions')::bigint
        WHERE jsonb_typeof(forgotten->'sessions') = 'array'),
      ARRAY(SELECT jsonb_array_elements_text(forgotten->'events')::bigint
        WHERE jsonb_typeof(forgotten->'events') = 'array'));
  END LOOP;
  IF EXISTS (SELECT FROM pg_temp.hookd_batch b WHERE b.kind = 'left' AND b.seq > after) THEN
    UPDATE hookd.sessions SET ended_at = now()
    WHERE tenant = me.tenant AND host = me.host AND ended_at IS NULL;
    DELETE FROM hookd.claims WHERE tenant = me.tenant AND host = me.host;
    UPDATE hookd.hosts SET left_at = now(), open_sessions = 0, attention = 0
    WHERE tenant = me.tenant AND host = me.host;
  END IF;
END $$;

-- Delete a conversation, or sessions and events by their numbers. A session of an older epoch
-- goes with one of its number and conversation.
CREATE FUNCTION hookd.forget(me hookd.hosts, its hookd.epochs, its_conversation text,
    conversations text[], numbers bigint[], event_ids bigint[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  known text[] := conversations || ARRAY(SELECT s.conversation FROM hookd.sessions s
    WHERE s.tenant = me.tenant AND s.host = me.host AND s.epoch = its.number
      AND s.number = ANY (numbers) AND s.conversation IS NOT NULL);
BEGIN
  DELETE FROM hookd.events WHERE tenant = me.tenant AND host = me.host AND session = ANY (numbers)
    AND (epoch = its.number OR conversation = ANY (known));
  DELETE FROM hookd.sessions WHERE tenant = me.tenant AND host = me.host AND number = ANY (numbers)
    AND (epoch = its.number OR conversation = ANY (known));
  IF cardinality(event_ids) > 0 THEN
    DELETE FROM hookd.events WHERE tenant = me.tenant AND host = me.host AND epoch = its.number
      AND event_id = ANY (event_ids);
  END IF;
  IF its_conversation IS NOT NULL THEN
    DELETE FROM hookd.events WHERE tenant = me.tenant AND host = me.host
      AND conversation = its_conversation;
    DELETE FROM hookd.sessions WHERE tenant = me.tenant AND host = me.host
      AND conversation = its_conversation;
  END IF;
  PERFORM hookd.count_sessions(me);
END $$;

-- Store a host's heartbeat; return what it must know. `report`: at (its clock), mode, version,
-- accepts, leaving, and sessions: the number of each open one, with last_event_at and counters.
CREATE FUNCTION hookd.hello_1(current_epoch uuid, report jsonb) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  me hookd.hosts := hookd.lock_host();
  its hookd.epochs := hookd.enter_epoch(me, current_epoch);
  apart interval := hookd.as_time(report->>'at') - clock_timestamp();
BEGIN
  UPDATE hookd.hosts SET epoch = current_epoch, last_seen = now(), backend = pg_backend_pid(),
    left_at = CASE WHEN report->>'leaving' = 'true' THEN left_at END,
    joined_at = coalesce(joined_at, now()),
    clock_offset_ms = coalesce(round(extract(epoch FROM apart) * 1000), clock_offset_ms),
    mode = coalesce(report->>'mode', mode), version = coalesce(report->>'version', version),
    accepts = CASE WHEN jsonb_typeof(report->'accepts') = 'array'
      THEN ARRAY(SELECT left(a, 20) FROM jsonb_array_elements_text(report->'accepts') a LIMIT 20)
      ELSE accepts END
  WHERE tenant = me.tenant AND host = me.host;
  IF jsonb_typeof(report->'sessions') = 'array' THEN
    UPDATE hookd.sessions s SET state = s.state || jsonb_strip_nulls(jsonb_build_object(
        'last_event_at', hookd.short(l.value->'last_event_at'),
        'calls_since_log', hookd.short(l.value->'calls_since_log'),
        'tool_calls', hookd.short(l.value->'tool_calls'))),
      last_event_at = greatest(s.last_event_at, hookd.as_time(l.value->>'last_event_at'))
    FROM jsonb_array_elements(report->'sessions') l
    WHERE s.tenant = me.tenant AND s.host = me.host AND s.epoch = its.number
      AND s.number = CASE WHEN l.value->>'session' ~ '^[0-9]{1,18}$'
        THEN (l.value->>'session')::bigint END  -- no cast of s.number: its index finds the rows
      AND NOT s.state @> (l.value - 'session');  -- most sessions have not changed
  END IF;
  RETURN (SELECT jsonb_build_object('tenant', me.tenant, 'host', me.host,
      'last_change', its.last_change, 'last_event', its.last_event,
      'clock_offset_ms', round(extract(epoch FROM apart) * 1000),
      'schema_version', m.schema_version,
      'oldest_client', m.oldest_client, 'fleet_keys', to_jsonb(t.fleet_keys),
      'channel', 'hookd_items_' || t.number,
      'rows_per_minute', t.rows_per_minute, 'items_per_hour', t.items_per_hour)
    FROM hookd.meta m, hookd.tenants t WHERE t.tenant = me.tenant);
END $$;

-- Wake those that listen.
CREATE FUNCTION hookd.wake() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('hookd_items_' || t.number, '')
  FROM hookd.tenants t WHERE t.tenant = coalesce(NEW.tenant, OLD.tenant);
  RETURN NULL;
END $$;
CREATE TRIGGER wake AFTER INSERT ON hookd.items FOR EACH ROW EXECUTE FUNCTION hookd.wake();

CREATE TRIGGER wake AFTER INSERT OR DELETE ON hookd.claims
  FOR EACH ROW EXECUTE FUNCTION hookd.wake();

-- Let one host at a time decide on the claims of a repository, until its transaction ends; delete
-- those that have expired.
CREATE FUNCTION hookd.lock_claims_1(of_repository text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET lock_timeout = '10s' AS $$
DECLARE
  mine text := hookd.current_tenant();
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(mine || '/' || of_repository, 7466100));
  DELETE FROM hookd.claims
  WHERE tenant = mine AND repository = of_repository AND expires_at <= clock_timestamp();
END $$;

-- Delete claims of the host, by their numbers. A host that could delete could lock the table.
CREATE FUNCTION hookd.end_claims_1(of_repository text, numbers bigint[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM hookd.claims WHERE tenant = hookd.current_tenant() AND host = hookd.current_host()
    AND repository = of_repository AND claim = ANY (numbers)
$$;

-- Limit the claims of a host: 1,000, each for an hour unless it is extended.
CREATE FUNCTION hookd.limit_claim() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.expires_at := least(NEW.expires_at, clock_timestamp() + interval '1 hour');
  IF TG_OP = 'INSERT' AND 1000 <= (SELECT count(*) FROM hookd.claims
      WHERE tenant = NEW.tenant AND host = NEW.host) THEN
    RAISE EXCEPTION 'host % may have 1000 claims', NEW.host USING ERRCODE = 'HK004';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER limit_claim BEFORE INSERT OR UPDATE ON hookd.claims
  FOR EACH ROW EXECUTE FUNCTION hookd.limit_claim();

-- End connections of hosts and viewers in which a transaction has been open for so long, or that
-- hold an advisory lock outside of one: items are read below all open transactions, so one would
-- keep them from all hosts. A login can reset its own timeouts, but not this.
CREATE FUNCTION hookd.end_stale(open_for interval) RETURNS integer
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT count(pg_terminate_backend(a.pid))::integer FROM pg_stat_activity a
  WHERE a.usename IN (SELECT role FROM hookd.hosts UNION ALL SELECT role FROM hookd.viewers)
    AND a.pid <> pg_backend_pid()
    AND (a.xact_start < clock_timestamp() - open_for OR EXISTS (SELECT FROM pg_locks l
      WHERE l.pid = a.pid AND l.locktype = 'advisory' AND l.virtualtransaction LIKE '%/0'))
$$;

-- The same, if an item of the login's tenant has been waiting for a transaction for a minute.
CREATE FUNCTION hookd.release_items_1() RETURNS integer
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT hookd.end_stale('5 minutes') WHERE EXISTS (SELECT FROM hookd.items
    WHERE tenant = hookd.current_tenant() AND xid >= pg_snapshot_xmin(pg_current_snapshot())
      AND received_at < clock_timestamp() - interval '1 minute')
$$;

-- Limit the items of a host.
CREATE FUNCTION hookd.spend_item() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  me hookd.hosts;
  this_hour timestamptz := date_trunc('hour', clock_timestamp());
  spent integer;
  allowed integer;
BEGIN
  IF NEW.sender IS NULL THEN
    RETURN NEW;
  END IF;
  me := hookd.lock_host();
  spent := 1 + CASE WHEN me.rate_hour = this_hour THEN me.rate_items ELSE 0 END;
  SELECT items_per_hour INTO allowed FROM hookd.tenants WHERE tenant = me.tenant;
  IF spent > allowed THEN
    RAISE EXCEPTION 'host % may send % items an hour', me.host, allowed USING ERRCODE = 'HK004';
  END IF;
  UPDATE hookd.hosts SET rate_hour = this_hour, rate_items = spent
  WHERE tenant = me.tenant AND host = me.host;
  RETURN NEW;
END $$;
CREATE TRIGGER spend_item BEFORE INSERT ON hookd.items
  FOR EACH ROW EXECUTE FUNCTION hookd.spend_item();

-- Make the partitions of the next days of a tenant, and drop those that are past its retention.
-- A partition is attached, not created in place: writers need not wait for it. Those that drop
-- wait at most a second for writers, and writers for them.
CREATE FUNCTION hookd.maintain(of_tenant text, today date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET client_min_messages = error SET lock_timeout = '1s'
  SET timezone = 'UTC' AS $$  -- a login sets its own, by which dates become times
DECLARE
  t hookd.tenants;
  parent text;
  part text;
  day date;
  old regclass;
  dropped integer := 0;
BEGIN
  -- One at a time: while a host keeps its transaction open, others skip this, until end_stale ends it.
  SELECT * INTO t FROM hookd.tenants WHERE tenant = of_tenant FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  FOREACH parent IN ARRAY ARRAY['events', 'minutes'] LOOP
    part := format('%s_%s', parent, t.number);
    IF to_regclass('hookd.' || part) IS NULL THEN
      EXECUTE format('CREATE TABLE hookd.%I (LIKE hookd.%I INCLUDING ALL)'
        ' PARTITION BY RANGE (received_at)', part, parent);
      EXECUTE format('ALTER TABLE hookd.%I ATTACH PARTITION hookd.%I FOR VALUES IN (%L)',
        parent, part, t.tenant);
    END IF;
    FOR day IN SELECT today + n FROM generate_series(-1, 7) n LOOP
      CONTINUE WHEN to_regclass(format('hookd.%s_%s', part, to_char(day, 'YYYYMMDD'))) IS NOT NULL
        OR day < today - t.retention_days;
      EXECUTE format('CREATE TABLE hookd.%I (LIKE hookd.%I INCLUDING ALL)',
        part || '_' || to_char(day, 'YYYYMMDD'), part);
      EXECUTE format('ALTER TABLE hookd.%I ATTACH PARTITION hookd.%I FOR VALUES FROM (%L) TO (%L)',
        part, part || '_' || to_char(day, 'YYYYMMDD'),
        CASE parent WHEN 'events' THEN day || ' 00:00:00+00' ELSE day::text END,
        CASE parent WHEN 'events' THEN day + 1 || ' 00:00:00+00' ELSE (day + 1)::text END);
    END LOOP;
    FOR old IN SELECT i.inhrelid::regclass FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = to_regclass('hookd.' || part)
        AND right(c.relname, 8) < to_char(today - t.retention_days, 'YYYYMMDD') LOOP
      BEGIN
        EXECUTE format('DROP TABLE %s', old);
        dropped := dropped + 1;
      EXCEPTION WHEN lock_not_available THEN
        EXIT;  -- writers are busy: the next call drops it
      END;
    END LOOP;
  END LOOP;
  DELETE FROM hookd.fleet_minutes WHERE tenant = t.tenant AND minute < today - 1;
  DELETE FROM hookd.sessions WHERE tenant = t.tenant AND ended_at IS NOT NULL
    AND updated_at < today - t.retention_days;
  DELETE FROM hookd.items WHERE tenant = t.tenant AND (hookd.as_time(expires_at) < today - 7
    OR (sender IS NOT NULL AND received_at < today - 40));  -- no host's item is valid for longer
  RETURN dropped;
END $$;

-- The same for the tenant of the login, today.
CREATE FUNCTION hookd.maintain_1() RETURNS integer
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT hookd.end_stale('5 minutes');
  SELECT hookd.maintain(hookd.current_tenant(), (now() AT TIME ZONE 'UTC')::date)
  WHERE hookd.current_tenant() IS NOT NULL
$$;

-- Rights. Nothing is for everybody.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA hookd FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA hookd FROM PUBLIC;

GRANT USAGE ON SCHEMA hookd TO hookd_host, hookd_viewer, hookd_writer;
GRANT SELECT ON hookd.meta TO hookd_host, hookd_viewer, hookd_writer;
GRANT EXECUTE ON FUNCTION hookd.current_tenant(), hookd.current_host()
  TO hookd_host, hookd_viewer, hookd_owner;
GRANT EXECUTE ON FUNCTION hookd.open_batch_1(), hookd.ingest_1(uuid, text), hookd.hello_1(uuid, jsonb),
  hookd.maintain_1(), hookd.lock_claims_1(text), hookd.end_claims_1(text, bigint[]),
  hookd.release_items_1() TO hookd_host;
GRANT EXECUTE ON FUNCTION hookd.free_part(text, text) TO hookd_writer;

GRANT SELECT (tenant, host, public_key, certificate, removed_at) ON hookd.hosts TO hookd_host;
GRANT SELECT (tenant, number, retention_days, rows_per_minute, items_per_hour, fleet_keys)
  ON hookd.tenants TO hookd_host, hookd_viewer;
GRANT SELECT ON hookd.epochs, hookd.sessions, hookd.events, hookd.minutes, hookd.items,
  hookd.claims TO hookd_host;
GRANT INSERT (tenant, id, kind, sender, recipient, body, key_id, signature, created_at, expires_at)
  ON hookd.items TO hookd_host;
GRANT INSERT (tenant, repository, pattern, host, claim, agent, expires_at, item, signature),
  UPDATE (expires_at, item, signature) ON hookd.claims TO hookd_host;

GRANT SELECT (tenant, host, public_key, epoch, last_seen, clock_offset_ms, mode, version, accepts,
  open_sessions, attention, counted_on, events_today, denied_today, added_at, joined_at, left_at,
  removed_at) ON hookd.hosts TO hookd_viewer;
GRANT SELECT (tenant, name, added_at) ON hookd.viewers TO hookd_viewer;
GRANT SELECT ON hookd.epochs, hookd.sessions, hookd.events, hookd.minutes, hookd.fleet_minutes,
  hookd.claims TO hookd_viewer;
GRANT SELECT (tenant, id, kind, sender, recipient, key_id, created_at, expires_at, received_at)
  ON hookd.items TO hookd_viewer;

GRANT SELECT ON hookd.tenants, hookd.viewers TO hookd_writer;
GRANT SELECT, UPDATE ON hookd.hosts TO hookd_writer;
GRANT SELECT, INSERT, UPDATE ON hookd.epochs, hookd.minutes, hookd.fleet_minutes TO hookd_writer;
GRANT SELECT, INSERT, UPDATE, DELETE ON hookd.sessions TO hookd_writer;
GRANT SELECT, INSERT, DELETE ON hookd.events TO hookd_writer;
GRANT SELECT, INSERT ON hookd.items TO hookd_writer;
GRANT SELECT, DELETE ON hookd.claims TO hookd_writer;

-- Rows. hookd_writer is limited as its caller is.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tenants', 'hosts', 'viewers', 'epochs', 'sessions', 'events',
      'minutes', 'fleet_minutes', 'items', 'claims'] LOOP
    EXECUTE format('ALTER TABLE hookd.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY view ON hookd.%I FOR SELECT TO hookd_viewer'
      ' USING (tenant = (SELECT hookd.current_tenant()))', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['tenants', 'hosts', 'claims'] LOOP
    EXECUTE format('CREATE POLICY read ON hookd.%I FOR SELECT TO hookd_host'
      ' USING (tenant = (SELECT hookd.current_tenant()))', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['epochs', 'sessions', 'events', 'minutes'] LOOP
    EXECUTE format('CREATE POLICY read ON hookd.%I FOR SELECT TO hookd_host'
      ' USING (tenant = (SELECT hookd.current_tenant())'
      ' AND host = (SELECT hookd.current_host()))', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['epochs', 'sessions', 'events', 'minutes', 'claims'] LOOP
    EXECUTE format('CREATE POLICY own ON hookd.%I TO hookd_writer'
      ' USING (tenant = (SELECT hookd.current_tenant())'
      ' AND host = (SELECT hookd.current_host()))', name);
  END LOOP;
END $$;

CREATE POLICY own ON hookd.hosts TO hookd_writer USING (role = session_user::text);
CREATE POLICY own ON hookd.viewers TO hookd_writer USING (role = session_user::text);
CREATE POLICY own ON hookd.fleet_minutes TO hookd_writer
  USING (tenant = (SELECT hookd.current_tenant()));
CREATE POLICY own ON hookd.tenants FOR SELECT TO hookd_writer
  USING (tenant = (SELECT hookd.current_tenant()));
CREATE POLICY read ON hookd.items FOR SELECT TO hookd_host
  USING (tenant = (SELECT hookd.current_tenant()) AND (recipient IS NULL
    OR recipient = (SELECT hookd.current_host()) OR sender = (SELECT hookd.current_host())));
CREATE POLICY own ON hookd.items TO hookd_writer
  USING (tenant = (SELECT hookd.current_tenant()) AND sender = (SELECT hookd.current_host()));
CREATE POLICY send ON hookd.items FOR INSERT TO hookd_host
  WITH CHECK (tenant = (SELECT hookd.current_tenant())
    AND sender = (SELECT hookd.current_host())
    AND kind = 'mail');
CREATE POLICY claim ON hookd.claims TO hookd_host
  USING (tenant = (SELECT hookd.current_tenant()) AND host = (SELECT hookd.current_host()))
  WITH CHECK (tenant = (SELECT hookd.current_tenant()) AND host = (SELECT hookd.current_host()));

-- The functions that hosts write by belong to the role that row level security limits.
GRANT CREATE ON SCHEMA hookd TO hookd_writer;
DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
    WHERE p.pronamespace = 'hookd'::regnamespace
      AND p.proname NOT IN ('maintain', 'maintain_1', 'wake', 'lock_claims_1', 'end_stale',
        'release_items_1', 'free_part') LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO hookd_writer', f);
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA hookd FROM hookd_writer;
