"""What a host and a viewer may do at the server, by trying it with their own logins."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from psycopg import Connection, errors

from hookd.central import logins
from hookd.central.connection import connect_async
from hookd.central.errors import CentralError
from hookd.central.shipping import open_store, ship
from support.central import EPOCH, Store, event, line, store
from support.parametrize import parametrize_all
from support.postgres import Cluster

ITEM = (
    "INSERT INTO hookd.items (tenant, id, kind, sender, recipient, body, key_id, signature,"
    " created_at)"
    " VALUES ('{tenant}', '{id}', '{kind}', {sender}, '{recipient}', '{{}}', 'k', 's', 'now')"
)


def item(**more: str) -> str:
    fields = {"tenant": "team", "kind": "mail", "sender": "'alpha'", "recipient": "beta"}
    return ITEM.format(id=uuid.uuid4(), **(fields | more))


def rows_of(table: str) -> str:
    if table == "tenants":  # it has a column that no statement may set
        return "INSERT INTO hookd.tenants (tenant) VALUES ('mine')"
    return f"INSERT INTO hookd.{table} SELECT * FROM hookd.{table}"


@dataclass
class Team:
    """Hosts alpha and beta of a team, gamma of another, and the team's viewer, all with rows."""

    store: Store
    alpha: logins.Login
    beta: logins.Login
    gamma: logins.Login
    viewer: logins.Login


@pytest.fixture(scope="module")
def team(postgres: Cluster) -> Iterator[Team]:
    with store(postgres) as made:
        made.add_tenant("team")
        made.add_tenant("others")
        hosts = [made.add_host(*names) for names in HOSTS]
        whole = Team(made, *hosts, logins.add_viewer(made.admin, "team", "screen"))
        fill(whole)
        yield whole


HOSTS = (("team", "alpha"), ("team", "beta"), ("others", "gamma"))


def fill(team: Team) -> None:
    for login, (tenant, host) in zip((team.alpha, team.beta, team.gamma), HOSTS, strict=True):
        with team.store.login(login) as connection, connection.transaction():
            connection.execute("SELECT hookd.open_batch_1()")
            with connection.cursor().copy("COPY pg_temp.hookd_batch FROM STDIN") as copy:
                copy.write(event(1) + line(2, "session", {"session": 1}))
            connection.execute("SELECT hookd.ingest_1(%s, 'changes')", [EPOCH])
            team.store.admin.execute(
                "INSERT INTO hookd.fleet_minutes VALUES (%s, now(), '', 1, 1)"
                " ON CONFLICT DO NOTHING",
                [tenant],
            )
            connection.execute(
                "INSERT INTO hookd.claims (tenant, repository, pattern, host, claim)"
                " VALUES (%s, 'r', %s, %s, 1)",
                [tenant, f"{host}/**", host],
            )
            mail = item(tenant=tenant, sender=f"'{host}'", recipient="alpha")
            connection.execute(mail.encode())


