"""Reading the outbox: rows in their order, as lines for COPY, and changes that are noticed."""

import json
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.effects.fleet import RejectRow
from hookd.core.model.effects.messages import SetAgentStatus
from hookd.core.model.effects.sessions import SetHeartbeat
from hookd.store import writes
from hookd.store.outbox import Outbox
from support.database_rows import AT, event, write
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
    batch = outbox.batch(0, 10)
    assert batch
    number, kind, at, body = batch.lines.decode().replace("\\\\", "\\").split("\t")
    assert (number, kind, at) == (str(batch.last), "event", AT)
    assert json.loads(body)["tool"] == tool
    assert "\n" not in body


def test_batches_follow_one_another_and_leave_out_refused_rows(host: HostOutbox) -> None:
    db, outbox = host
    many(db, 10)
    numbers = [row.seq for row in outbox.rows(0, 100)]
    write(db, [RejectRow(numbers[3], "no")])
    found, after = [], 0
    while batch := outbox.batch(after, 4):
        assert batch.count == batch.lines.count(b"\n") + 1
        found += [int(line.split(b"\t")[0]) for line in batch.lines.splitlines()]
        assert (batch.first, batch.last) == (found[-batch.count], found[-1])
        after = batch.last
    assert found == numbers[:3] + numbers[4:]
    limited = outbox.batch(0, 100, until=numbers[1])
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


def test_a_commit_of_the_daemon_is_noticed(host: HostOutbox) -> None:
    db, outbox = host
    before = outbox.version()
    assert outbox.version() == before
    writes.record(db, event(5))
    assert outbox.version() != before


def test_the_last_number_is_known_when_its_row_is_gone(host: HostOutbox) -> None:
    db, outbox = host
    many(db, 3)
    last = outbox.rows(0, 10)[-1].seq
    db.execute("DELETE FROM outbox")
    assert outbox.last() == last


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
