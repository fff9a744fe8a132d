"""Create or update the schema of the central store, as its administrator."""

from importlib import resources
from typing import Any

import psycopg
from psycopg import Connection, errors, sql

from hookd.central.connection import SCHEMA_VERSION
from hookd.central.errors import CentralError, NewerSchemaError

LOCK = 7_466_100_001
"""Advisory lock of migrations: one at a time in a database."""

OLDEST_SERVER = 140_000

_ROLES = ("hookd_owner", "hookd_writer", "hookd_host", "hookd_viewer")

_ADVISORY_LOCKS = """\
DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT oid::regprocedure FROM pg_catalog.pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace
      AND proname ~ '^pg_(try_)?advisory_(xact_)?lock(_shared)?$' LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO hookd_owner', f);
  END LOOP;
END $$"""


def migrate(connection: Connection[Any], *, schema_version: int = SCHEMA_VERSION) -> list[str]:
    """Bring the schema up to date; return the steps that were applied, such as `0001_fleet`.

    One transaction: it is applied as a whole, or not at all. Raise CentralError for a server that
    is too old or not in UTF-8, NewerSchemaError for a schema of a newer hookd.
    """
    _check_server(connection)
    try:
        with connection.transaction():
            return _migrate(connection, schema_version)
    except (errors.UniqueViolation, errors.DuplicateObject):
        # Roles are shared by all databases: another one may have created them meanwhile.
        with connection.transaction():
            return _migrate(connection, schema_version)


def _check_server(connection: Connection[Any]) -> None:
    version = connection.info.server_version
    if version < OLDEST_SERVER:
        raise CentralError(
            f"The server is PostgreSQL {version // 10_000}; hookd needs 14 or later.",
            "upgrade PostgreSQL",
        )
    encoding = _value(connection, "SELECT current_setting('server_encoding')")
    if encoding != "UTF8":
        raise CentralError(
            f"The database is in {encoding}; hookd needs UTF8.",
            "createdb --encoding UTF8 --template template0 NAME",
        )


def _migrate(connection: Connection[Any], target: int) -> list[str]:
    connection.execute("SET LOCAL lock_timeout = '1min'")
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    done = _version(connection)
    if done > target:
        raise NewerSchemaError(
            f"The central store has schema {done}; this hookd knows {target}.", "upgrade hookd"
        )
    if not done:
        _create(connection)
    applied = []
    connection.execute("SET LOCAL ROLE hookd_owner")
    connection.execute("SET LOCAL client_min_messages = warning")
    for number, name, text in _steps():
        if done < number <= target:
            connection.execute(text)
            connection.execute("UPDATE hookd.meta SET schema_version = %s", [number])
            applied.append(name)
    # After a restore of a dump, transactions may count from a lower number.
    connection.execute(
        "UPDATE hookd.items SET xid = pg_current_xact_id() WHERE xid > pg_current_xact_id()"
    )
    connection.execute("RESET ROLE")
    return applied


def _version(connection: Connection[Any]) -> int:
    if _value(connection, "SELECT to_regclass('hookd.meta')") is None:
        return 0
    return int(_value(connection, "SELECT schema_version FROM hookd.meta"))


def _create(connection: Connection[Any]) -> None:
    """Create the roles, the schema and its table of versions; limit what everybody may do."""
    if _value(connection, "SELECT to_regnamespace('hookd')") is not None:
        raise CentralError(
            "The database has a schema named hookd, which is no central store.",
            "use a database of its own: createdb NAME",
        )
    present = {row[0] for row in connection.execute("SELECT rolname FROM pg_roles")}
    for role in _ROLES:
        if role not in present:
            connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))
    connection.execute("GRANT hookd_owner TO CURRENT_USER")
    connection.execute("GRANT hookd_writer TO hookd_owner")
    database = sql.Identifier(connection.info.dbname)
    for statement in (
        "CREATE SCHEMA hookd AUTHORIZATION hookd_owner",
        "REVOKE ALL ON DATABASE {} FROM PUBLIC",
        "GRANT CONNECT ON DATABASE {} TO hookd_host, hookd_viewer",
        "GRANT TEMPORARY ON DATABASE {} TO hookd_writer",
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "ALTER DATABASE {} SET timezone = 'UTC'",
        "SET LOCAL ROLE hookd_owner",
        "CREATE TABLE hookd.meta (one boolean PRIMARY KEY DEFAULT true CHECK (one),"
        " schema_version integer NOT NULL, oldest_client integer NOT NULL)",
        "INSERT INTO hookd.meta (schema_version, oldest_client) VALUES (0, 1)",
        "RESET ROLE",
    ):
        connection.execute(sql.SQL(statement).format(database))
    if _value(connection, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"):
        # Large objects have no owner's quota; only a superuser can keep others from making them.
        connection.execute(
            "REVOKE EXECUTE ON FUNCTION pg_catalog.lo_create(oid), pg_catalog.lo_creat(integer),"
            " pg_catalog.lo_from_bytea(oid, bytea) FROM PUBLIC"
        )
        # Nor has an advisory lock an owner: a host could hold those of others.
        connection.execute(_ADVISORY_LOCKS)


def _steps() -> list[tuple[int, str, bytes]]:
    """Return the number, the name and the text of each step, in order."""
    folder = resources.files("hookd.central") / "migrations"
    names = sorted(one.name for one in folder.iterdir() if one.name.endswith(".sql"))
    return [
        (int(name[:4]), name.removesuffix(".sql"), (folder / name).read_bytes()) for name in names
    ]


def _value(connection: Connection[Any], query: str) -> Any:
    row = connection.execute(query.encode()).fetchone()
    if row is None:
        raise psycopg.DataError("a query had no row")
    return row[0]
