"""Reading the outbox: rows in their order, as lines for COPY, and changes that are noticed."""

import json
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection
from typing import get_args

import pytest

from hookd.core.model.effects.fleet import DropShipped, RejectRow
from hookd.core.model.effects.messages import SetAgentStatus
from hookd.core.model.effects.sessions import SetBranch, SetHeartbeat
from hookd.core.model.membership import Stream
from hookd.store import writes
from hookd.store.outbox import Outbox, Rows
from support.database_rows import AT, event, session, write
from support.outbox import bodies, many, member

HostOutbox = tuple[Connection, Outbox]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[HostOutbox]:
    with member(tmp_path / "hookd.db") as found:
        yield found


def test_lines_have_the_rows_escaped_for_copy(host: HostOutbox) -> None:
    db, outbox = host
    tool = 'a\tb\nc\\d"e\x01é'
    writes.record(db, event(5, session_id=1, tool_name=tool))
    batch = outbox.batch("events", 0, 10)
    assert batch
    number, kind, at, body = batch.lines.decode().replace("\\\\", "\\").split("\t")
    assert (number, kind, at) == (str(batch.last), "event", AT)
    assert json.loads(body)["tool"] == tool
    assert "\n" not in body


@pytest.mark.parametrize("stream", get_args(Stream))
def test_batches_follow_one_another_and_leave_out_refused_rows(
    host: HostOutbox, stream: Stream
) -> None:
    db, outbox = host
    many(db, 10)
    number = db.execute("SELECT max(id) FROM sessions").fetchone()[0]
    write(db, [session(number + n, f"s{n}") for n in range(1, 11)])
    numbers = [row.seq for row in outbox.rows(stream, 0, 100).rows]
    assert len(numbers) == 10
    write(db, [RejectRow(numbers[3], "no", stream)])
    found, after = [], 0
    while batch := outbox.batch(stream, after, 4):
        assert batch.count == batch.lines.count(b"\n") + 1
        found += [int(line.split(b"\t")[0]) for line in batch.lines.splitlines()]
        assert (batch.first, batch.last) == (found[-batch.count], found[-1])
        after = batch.last
    assert found == numbers[:3] + numbers[4:]
    limited = outbox.batch(stream, 0, 100, until=numbers[1])
    assert limited is not None
    assert limited.last == numbers[1]


def test_a_session_is_sent_as_it_is_now_and_no_path_with_it(host: HostOutbox) -> None:
    db, outbox = host
    write(db, [SetAgentStatus("builder", "working", 1)])
    db.execute("UPDATE sessions SET client = 'codex', cost = 0.5 WHERE id = 2")
    (body,) = [body for body in bodies(outbox) if body["session"] == 2]
    said = {key: body[key] for key in ("agent", "project", "skill", "task", "client", "cost")}
    assert said == {
        "agent": "builder",
        "project": "orders",
        "skill": "implement",
        "task": "pagination",
        "client": "codex",
        "cost": 0.5,
    }
    assert body["status"] == "working"
    assert "/" not in json.dumps(body)


def test_an_event_has_the_client_of_its_session(host: HostOutbox) -> None:
    db, outbox = host
    more = {"session_id": 1, "client": "gemini", "decision": "ask", "rule": "careful"}
    writes.record(db, event(5, duration_us=700, **more))
    (body,) = [body for body in bodies(outbox) if "event_id" in body]
    assert (body["client"], body["decision"], body["decided_by"]) == ("gemini", "ask", "careful")
    assert (body["event_id"], body["session"], body["duration_us"]) == (5, 1, 700)
    writes.record(db, event(6))
    assert bodies(outbox)[-1]["client"] is None


def test_an_event_that_waited_for_hooks_has_the_same_fields(host: HostOutbox) -> None:
    db, outbox = host
    more = {"session_id": 1, "client": "gemini", "tool_name": "Bash"}
    writes.record(db, event(5, **more))
    writes.record(db, event(6, pending=True, **more))
    writes.settle(db, event(6, **more), (), AT)
    late, usual = (body for body in bodies(outbox) if "event_id" in body)
    assert (late.pop("event_id"), usual.pop("event_id")) == (6, 5)
    assert late == usual