FORBIDDEN = [
    # Rows of others, and its own without the functions.
    *(rows_of(name) for name in ("events", "sessions", "minutes", "epochs", "hosts", "tenants")),
    *(rows_of(name) for name in ("fleet_minutes", "viewers", "meta")),
    "INSERT INTO hookd.events (tenant, host, epoch, event_id, received_at, at, event)"
    " VALUES ('team', 'beta', 1, 9, now(), now(), 'Stop')",
    "UPDATE hookd.hosts SET public_key = 'mine'",
    "UPDATE hookd.tenants SET rows_per_minute = 2000000000",
    "UPDATE hookd.epochs SET last_event = 0",
    "UPDATE hookd.sessions SET status = 'done'",
    "UPDATE hookd.items SET body = 'other'",
    "UPDATE hookd.claims SET host = 'beta'",
    "DELETE FROM hookd.events",
    "DELETE FROM hookd.items",
    "DELETE FROM hookd.hosts",
    "TRUNCATE hookd.events",
    "COPY hookd.events FROM STDIN",
    "COPY hookd.sessions FROM STDIN",
    "COPY hookd.items FROM STDIN",
    "SELECT * FROM hookd.events_1",
    # Items in the name of another host, of the fleet key, of another tenant, out of order.
    item(sender="'beta'"),
    item(sender="NULL"),
    item(tenant="others"),
    item(tenant="others", sender="'gamma'"),
    *(item(kind=kind) for kind in ("rules", "pause", "resume", "key", "claim", "other")),
    item(sender="NULL", kind="rules"),
    item().replace("created_at)", "created_at, xid)").replace("'now')", "'now', '3')"),
    item().replace("created_at)", "created_at, received_at)").replace("'now')", "'now', now())"),
    "INSERT INTO hookd.claims (tenant, repository, pattern, host, claim)"
    " VALUES ('team', 'r', 'x', 'beta', 1)",
    "INSERT INTO hookd.claims (tenant, repository, pattern, host, claim)"
    " VALUES ('others', 'r', 'x', 'alpha', 1)",
    # Columns and tables that are not for hosts.
    "SELECT role FROM hookd.hosts",
    "SELECT rate_rows FROM hookd.hosts",
    "SELECT mode, accepts, last_seen FROM hookd.hosts",
    "SELECT * FROM hookd.viewers",
    "SELECT rolpassword FROM pg_authid",
    "SET temp_file_limit = -1",
    # Locks by which it could stop others.
    "LOCK TABLE hookd.claims IN ACCESS EXCLUSIVE MODE",
    "LOCK TABLE hookd.items IN ROW EXCLUSIVE MODE",
    "SELECT FROM hookd.tenants FOR KEY SHARE",
    "SELECT FROM hookd.hosts WHERE host = 'beta' FOR KEY SHARE",
    "SELECT pg_advisory_lock(7466100001)",
    "SELECT pg_try_advisory_xact_lock_shared(1, 2)",
    "DELETE FROM hookd.claims",
    # Another role, and its functions.
    "SET ROLE hookd_owner",
    "SET ROLE hookd_writer",
    "SET ROLE hookd_viewer",
    "SET SESSION AUTHORIZATION postgres",
    "GRANT hookd_owner TO CURRENT_USER",
    "SELECT hookd.lock_host()",
    "SELECT hookd.maintain('others', current_date + 9999)",
    "SELECT hookd.forget(NULL, NULL, 'c', '{}', '{}', '{}')",
    "SELECT hookd.count_sessions(NULL)",
    "SELECT hookd.spend_rows(NULL, -1, -1)",
    "SELECT hookd.end_stale('0')",
    "SELECT hookd.short('1')",
    "SELECT hookd.as_time('now')",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename <> current_user",
    "SELECT pg_read_file('/etc/passwd')",
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "SELECT lo_create(0)",
    "SELECT lo_from_bytea(0, 'x')",
    # Objects of its own, with which code of others could be made to call its functions.
    "CREATE SCHEMA mine",
    "CREATE TABLE hookd.mine (n int)",
    "CREATE TABLE public.mine (n int)",
    "CREATE TEMPORARY TABLE mine (n int)",
    "CREATE FUNCTION pg_temp.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL'",
    "CREATE FUNCTION hookd.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE ROLE mine",
    "ALTER TABLE hookd.events DISABLE ROW LEVEL SECURITY",
    "DROP POLICY own ON hookd.events",
    # The table of its batches, which belongs to the functions.
    "SELECT * FROM pg_temp.hookd_batch",
    "DROP TABLE pg_temp.hookd_batch",
    "ALTER TABLE pg_temp.hookd_batch ADD COLUMN more int",
    "CREATE TRIGGER t BEFORE INSERT ON pg_temp.hookd_batch"
    " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
]


@parametrize_all("statement", FORBIDDEN)
def test_a_host_is_refused(team: Team, statement: str) -> None:
    with team.store.login(team.alpha) as alpha:
        alpha.execute("SELECT hookd.open_batch_1()")
        alpha.execute("SET search_path = hookd, pg_temp, public")
        with pytest.raises(errors.InsufficientPrivilege), alpha.transaction():
            alpha.execute(statement.encode())


@parametrize_all(
    ("query", "seen"),
    [
        ("SELECT DISTINCT tenant, host FROM hookd.events", {("team", "alpha")}),
        ("SELECT DISTINCT tenant, host FROM hookd.sessions", {("team", "alpha")}),
        ("SELECT DISTINCT tenant, host FROM hookd.minutes", {("team", "alpha")}),
        ("SELECT DISTINCT tenant, host FROM hookd.epochs", {("team", "alpha")}),
        ("SELECT tenant, host FROM hookd.hosts", {("team", "alpha"), ("team", "beta")}),
        ("SELECT tenant, host FROM hookd.claims", {("team", "alpha"), ("team", "beta")}),
        ("SELECT tenant FROM hookd.tenants", {("team",)}),
        ("SELECT tenant, sender FROM hookd.items", {("team", "alpha"), ("team", "beta")}),
    ],
)
def test_a_host_sees_what_concerns_it(team: Team, query: str, seen: set[Any]) -> None:
    with team.store.login(team.alpha) as alpha:
        assert set(alpha.execute(query.encode()).fetchall()) == seen


