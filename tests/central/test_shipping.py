"""Rows of the outbox: applied once, a rejected one named, a forgotten session deleted."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from hookd.central.connection import connect_async
from hookd.central.errors import (
    CentralError,
    NewerSchemaError,
    RejectedError,
    TooManyError,
    UnreachableError,
)
from hookd.central.shipping import hello, open_store, ship
from support.central import EPOCH, Store, event, line

Connection = psycopg.AsyncConnection[Any]


@asynccontextmanager
async def host_of(central: Store) -> AsyncIterator[tuple[Connection, str]]:
    """A connection of a host in a tenant of its own; yield it with both names' text."""
    name = f"t{uuid.uuid4().hex[:12]}"
    central.add_tenant(name)
    login = central.add_host(name, "alpha")
    async with await connect_async(central.address(login), login.password) as connection:
        await open_store(connection)
        yield connection, name


def count(central: Store, table: str, tenant: str) -> int:
    return int(central.rows(f"SELECT count(*) FROM hookd.{table} WHERE tenant = '{tenant}'")[0][0])


async def test_rows_that_are_sent_twice_are_applied_once(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        assert await ship(host, EPOCH, "changes", event(1) + event(2)) == 2
        assert (
            await ship(host, EPOCH, "changes", event(1) + event(2) + event(3, decision="deny")) == 3
        )
        assert await ship(host, EPOCH, "changes", event(2)) == 3
        assert count(central, "events", tenant) == 3
        summed = (
            "SELECT decision, sum(count)::int FROM hookd.minutes WHERE tenant = '{}' GROUP BY 1"
        )
        assert sorted(central.rows(summed.format(tenant))) == [("allow", 2), ("deny", 1)]
        today = "SELECT events_today, denied_today FROM hookd.hosts WHERE tenant = '{}'"
        assert central.rows(today.format(tenant)) == [(3, 1)]


async def test_a_batch_is_applied_as_a_whole_or_not_at_all(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        with pytest.raises(RejectedError):
            await ship(host, EPOCH, "changes", event(1) + line(2, "event", {}))
        assert count(central, "events", tenant) == 0
        assert await ship(host, EPOCH, "changes", event(1)) == 1


async def test_events_and_other_changes_have_numbers_of_their_own(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        session = line(1, "session", {"session": 1})
        assert await ship(host, EPOCH, "events", event(1) + event(3)) == 3
        assert await ship(host, EPOCH, "changes", session + line(2, "event", LATE)) == 2
        assert await ship(host, EPOCH, "changes", line(2, "event", LATE)) == 2
        assert await ship(host, EPOCH, "events", event(3) + event(4)) == 4
        found = "SELECT event_id FROM hookd.events WHERE tenant = '{}' ORDER BY 1"
        assert central.rows(found.format(tenant)) == [(1,), (2,), (3,), (4,)]
        state = await hello(host, EPOCH, {})
        assert (state["last_change"], state["last_event"]) == (2, 4)
        with pytest.raises(RejectedError) as refused:
            await ship(host, EPOCH, "events", event(5) + line(6, "session", {"session": 2}))
        assert refused.value.seq == 6


LATE = {"event_id": 2, "event": "Stop", "session": 1}
BAD = [
    line(7, "other", {}),
    line(7, "event", []),
    line(7, "event", None),
    line(7, "event", {"event": 1, "event_id": 7}),
    line(7, "event", {"event": "x" * 101, "event_id": 7}),
    line(7, "event", {"event": "Stop", "event_id": "1"}),
    line(7, "event", {"event": "Stop"}),
    line(7, "event", {"event": "Stop", "event_id": 7}, at="yesterday evening"),
    line(7, "event", {"event": "Stop", "event_id": 7}, at="9999-01-01T00:00:00Z"),
    line(7, "event", {"event": "a\0b", "event_id": 7}),
    line(7, "event", {"event": "Stop", "event_id": 7, "detail": "x" * 1_100_000}),
    line(7, "session", {"conversation": "c"}),
    line(7, "forget", {}),
    line(7, "mail", {"id": "1"}),
    b"7\tevent\t2026-01-02T03:04:05Z\t{no json\n",
    b"7\tevent\t2026-01-02T03:04:05Z\n",
]


async def test_a_row_that_the_store_rejects_is_named(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        for bad in BAD:
            with pytest.raises(RejectedError) as refused:
                await ship(host, EPOCH, "changes", event(6) + bad + event(8))
            assert refused.value.seq == 7, (bad[:80], refused.value)
        assert await ship(host, EPOCH, "changes", event(6) + event(8)) == 8
        assert count(central, "events", tenant) == 2


async def test_a_session_is_one_row_with_its_last_state(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        body = {"session": 4, "conversation": "c", "status": "working", "agent": "ann"}
        lines = line(1, "session", body) + line(2, "session", body | {"status": "attention"})
        await ship(host, EPOCH, "changes", lines + line(3, "session", None))
        state = "SELECT number, status FROM hookd.sessions WHERE tenant = '{}'"
        assert central.rows(state.format(tenant)) == [(4, "attention")]
        counted = "SELECT open_sessions, attention FROM hookd.hosts WHERE tenant = '{}'"
        assert central.rows(counted.format(tenant)) == [(1, 1)]
        ended = body | {"ended_at": "2026-01-02T03:04:05.678Z"}
        await ship(host, EPOCH, "changes", line(4, "session", ended))
        assert central.rows(counted.format(tenant)) == [(0, 0)]


TIMES = {
    "2026-01-31T08:00:00.123Z": "2026-01-31 08:00:00.123+00",
    "2026-02-28T23:59:59.999Z": "2026-02-28 23:59:59.999+00",
    "1970-01-01T00:00:00.000Z": "1970-01-01 00:00:00+00",
    "2026-01-02T03:04:05Z": "2026-01-02 03:04:05+00",
    **dict.fromkeys(("2026-02-30T08:00:00.000Z", "2026-13-01T08:00:00.000Z")),
    **dict.fromkeys(("2026-00-01T08:00:00.000Z", "2026-01-00T08:00:00.000Z")),
    **dict.fromkeys(("2026-01-01T24:30:00.000Z", "2026-01-01T08:60:00.000Z")),
    **dict.fromkeys(("1969-12-31T23:59:59.000Z", "2200-01-02T00:00:00.000Z")),
    **dict.fromkeys(("0000-01-01T00:00:00.000Z", "2026-01-01T08:00:00.000X")),
    **dict.fromkeys(("now", "infinity", "")),
    "\uff12026-01-01T08:00:00.000Z": None,
}  # fmt: skip


@pytest.mark.parametrize("text", TIMES)
def test_a_time_is_read_or_unknown(central: Store, text: str) -> None:
    with central.admin.transaction():
        central.admin.execute("SET LOCAL timezone = 'UTC'")
        row = central.admin.execute("SELECT hookd.as_time(%s)::text", [text]).fetchone()
    assert row == (TIMES[text],)


async def test_a_new_epoch_begins_again_and_an_old_one_continues(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        await ship(host, EPOCH, "changes", event(1) + line(2, "session", {"session": 1}))
        other = str(uuid.uuid4())
        assert (await hello(host, other, {}))["last_change"] == 0
        assert await ship(host, other, "changes", event(1)) == 1
        still = "SELECT count(*) FROM hookd.sessions WHERE ended_at IS NULL AND tenant = '{}'"
        assert central.rows(still.format(tenant)) == [(0,)]
        assert await ship(host, EPOCH, "changes", event(1)) == 2
        assert count(central, "events", tenant) == 2


async def test_a_session_that_is_sent_in_another_epoch_is_there_once(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        one, other = ({"session": 1, "conversation": name} for name in ("c1", "c2"))
        lines = line(1, "session", one) + line(2, "session", {"session": 2})
        await ship(host, EPOCH, "changes", lines)
        later = str(uuid.uuid4())
        await ship(host, later, "changes", line(1, "session", one))
        found = "SELECT epoch, number FROM hookd.sessions WHERE tenant = '{}' ORDER BY 1, 2"
        assert central.rows(found.format(tenant)) == [(1, 2), (2, 1)]
        await ship(host, str(uuid.uuid4()), "changes", line(1, "session", other))
        assert central.rows(found.format(tenant)) == [(1, 2), (2, 1), (3, 1)], "another session"


async def test_forget_deletes_the_sessions_rows_of_this_host_only(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        login = central.add_host(tenant, "beta")
        lines = event(1) + event(2, session=2) + line(3, "session", {"session": 1})
        lines += event(4, session=None, conversation="gone") + event(5, session=None)
        await ship(host, EPOCH, "changes", lines)
        async with await connect_async(central.address(login), login.password) as beta:
            await open_store(beta)
            await ship(beta, EPOCH, "changes", lines)
            forgotten = line(6, "forget", {"sessions": [1], "events": [5]})
            await ship(
                host, EPOCH, "changes", forgotten + line(7, "forget", {"conversation": "gone"})
            )
        assert count(central, "sessions", tenant) == 1
        left = "SELECT host, event_id FROM hookd.events WHERE tenant = '{}' ORDER BY 1, 2"
        assert central.rows(left.format(tenant)) == [
            *[("alpha", 2)],
            *[("beta", number) for number in (1, 2, 4, 5)],
        ]


async def test_leaving_ends_sessions_and_claims(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        await ship(host, EPOCH, "changes", line(1, "session", {"session": 1}))
        await host.execute(
            "INSERT INTO hookd.claims (tenant, repository, pattern, host, claim)"
            " VALUES (%s, 'r', 'a/**', 'alpha', 1)",
            [tenant],
        )
        await ship(host, EPOCH, "changes", line(2, "left", {}))
        assert count(central, "claims", tenant) == 0
        state = "SELECT open_sessions, left_at IS NULL FROM hookd.hosts WHERE tenant = '{}'"
        assert central.rows(state.format(tenant)) == [(0, False)]
        await hello(host, EPOCH, {"leaving": True})
        assert central.rows(state.format(tenant)) == [(0, False)]
        await hello(host, EPOCH, {})
        assert central.rows(state.format(tenant)) == [(0, True)]


async def test_mail_is_stored_once_with_its_sender(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        item = {
            "id": str(uuid.uuid4()),
            "sender": "beta",
            "recipient": "beta",
            "body": "{}",
            "key_id": "k",
            "signature": "s",
            "created_at": "2026-01-02T03:04:05.678Z",
        }
        await ship(host, EPOCH, "changes", line(1, "mail", item) + line(2, "mail", item))
        rows = "SELECT kind, sender, recipient FROM hookd.items WHERE tenant = '{}'"
        assert central.rows(rows.format(tenant)) == [("mail", "alpha", "beta")]


async def test_a_heartbeat_stores_the_clock_and_says_what_the_store_has(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        await ship(host, EPOCH, "changes", line(5, "session", {"session": 1, "tool_calls": 1}))
        session = {"session": 1, "last_event_at": "2026-02-01T00:00:00Z", "tool_calls": 2}
        report = {"at": "2020-01-01T00:00:00Z", "mode": "status", "version": "1"}
        report |= {"accepts": ["mail"], "sessions": [session, {"session": 9}, {"session": "x"}]}
        state = await hello(host, EPOCH, report)
        assert (state["tenant"], state["host"], state["last_change"]) == (tenant, "alpha", 5)
        seen = "SELECT clock_offset_ms < -10^10, mode, accepts FROM hookd.hosts WHERE tenant = '{}'"
        assert central.rows(seen.format(tenant)) == [(True, "status", ["mail"])]
        seen = "SELECT last_event_at::date::text, state->'tool_calls' FROM hookd.sessions"
        assert central.rows(f"{seen} WHERE tenant = '{tenant}'") == [("2026-02-01", 2)]


async def test_a_store_that_no_longer_serves_this_hookd_says_so(central: Store) -> None:
    async with host_of(central) as (host, _):
        central.admin.execute("UPDATE hookd.meta SET oldest_client = 2")
        with pytest.raises(NewerSchemaError, match="too old"):
            await hello(host, EPOCH, {})
        central.admin.execute("UPDATE hookd.meta SET oldest_client = 1")


async def test_a_store_that_is_older_than_this_hookd_says_so(central: Store) -> None:
    async with host_of(central) as (host, _):
        rename = "ALTER FUNCTION hookd.hello_{}(uuid, jsonb) RENAME TO hello_{}"
        central.admin.execute(rename.format(1, 0).encode())
        try:
            with pytest.raises(CentralError, match="older than this hookd") as refused:
                await hello(host, EPOCH, {})
        finally:
            central.admin.execute(rename.format(0, 1).encode())
        assert "init-db" in refused.value.step


async def test_rows_a_minute_are_limited(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        central.admin.execute(
            "UPDATE hookd.tenants SET rows_per_minute = 2 WHERE tenant = %s", [tenant]
        )
        with pytest.raises(TooManyError, match="2 rows a minute"):
            await ship(host, EPOCH, "changes", event(1) + event(2) + event(3))
        assert await ship(host, EPOCH, "changes", event(1) + event(2)) == 2


async def test_bytes_a_minute_are_limited(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        limit = "UPDATE hookd.tenants SET bytes_per_minute = 1048576 WHERE tenant = %s"
        central.admin.execute(limit, [tenant])
        # Other texts in each row: what repeats takes little room.
        texts = [[str(uuid.uuid4()) for _ in range(2_000)] for _ in range(15)]
        rows = [event(number, detail=text) for number, text in enumerate(texts, 1)]
        with pytest.raises(TooManyError, match="1048576 bytes a minute"):
            await ship(host, EPOCH, "events", b"".join(rows))
        assert await ship(host, EPOCH, "events", b"".join(rows[:10])) == 10
        with pytest.raises(TooManyError):
            await ship(host, EPOCH, "events", b"".join(rows[10:]))


async def test_a_connection_that_another_one_has_replaced_brings_nothing(central: Store) -> None:
    """Its events may have been forgotten meanwhile."""
    tenant = f"t{uuid.uuid4().hex[:12]}"
    central.add_tenant(tenant)
    login = central.add_host(tenant, "alpha")
    address = (central.address(login), login.password)
    async with await connect_async(*address) as lost, await connect_async(*address) as fresh:
        for connection in (lost, fresh):
            await open_store(connection)
            await hello(connection, EPOCH, {})
        with pytest.raises(CentralError, match="another connection of host alpha sends now"):
            await ship(lost, EPOCH, "events", event(1))
        assert await ship(fresh, EPOCH, "events", event(2)) == 2
        await hello(lost, EPOCH, {})
        assert await ship(lost, EPOCH, "events", event(3)) == 3


async def test_a_connection_that_ends_is_no_rejection(central: Store) -> None:
    async with host_of(central) as (host, _):
        central.admin.execute("SELECT pg_terminate_backend(%s)", [host.info.backend_pid])
        with pytest.raises(UnreachableError):
            await ship(host, EPOCH, "changes", event(1))


async def test_partitions_past_the_retention_are_dropped(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        await ship(host, EPOCH, "changes", event(1))
        number = central.rows(f"SELECT number FROM hookd.tenants WHERE tenant = '{tenant}'")[0][0]
        parts = f"SELECT count(*) FROM pg_class WHERE relname ~ '^events_{number}_[0-9]+$'"
        before = central.rows(parts)[0][0]
        later = f"SELECT hookd.maintain('{tenant}', current_date + 40)"
        assert central.rows(later)[0][0] == 2 * before
        assert count(central, "events", tenant) == 0
        assert central.rows(parts) == [(before,)]


async def test_the_time_zone_of_a_login_deletes_nothing(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        central.admin.execute(
            "INSERT INTO hookd.fleet_minutes SELECT %s,"
            " date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '1 day',"
            " '', 1, 1",
            [tenant],
        )
        await host.execute("SET timezone = 'Etc/GMT+12'")
        await host.execute("SELECT hookd.maintain_1()")
        assert count(central, "fleet_minutes", tenant) == 1


async def test_a_day_without_a_partition_gets_one(central: Store) -> None:
    async with host_of(central) as (host, tenant):
        number = central.rows(f"SELECT number FROM hookd.tenants WHERE tenant = '{tenant}'")[0][0]
        names = f"SELECT relname FROM pg_class WHERE relname ~ '^(events|minutes)_{number}_[0-9]+$'"
        for (name,) in central.rows(f"{names} AND relkind = 'r'"):
            central.admin.execute(f"DROP TABLE hookd.{name}")
        assert await ship(host, EPOCH, "changes", event(1)) == 1
        assert count(central, "events", tenant) == 1


async def test_a_busy_table_keeps_its_old_partitions_and_gets_new_ones(central: Store) -> None:
    async with host_of(central) as (_, tenant):
        number = central.rows(f"SELECT number FROM hookd.tenants WHERE tenant = '{tenant}'")[0][0]
        parts = f"SELECT count(*) FROM pg_class WHERE relname ~ '^events_{number}_[0-9]+$'"
        before = central.rows(parts)[0][0]
        with central.cluster.admin(central.name) as other, other.transaction():
            other.execute(f"LOCK TABLE hookd.events_{number} IN ROW EXCLUSIVE MODE")
            later = f"SELECT hookd.maintain('{tenant}', current_date + 40)"
            assert central.rows(later) == [(before,)]  # of minutes alone
            assert central.rows(parts) == [(2 * before,)]
        assert central.rows(later) == [(before,)]
        assert central.rows(parts) == [(before,)]


async def test_a_transaction_that_stays_open_stops_no_other_host(central: Store) -> None:
    tenant = f"t{uuid.uuid4().hex[:12]}"
    central.add_tenant(tenant)
    first, second = central.rows(
        "SELECT min(h), max(h) FROM (SELECT 'host-' || n AS h FROM generate_series(1, 99) n) f"
        " GROUP BY hashtext(h) & 31 HAVING count(*) > 1 LIMIT 1"
    )[0]
    logins = [central.add_host(tenant, name) for name in (first, second)]
    addresses = [(central.address(one), one.password) for one in logins]
    async with (
        await connect_async(*addresses[0]) as idle,
        await connect_async(*addresses[1]) as busy,
    ):
        await open_store(idle)
        await open_store(busy)
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        lines = line(1, "event", {"event_id": 1, "event": "Stop", "session": 1}, at=now)
        async with idle.transaction():
            await ship(idle, EPOCH, "changes", lines)
            async with asyncio.timeout(30):
                assert await ship(busy, EPOCH, "changes", lines) == 1
    assert count(central, "fleet_minutes", tenant) == 2