def test_a_commit_of_the_daemon_is_noticed(host: HostOutbox) -> None:
    db, outbox = host
    before = outbox.version()
    assert outbox.version() == before
    writes.record(db, event(5))
    assert outbox.version() != before


def test_the_last_number_is_known_when_its_row_is_gone(host: HostOutbox) -> None:
    db, outbox = host
    write(db, [SetBranch(1, "main")])
    many(db, 3)
    last = outbox.rows("changes", 0, 10).last
    db.execute("DELETE FROM outbox")
    assert (outbox.last("changes"), outbox.last("events")) == (last, 102)


def test_a_batch_reaches_beyond_events_that_are_not_sent(host: HostOutbox) -> None:
    db, outbox = host
    many(db, 3)
    writes.record(db, event(103, pending=True))
    writes.record(db, event(104, kind="forgotten"))
    batch = outbox.batch("events", 0, 10)
    assert batch is not None
    assert (batch.count, batch.first, batch.last) == (3, 100, 104)
    skipped = outbox.batch("events", 102, 10)
    assert skipped is not None
    assert (skipped.count, skipped.last, skipped.lines) == (0, 104, b"")
    assert outbox.batch("events", 104, 10) is None
    full = outbox.batch("events", 0, 3)
    assert full is not None
    assert full.last == 102, "there may be more"
    assert outbox.rows("events", 0, 10, until=101) == Rows(outbox.rows("events", 0, 2).rows, 101)


def test_the_list_of_what_waits_has_the_events_that_are_sent(host: HostOutbox) -> None:
    db, outbox = host
    write(db, [SetBranch(1, "main")])
    many(db, 5)
    writes.record(db, event(105, pending=True))
    writes.record(db, event(106, pending=True))
    writes.settle(db, event(106), (), AT)
    write(db, [RejectRow(103, "no", "events"), DropShipped(0, 100)])
    sql = "SELECT row_id, state FROM outbox_overview WHERE kind = 'event' ORDER BY row_id"
    assert db.execute(sql).fetchall() == [
        *[(101, "waiting"), (102, "waiting"), (103, "rejected")],
        *[(104, "waiting"), (106, "waiting")],
    ]
    assert [row.seq for row in outbox.rows("events", 0, 10).rows] == [101, 102, 104]
    found = db.execute("SELECT waiting, rejected, oldest_at FROM fleet_member").fetchone()
    assert found == (2 + 3, 1, AT)


def test_many_events_that_wait_are_counted_by_their_numbers(host: HostOutbox) -> None:
    db, _ = host
    many(db, 10_050)
    write(db, [DropShipped(0, 110)])
    db.execute("DELETE FROM events WHERE id IN (200, 201)")
    assert db.execute("SELECT waiting FROM fleet_member").fetchone() == (10_149 - 110,)
    write(db, [DropShipped(0, 160)])
    assert db.execute("SELECT waiting FROM fleet_member").fetchone() == (10_149 - 160 - 2,)


def test_open_sessions_have_their_counters(host: HostOutbox) -> None:
    db, outbox = host
    write(db, [SetHeartbeat(1, 9, "Edit", calls=3)])
    db.execute("UPDATE sessions SET ended_at = 'x' WHERE id > 1")
    expected = {"session": 1, "last_event_at": AT, "calls_since_log": 9, "tool_calls": 3}
    assert json.loads(outbox.open_sessions()) == [expected]


def test_the_membership_is_read(host: HostOutbox) -> None:
    db, outbox = host
    known = outbox.membership()
    assert known is not None
    assert (known.tenant, known.host, known.mode) == ("acme", "ann", "decisions")
    db.execute("DELETE FROM fleet_membership")
    assert outbox.membership() is None