def test_mail_to_another_host_is_not_seen(team: Team) -> None:
    with team.store.login(team.beta) as beta:
        senders = beta.execute("SELECT sender FROM hookd.items WHERE recipient <> 'beta'")
        assert senders.fetchall() == [("beta",)]


@parametrize_all(
    "statement",
    [
        "SELECT hookd.end_claims_1('r', '{1}')",
        "UPDATE hookd.claims SET expires_at = now() WHERE host <> 'alpha'",
    ],
)
def test_claims_of_another_host_are_out_of_reach(team: Team, statement: str) -> None:
    with team.store.login(team.alpha) as alpha, alpha.transaction(force_rollback=True):
        alpha.execute(statement.encode())
        left = alpha.execute("SELECT FROM hookd.claims WHERE host = 'beta' AND expires_at > now()")
        assert left.rowcount == 1


def test_an_item_of_a_host_names_its_recipient(team: Team) -> None:
    with team.store.login(team.alpha) as alpha, pytest.raises(errors.CheckViolation):
        alpha.execute(item().replace("'beta'", "NULL").encode())


async def test_rows_that_name_another_host_are_stored_for_their_sender(team: Team) -> None:
    login = team.store.add_host("team", "delta")
    forged = event(1, host="beta", tenant="others") + line(2, "forget", {"sessions": [1]})
    async with await connect_async(team.store.address(login), login.password) as delta:
        await open_store(delta)
        await ship(delta, EPOCH, "changes", event(3, session=9, host="beta", tenant="others"))
        await ship(delta, EPOCH, "changes", forged)
    rows = "SELECT tenant, host, count(*) FROM hookd.events GROUP BY 1, 2 ORDER BY 1, 2"
    assert team.store.rows(rows) == [
        ("others", "gamma", 1),
        ("team", "alpha", 1),
        ("team", "beta", 1),
        ("team", "delta", 1),
    ]


def test_a_table_in_place_of_the_batch_is_refused(team: Team) -> None:
    """Were a host allowed temporary objects, its own view would run as the writer."""
    team.store.admin.execute(f"GRANT TEMPORARY ON DATABASE {team.store.name} TO hookd_host")
    try:
        with team.store.login(team.alpha) as alpha:
            alpha.execute(
                "CREATE TEMPORARY VIEW hookd_batch AS SELECT 1::bigint AS seq, 'left' AS kind,"
                " now() AS at, '{}'::jsonb AS body"
            )
            with pytest.raises(psycopg.Error):
                alpha.execute("SELECT hookd.open_batch_1()")
            with pytest.raises(psycopg.Error) as refused:
                alpha.execute("SELECT hookd.ingest_1(%s, 'changes')", [EPOCH])
            assert refused.value.sqlstate == "HK002"
    finally:
        team.store.admin.execute(f"REVOKE TEMPORARY ON DATABASE {team.store.name} FROM hookd_host")


async def test_functions_of_the_caller_are_not_called(team: Team) -> None:
    """Even with temporary functions and a search path of its own."""
    team.store.admin.execute(f"GRANT TEMPORARY ON DATABASE {team.store.name} TO hookd_host")
    try:
        login = team.store.add_host("team", "epsilon")
        async with await connect_async(team.store.address(login), login.password) as host:
            for name, result in (
                ("count", "bigint"),
                ("now", "timestamptz"),
                ("current_host", "text"),
            ):
                await host.execute(
                    f"CREATE FUNCTION pg_temp.{name}() RETURNS {result} LANGUAGE plpgsql"
                    " AS 'BEGIN RAISE EXCEPTION ''called''; END'".encode()
                )
            await host.execute("SET search_path = pg_temp, pg_catalog")
            await open_store(host)
            assert await ship(host, EPOCH, "events", event(1)) == 1
    finally:
        team.store.admin.execute(f"REVOKE TEMPORARY ON DATABASE {team.store.name} FROM hookd_host")


