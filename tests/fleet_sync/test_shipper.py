"""The shipper against a real PostgreSQL: each row once, whatever fails, and the rest goes up."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import Any

import pytest

from hookd.central.errors import CentralError, RefusedError, TooManyError, UnreachableError
from hookd.core.model.effects.fleet import AddOutboxRow, LeaveFleet, RetryRejected
from hookd.core.model.effects.sessions import EndSession, SetBranch
from hookd.core.model.membership import Position, Stream
from hookd.fleet_sync.shipper import Pace
from hookd.fleet_sync.store import NotMemberError
from hookd.store import writes
from hookd.store.outbox import NO_LIMIT, Batch, Outbox
from hookd.store.writes.forget import forget
from support.central import Store
from support.database_rows import AT, event, write
from support.fleet_host import FleetHost, fleet_host
from support.outbox import many

HostOf = tuple[FleetHost, str]


@pytest.fixture
def host(tmp_path: Path, central: Store) -> Iterator[HostOf]:
    with fleet_host(tmp_path, central) as made:
        yield made


def events(central: Store, tenant: str) -> list[int]:
    """Return the numbers of the events that the store has, with repeats."""
    sql = f"SELECT event_id FROM hookd.events WHERE tenant = '{tenant}' ORDER BY event_id"
    return [number for (number,) in central.rows(sql)]


def sessions(central: Store, tenant: str, columns: str = "number") -> list[Any]:
    sql = f"SELECT {columns} FROM hookd.sessions WHERE tenant = '{tenant}' ORDER BY number"
    return central.rows(sql)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - another process changes it
            await asyncio.sleep(0.01)


async def running(host: FleetHost, work: Awaitable[None]) -> None:
    """Do some work while a shipper of the host runs."""
    task = asyncio.get_running_loop().create_task(host.shipper().run())
    try:
        await work
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def test_all_that_waits_is_sent_in_batches_and_dropped(host: HostOf, central: Store) -> None:
    one, tenant = host
    many(one.db, 120)
    shipper = one.sends()
    assert events(central, tenant) == list(range(100, 220))
    assert sessions(central, tenant) == [(1,), (2,), (3,), (4,)]
    assert (shipper.rows, shipper.rejected, one.waiting) == (124, 0, 0)
    assert one.kept[1] == {"changes": one.outbox.last("changes"), "events": 219}
    assert one.sends().rows == 0


def test_new_rows_are_sent_as_they_come(host: HostOf, central: Store) -> None:
    one, tenant = host

    async def work() -> None:
        for first in (100, 200, 300):
            many(one.db, 5, first)
            await until(lambda: one.waiting == 0)

    asyncio.run(running(one, work()))
    assert len(events(central, tenant)) == 15
    assert one.ledger.reports[-1].contact


def test_a_batch_whose_answer_was_lost_is_not_applied_again(host: HostOf, central: Store) -> None:
    one, tenant = host
    many(one.db, 60)
    one.ledger.down = True  # the shipper is killed before the daemon knows that they were sent
    one.sends()
    assert one.waiting == 64
    one.ledger.down = False
    many(one.db, 5, first=300)
    assert one.sends().rows == 5
    assert events(central, tenant) == [*range(100, 160), *range(300, 305)]
    assert one.waiting == 0


@pytest.mark.parametrize("bad", ['{"id":"a\\u0000b"}', "{no json", '{"id":7e999}', "{}"])
def test_a_refused_row_stays_with_its_reason_and_the_rest_goes_up(
    host: HostOf, central: Store, bad: str
) -> None:
    one, tenant = host
    many(one.db, 20)
    write(one.db, [AddOutboxRow("mail", 7, bad), SetBranch(2, "main")])
    one.db.execute("UPDATE events SET event = 'a' || char(0) || 'b' WHERE id = 107")
    one.db.execute("UPDATE events SET event = ? WHERE id = 113", ("x" * 101,))
    shipper = one.sends()
    assert shipper.rejected == 3
    assert events(central, tenant) == [n for n in range(100, 120) if n not in (107, 113)]
    assert sessions(central, tenant, "state->>'branch'")[1] == ("main",)
    kept = one.db.execute("SELECT kind, row_id, rejected FROM outbox ORDER BY seq").fetchall()
    assert [row[:2] for row in kept] == [("mail", 7), ("event", 107), ("event", 113)]
    assert all(reason for _, _, reason in kept)
    assert one.waiting == 3
    assert one.sends().rejected == 0, "it is not sent again by itself"


def test_a_row_is_refused_once_though_a_thread_reads_on(
    host: HostOf, central: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, tenant = host
    many(one.db, 90)
    one.db.execute("UPDATE events SET event = ? WHERE id = 107", ("x" * 101,))
    kept, again, read = Event(), Event(), one.outbox.batch
    reject = one.ledger.reject

    def slow(stream: Stream, after: int, limit: int, until: int = NO_LIMIT) -> Batch | None:
        """Read as a slow thread does: its statement is open when the row was kept."""
        if current_thread() is main_thread():
            found = read(stream, after, limit, until)
            if kept.is_set():
                again.set()
            return found
        with closing(one.outbox._db.execute("SELECT seq FROM outbox")) as cursor:
            cursor.fetchone()
            kept.wait(30)
            again.wait(0.3)  # the shipper must not read before this ends
            return read(stream, after, limit, until)

    async def keep(stream: Stream, seq: int, reason: str) -> None:
        await reject(stream, seq, reason)
        kept.set()

    monkeypatch.setattr(one.outbox, "batch", slow)
    monkeypatch.setattr(one.ledger, "reject", keep)
    shipper = one.sends()
    assert (shipper.rejected, len(events(central, tenant))) == (1, 89)


def test_a_batch_in_which_all_rows_are_refused_is_kept_row_by_row(
    host: HostOf, central: Store
) -> None:
    """More rows than calls may be nested in Python."""
    one, tenant = host
    many(one.db, 1_050)
    one.db.execute("UPDATE events SET event = ? WHERE id BETWEEN 100 AND 1148", ("x" * 101,))
    shipper = one.shipper(Pace(rows=4_000, poll_s=0.01, beat_s=0.1))
    asyncio.run(shipper.once())
    assert shipper.rejected == 1_049
    assert events(central, tenant) == [1_149]


def test_a_limit_below_a_batch_lets_smaller_ones_through(host: HostOf, central: Store) -> None:
    one, tenant = host
    many(one.db, 40)
    limit = f"UPDATE hookd.tenants SET rows_per_minute = 20 WHERE tenant = '{tenant}'"
    central.admin.execute(limit.encode())
    with pytest.raises(TooManyError):
        one.sends()
    assert len(sessions(central, tenant)) + len(events(central, tenant)) == 20


def test_mail_beyond_the_limit_of_an_hour_is_refused_and_the_rest_goes_up(
    host: HostOf, central: Store
) -> None:
    one, tenant = host
    limit = f"UPDATE hookd.tenants SET items_per_hour = 2 WHERE tenant = '{tenant}'"
    central.admin.execute(limit.encode())
    central.add_host(tenant, "ben")
    mail = {"to": "x@ben", "text": "t", "sender": "ann", "sender_kind": "agent", "priority": "low"}
    for number in range(4):
        write(one.db, [AddOutboxRow("mail", number, json.dumps(mail))])
    many(one.db, 3)
    shipper = one.sends()
    assert shipper.rejected == 2
    assert events(central, tenant) == [100, 101, 102]
    items = f"SELECT count(*) FROM hookd.items WHERE tenant = '{tenant}'"
    assert central.rows(items) == [(2,)]
    (reason, _) = one.db.execute("SELECT rejected FROM outbox").fetchall()
    assert "2 items an hour" in reason[0]


def test_a_row_that_is_well_by_now_is_sent_again_on_request(host: HostOf, central: Store) -> None:
    one, tenant = host
    many(one.db, 3)
    one.db.execute("UPDATE events SET event = ? WHERE id = 101", ("x" * 101,))
    one.sends()
    one.db.execute("UPDATE outbox SET body = json_set(body, '$.event', 'Stop')")
    write(one.db, [RetryRejected()])
    one.sends()
    assert events(central, tenant) == [100, 101, 102]
    assert one.waiting == 0


def test_without_a_daemon_rows_are_sent_once_and_dropped_later(
    host: HostOf, central: Store
) -> None:
    one, tenant = host

    async def work() -> None:
        one.ledger.down = True
        many(one.db, 5)
        await until(lambda: len(events(central, tenant)) == 5 and bool(one.said))
        one.ledger.down = False
        many(one.db, 5, first=200)
        await until(lambda: one.waiting == 0)

    asyncio.run(running(one, work()))
    assert len(events(central, tenant)) == 10
    assert sum("stay in the outbox" in said for said in one.said) == 1


def test_the_end_of_the_server_is_said_once_and_nothing_is_lost(
    tmp_path: Path, central: Store
) -> None:
    with fleet_host(tmp_path, central) as (one, tenant):

        async def work() -> None:
            await until(lambda: one.waiting == 0)
            central.admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE usename LIKE 'hookd_host%'"
            )
            many(one.db, 5)
            await until(lambda: one.waiting == 0)

        asyncio.run(running(one, work()))
        assert len(events(central, tenant)) == 5


def test_a_refused_credential_is_said_with_the_next_step(host: HostOf, central: Store) -> None:
    one, tenant = host
    many(one.db, 5)
    ((role,),) = central.rows(f"SELECT role FROM hookd.hosts WHERE tenant = '{tenant}'")
    central.admin.execute(f"ALTER ROLE {role} PASSWORD 'another'".encode())
    with pytest.raises(RefusedError) as refused:
        one.sends()
    assert "host add" in refused.value.step

    async def work() -> None:
        await until(lambda: bool(one.ledger.reports) and not one.ledger.reports[-1].contact)

    asyncio.run(running(one, work()))
    assert len(one.said) == 1
    assert one.waiting == 9
    problem = one.db.execute("SELECT problem, next_step FROM fleet_membership").fetchone()
    assert all(problem)


def test_a_newer_schema_is_said_and_the_rows_stay(host: HostOf, central: Store) -> None:
    one, _tenant = host
    central.admin.execute("UPDATE hookd.meta SET oldest_client = 99")
    try:
        with pytest.raises(CentralError, match="too old"):
            one.sends()
    finally:
        central.admin.execute("UPDATE hookd.meta SET oldest_client = 1")
    assert one.waiting == 4
    one.sends()
    assert one.waiting == 0


def test_an_unreachable_server_keeps_the_rows(tmp_path: Path, central: Store) -> None:
    with fleet_host(tmp_path, central) as (one, _tenant):

        async def connect() -> None:
            raise UnreachableError("no answer")

        one.connect = connect
        with pytest.raises(UnreachableError):
            one.sends()
        assert one.waiting == 4


def test_an_outage_is_said_once_whatever_the_server_says_of_it(
    host: HostOf, central: Store
) -> None:
    one, tenant = host
    connect, texts = one.connect, ["it does not answer", "it is starting up"]

    async def tries() -> Any:
        if texts:
            raise UnreachableError(texts.pop(0), "check the server")
        return await connect()  # type: ignore[misc]

    one.connect = tries
    asyncio.run(running(one, until(lambda: one.waiting == 0)))
    assert one.said == ["it does not answer. Next: check the server"]
    assert len(sessions(central, tenant)) == 4


def test_a_limit_of_rows_is_said_without_a_next_step(host: HostOf, central: Store) -> None:
    one, tenant = host
    limit = f"UPDATE hookd.tenants SET rows_per_minute = 1 WHERE tenant = '{tenant}'"
    central.admin.execute(limit.encode())
    asyncio.run(running(one, until(lambda: bool(one.said))))
    assert one.said == ["host ann may send 1 rows a minute"]


def test_an_event_that_waited_for_hooks_is_sent_once(host: HostOf, central: Store) -> None:
    one, tenant = host
    many(one.db, 3)
    for number in (103, 104):
        writes.record(one.db, event(number, pending=True))
    many(one.db, 3, first=105)
    writes.settle(one.db, event(104), (), AT)  # before those around it were sent
    one.sends()
    writes.settle(one.db, event(103), (), AT)  # after them
    one.ledger.down = True  # the daemon does not know that it was sent
    one.sends()
    one.ledger.down = False
    one.sends()
    assert events(central, tenant) == list(range(100, 108))
    assert one.waiting == 0
    assert one.db.execute("SELECT count(*) FROM outbox").fetchone() == (0,)


def test_other_changes_do_not_wait_for_all_events(host: HostOf, central: Store) -> None:
    one, tenant = host
    many(one.db, 900)
    shipped = one.ledger.shipped

    async def changing(epoch: str, sent: Position) -> bool:
        if sent["events"] == 149:
            write(one.db, [SetBranch(1, "main")])
        branches = sessions(central, tenant, "state->>'branch'")
        seen.append((sent["events"], branches[0][0] if branches else None))
        return await shipped(epoch, sent)

    seen: list[tuple[int, str | None]] = []
    one.ledger.shipped = changing  # type: ignore[method-assign]
    one.sends()
    assert (549, "main") in seen, "between two turns"
    assert events(central, tenant) == list(range(100, 1_000))


def test_a_session_that_is_forgotten_while_events_are_sent_leaves_none(
    host: HostOf, central: Store
) -> None:
    one, tenant = host
    many(one.db, 900)
    for number in range(1_000, 1_400):
        writes.record(one.db, event(number, session_id=4))
    shipped = one.ledger.shipped

    async def forgetting(epoch: str, sent: Position) -> bool:
        done = await shipped(epoch, sent)
        if sent["events"] == 499:  # the last but one of a turn: a thread has read the next batch
            forget(one.db, 1)
        return done

    one.ledger.shipped = forgetting  # type: ignore[method-assign]
    one.sends()
    assert events(central, tenant) == list(range(1_000, 1_400))
    assert one.waiting == 0


@pytest.mark.parametrize("later", [0, 30], ids=["no new rows", "more than were sent"])
def test_a_restored_database_begins_another_epoch_and_sends_nothing_twice(
    host: HostOf, central: Store, tmp_path: Path, later: int
) -> None:
    one, tenant = host
    one.sends()
    many(one.db, 10)
    with closing(Outbox(tmp_path / "hookd.db")), closing(connect_copy(tmp_path)) as copy:
        one.db.backup(copy)
        many(one.db, 10, first=110)
        one.sends()
        copy.backup(one.db)
    if later:
        many(one.db, later, first=400)
    one.sends()
    assert events(central, tenant) == [*range(100, 120), *range(400, 400 + later)]
    assert "older copy" in one.said[0]
    assert one.waiting == 0
    epochs = f"SELECT count(*) FROM hookd.epochs WHERE tenant = '{tenant}'"
    assert central.rows(epochs) == [(2,)]
    open_ones = sessions(central, tenant, "number, ended_at IS NULL")
    assert [number for number, is_open in open_ones if is_open] == [1, 2, 3, 4]


def test_the_same_copy_that_is_restored_twice_sends_and_loses_nothing_twice(
    host: HostOf, central: Store, tmp_path: Path
) -> None:
    one, tenant = host
    one.sends()
    many(one.db, 3)
    with closing(connect_copy(tmp_path)) as copy:
        one.db.backup(copy)
        for first in (200, 300, 400):
            copy.backup(one.db)
            many(one.db, 5, first)
            one.sends()
        copy.backup(one.db)
    many(one.db, 400, first=500)  # beyond the numbers of all epochs
    one.sends()
    sent = (range(100, 103), *(range(n, n + 5) for n in (200, 300, 400)), range(500, 900))
    assert events(central, tenant) == [number for numbers in sent for number in numbers]
    assert one.waiting == 0


def test_a_session_of_an_older_epoch_is_forgotten_with_its_events(
    host: HostOf, central: Store, tmp_path: Path
) -> None:
    one, tenant = host
    many(one.db, 3)
    writes.record(one.db, event(900, session_id=4))
    write(one.db, [EndSession(1, "other")])
    with closing(connect_copy(tmp_path)) as copy:
        one.db.backup(copy)
        one.sends()
        copy.backup(one.db)
    one.sends()
    forget(one.db, 1)
    one.sends()
    assert events(central, tenant) == [900]
    assert (1,) not in sessions(central, tenant)


def connect_copy(path: Path) -> Any:
    from sqlite3 import connect

    return connect(path / "copy.db")


def test_the_last_state_of_a_session_is_what_the_store_has(host: HostOf, central: Store) -> None:
    one, tenant = host
    one.sends()
    write(one.db, [SetBranch(1, "main"), SetBranch(1, "topic"), EndSession(4, "other")])
    one.sends()
    found = sessions(central, tenant, "number, state->>'branch', ended_at IS NULL")
    assert found == [(1, "topic", True), (2, None, True), (3, None, True), (4, None, False)]


def test_counters_of_open_sessions_go_up_with_the_heartbeat(host: HostOf, central: Store) -> None:
    one, tenant = host
    one.sends()
    later = "2026-01-31T09:00:00.000Z"
    one.db.execute("UPDATE sessions SET tool_calls = 7, last_event_at = ? WHERE id = 1", (later,))
    one.sends()
    found = sessions(central, tenant, "state->>'tool_calls', last_event_at > started_at")
    assert found[0] == ("7", True)


def test_a_forgotten_session_leaves_the_central_store(host: HostOf, central: Store) -> None:
    one, tenant = host
    many(one.db, 5)
    writes.record(one.db, event(900, session_id=4))
    one.sends()
    forget(one.db, 1)
    one.sends()
    assert events(central, tenant) == [900]
    assert (1,) not in sessions(central, tenant)


@pytest.mark.parametrize("mode", ["status", "decisions", "events"])
@pytest.mark.parametrize("online", [True, False])
def test_forgetting_reaches_the_store_in_each_mode_for_a_subagent_too(
    tmp_path: Path, central: Store, mode: Any, online: bool
) -> None:
    with fleet_host(tmp_path, central, mode) as (one, tenant):
        for number, session in ((900, 2), (901, 3), (902, 4)):
            writes.record(one.db, event(number, session_id=session))
        if online:
            one.sends()
        forget(one.db, 3)  # the subagent's alone
        one.sends()
        kept = [] if mode == "status" else [900, 902]
        assert (events(central, tenant), sessions(central, tenant)) == (kept, [(1,), (2,), (4,)])
        writes.record(one.db, event(903, session_id=2))
        if online:
            one.sends()
        forget(one.db, 2)
        one.sends()
        assert (events(central, tenant), sessions(central, tenant)) == (kept[1:], [(1,), (4,)])
        assert one.waiting == 0


def test_leaving_is_told_and_ends_the_shipper(host: HostOf, central: Store) -> None:
    one, tenant = host
    write(one.db, [LeaveFleet(announce=True)])
    one.sends()
    left = f"SELECT left_at IS NOT NULL FROM hookd.hosts WHERE tenant = '{tenant}'"
    assert central.rows(left) == [(True,)]
    one.sends()
    assert central.rows(left) == [(True,)], "a heartbeat does not undo it"
    write(one.db, [LeaveFleet(announce=False)])
    asyncio.run(one.shipper().run())
    with pytest.raises(NotMemberError):
        one.sends()


def test_payloads_go_up_in_the_mode_events_redacted_again_and_without_denied_fields(
    tmp_path: Path, central: Store
) -> None:
    with fleet_host(tmp_path, central, "events") as (one, tenant):
        token = "ghp_" + "a1B2" * 9
        payload = {"tool_input": {"command": f"echo {token}", "content": "private"}, "a\\b": "\t"}
        writes.record(one.db, event(7, answer='{"decision":"block"}'))
        one.db.execute("UPDATE events SET payload = ? WHERE id = 7", (json.dumps(payload),))
        writes.record(one.db, event(8, pending=True))
        writes.settle(one.db, event(8), (), AT)
        one.db.execute("DELETE FROM events WHERE id = 8")
        shipper = one.shipper(denied=("tool_input.content",))
        asyncio.run(shipper.once())
        sql = f"SELECT detail FROM hookd.events WHERE tenant = '{tenant}' ORDER BY event_id"
        (first,), (second,) = central.rows(sql)
        assert token not in json.dumps(first)
        assert first["payload"]["tool_input"]["content"] == "[not sent]"
        assert first["payload"]["a\\b"] == "\t"
        assert first["answer"] == {"decision": "block"}
        assert second is None, "retention has deleted it"


@pytest.mark.parametrize(
    ("payload", "stored"),
    [
        ('{"content":"mine","n":' + "9" * 5_000 + "}", {"content": "[not sent]"}),
        ('{"content":"mine","deep":' + "[" * 5_000 + "]" * 5_000 + "}", {"content": "[not sent]"}),
        ('{"content":"mine', "[not sent]"),
        ('{"content":"mine","a":"\\u0000\\\\u0000\\ud800"}', {"a": "\ufffd\\u0000?"}),
        ('{"content":"mine","a":"PASSWORD=\\"x y z w\\""}', {"content": "[not sent]"}),
    ],
    ids=["long number", "deep", "cut", "NUL", "quotes"],
)
def test_no_payload_brings_a_denied_field_up_or_stops_the_others(
    tmp_path: Path, central: Store, payload: str, stored: Any
) -> None:
    with fleet_host(tmp_path, central, "events") as (one, tenant):
        writes.record(one.db, event(7))
        writes.record(one.db, event(8))
        one.db.execute("UPDATE events SET payload = ? WHERE id = 7", (payload,))
        asyncio.run(one.shipper(denied=("content",)).once())
        sql = f"SELECT detail->'payload' FROM hookd.events WHERE tenant = '{tenant}'"
        (found,), (_,) = central.rows(f"{sql} ORDER BY event_id")
        assert "mine" not in json.dumps(found)
        assert found == stored if isinstance(stored, str) else stored.items() <= found.items()


def test_an_error_of_hookd_is_said_once_and_does_not_end_the_process(
    host: HostOf, central: Store
) -> None:
    one, tenant = host
    working = one.connect

    async def broken() -> None:
        raise RecursionError("too deep")

    async def work() -> None:
        await until(lambda: len(one.ledger.reports) == 1)
        one.connect = working

    one.connect = broken
    asyncio.run(running(one, work()))
    assert "error of hookd (RecursionError)" in one.said[0]
    assert one.ledger.reports[0].step == "hookd doctor; report it"
    one.sends()
    assert len(sessions(central, tenant)) == 4


def test_a_wrong_clock_of_the_host_is_reported(host: HostOf, central: Store) -> None:
    one, _tenant = host
    one.clock = lambda: datetime.now(UTC) - timedelta(hours=1)
    one.sends()
    ((found,),) = one.db.execute("SELECT clock_ms FROM fleet_membership").fetchall()
    assert -3_700_000 < found < -3_500_000


def test_a_time_is_the_hosts(host: HostOf, central: Store) -> None:
    one, tenant = host
    writes.record(one.db, event(7))
    one.sends()
    sql = f"SELECT at = '{AT}', received_at > at FROM hookd.events WHERE tenant = '{tenant}'"
    assert central.rows(sql) == [(True, True)]
