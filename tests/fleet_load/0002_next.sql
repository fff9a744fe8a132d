-- A next schema, for the test: a column, and functions for new clients beside those of older ones.

-- An older client's function sets no value: its events have NULL.
ALTER TABLE hookd.events ADD COLUMN client_schema integer
  DEFAULT nullif(current_setting('hookd.client_schema', true), '')::integer;

CREATE FUNCTION hookd.ingest_2(current_epoch uuid, stream text) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM set_config('hookd.client_schema', '2', true);
  RETURN hookd.ingest_1(current_epoch, stream);
END $$;

CREATE FUNCTION hookd.hello_2(current_epoch uuid, report jsonb) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN hookd.hello_1(current_epoch, report);
END $$;

REVOKE ALL ON FUNCTION hookd.ingest_2(uuid, text), hookd.hello_2(uuid, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hookd.ingest_2(uuid, text), hookd.hello_2(uuid, jsonb) TO hookd_host;
GRANT CREATE ON SCHEMA hookd TO hookd_writer;
ALTER FUNCTION hookd.ingest_2(uuid, text) OWNER TO hookd_writer;
ALTER FUNCTION hookd.hello_2(uuid, jsonb) OWNER TO hookd_writer;
REVOKE CREATE ON SCHEMA hookd FROM hookd_writer;