def test_items_an_hour_are_limited(team: Team) -> None:
    with team.store.login(team.beta) as beta:
        team.store.admin.execute("UPDATE hookd.tenants SET items_per_hour = 3")
        try:
            team.store.admin.execute("UPDATE hookd.hosts SET rate_items = 0")
            for _ in range(3):
                beta.execute(item(sender="'beta'").encode())
            with pytest.raises(psycopg.Error, match="3 items an hour"):
                beta.execute(item(sender="'beta'").encode())
        finally:
            team.store.admin.execute("UPDATE hookd.tenants SET items_per_hour = 600")


def test_an_item_wakes_those_of_its_tenant(team: Team) -> None:
    (channel,) = team.store.rows(
        "SELECT 'hookd_items_' || number FROM hookd.tenants WHERE tenant = 'team'"
    )[0]
    with team.store.login(team.alpha) as alpha:
        alpha.execute(f"LISTEN {channel}".encode())
        team.store.admin.execute(item(sender="NULL", kind="rules").encode())
        (heard,) = alpha.notifies(timeout=10, stop_after=1)
        assert (heard.channel, heard.payload) == (channel, "")


VIEWS = (
    *("hosts", "sessions", "events", "minutes", "fleet_minutes", "claims", "items", "tenants"),
    "epochs",
)


def columns(viewer: Connection[Any], table: str) -> str:
    found = viewer.execute(
        "SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute"
        " WHERE attrelid = %s::regclass AND attnum > 0 AND has_column_privilege(attrelid, attnum,"
        " 'SELECT')",
        [f"hookd.{table}"],
    ).fetchone()
    assert found
    return str(found[0])


@parametrize_all("table", VIEWS)
def test_a_viewer_reads_its_tenant(team: Team, table: str) -> None:
    with team.store.login(team.viewer) as viewer:
        query = f"SELECT {columns(viewer, table)} FROM hookd.{table}"
        assert viewer.execute(query.encode()).fetchall()
        tenants = viewer.execute(f"SELECT DISTINCT tenant FROM hookd.{table}".encode())
        assert tenants.fetchall() == [("team",)]


@parametrize_all(
    "statement",
    [
        *(f"DELETE FROM hookd.{table}" for table in VIEWS),
        *(f"UPDATE hookd.{table} SET tenant = 'team'" for table in VIEWS),
        *(rows_of(table) for table in VIEWS),
        item(),
        item(sender="NULL", kind="rules"),
        "SELECT body FROM hookd.items",
        "SELECT signature FROM hookd.items",
        "SELECT role FROM hookd.hosts",
        "SELECT role FROM hookd.viewers",
        "SELECT hookd.open_batch_1()",
        f"SELECT hookd.ingest_1('{EPOCH}', 'events')",
        f"SELECT hookd.hello_1('{EPOCH}', '{{}}')",
        "SELECT hookd.maintain_1()",
        "SET ROLE hookd_host",
        "CREATE TEMPORARY TABLE mine (n int)",
    ],
)
def test_a_viewer_changes_nothing(team: Team, statement: str) -> None:
    with (
        team.store.login(team.viewer) as viewer,
        pytest.raises(errors.InsufficientPrivilege),
    ):
        viewer.execute(statement.encode())


def test_a_login_of_another_group_has_no_rights(team: Team) -> None:
    """A member of hookd_host has none either, while no row of hosts names it."""
    with team.store.admin.transaction(force_rollback=True):
        team.store.admin.execute("CREATE ROLE stranger LOGIN IN ROLE hookd_host")
        team.store.admin.execute("SET LOCAL SESSION AUTHORIZATION stranger")
        for table in ("hosts", "events", "items", "claims"):
            assert team.store.rows(f"SELECT tenant FROM hookd.{table}") == []
        assert team.store.rows("SELECT hookd.maintain_1()") == [(None,)]
        with pytest.raises(psycopg.Error) as refused, team.store.admin.transaction():
            team.store.admin.execute("SELECT hookd.hello_1(%s, '{}')", [EPOCH])
        assert refused.value.sqlstate == "HK003"


async def test_a_removed_host_ships_nothing(team: Team) -> None:
    login = team.store.add_host("team", "zeta")
    async with await connect_async(team.store.address(login), login.password) as zeta:
        await open_store(zeta)
        logins.remove_host(team.store.admin, "team", "zeta")
        with pytest.raises(CentralError):
            await ship(zeta, EPOCH, "events", event(1))
