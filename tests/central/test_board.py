"""Pages of the central board: complete by keys, bounded, and read from indexes alone."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hookd.central import board, logins
from hookd.central.board import EventFilter, SessionFilter
from hookd.central.viewer import View, Viewer
from support.central import EPOCH, Store, event, line
from support.parametrize import parametrize_all

NOW = datetime.now(UTC)


@pytest.fixture(scope="module")
def viewer(central: Store) -> Iterator[Viewer]:
    """A viewer of a tenant with two hosts: 30 sessions each; alpha has 12 events of session 1."""
    central.add_tenant("board")
    for host in ("alpha", "beta"):
        login = central.add_host("board", host)
        rows = [session(number, host) for number in range(1, 31)]
        if host == "alpha":
            rows += [event(30 + n, tool=f"t{n}", decision=decision(n), at=None) for n in range(12)]
        ship(central, login, rows)
    login = logins.add_viewer(central.admin, "board", "screen")
    made = Viewer(central.address(login), login.password)
    yield made
    made.close()


def session(number: int, host: str) -> bytes:
    at = NOW - timedelta(minutes=number)
    body = {
        "session": number,
        "conversation": f"{host}-{number}",
        "agent": f"agent-{number}",
        "status": "attention" if number == 3 else "working",
        "client": "codex",
        "context": 0.5,
        "last_event_at": stamp(at),
        "ended_at": stamp(at) if number > 20 else None,
    }
    return line(number, "session", body)


def stamp(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def decision(number: int) -> str | None:
    return "deny" if number % 4 == 0 else None


def ship(central: Store, login: logins.Login, rows: list[bytes]) -> None:
    with central.login(login) as host, host.transaction():
        host.execute("SELECT hookd.maintain_1()")
        host.execute("SELECT hookd.open_batch_1()")
        with host.cursor().copy("COPY pg_temp.hookd_batch (seq, kind, at, body) FROM STDIN") as to:
            to.write(b"".join(rows))
        host.execute("SELECT hookd.ingest_1(%s, 'changes')", [EPOCH])


def test_no_value_that_a_host_sends_hides_the_others(central: Store) -> None:
    central.add_tenant("hostile")
    login = central.add_host("hostile", "alpha")
    deep = json.loads("[" * 900 + "]" * 900)
    values: list[Any] = [
        10**4_000,
        10**5_000,
        deep,
        {"a": []},
        [],
        True,
        "x",
        "\x1b[31m",
        -1,
        7e300,
    ]
    body = {"last_event_at": "9999-12-31T23:59:59-14:00", "started_at": "0001-01-01T00:00:00+14:00"}
    fields = ("context", "cost", "model", "branch", "tool_calls", "agent", "status", "project")
    sys.set_int_max_str_digits(6_000)
    try:
        rows = [
            line(number, "session", {"session": number, **body, **dict.fromkeys(fields, value)})
            for number, value in enumerate(values, 1)
        ]
    finally:
        sys.set_int_max_str_digits(4_300)
    detail = {"payload": deep, "answer": {"n": 7}}
    ship(central, login, [*rows, event(50, detail=detail)])
    made = logins.add_viewer(central.admin, "hostile", "screen")
    with closing(Viewer(central.address(made), made.password)) as viewer:
        every = SessionFilter(every=True)
        found = viewer.read(lambda view: board.sessions(view, every, None, 99).rows)
        assert len(found) == len(values)
        json.dumps([{**one, "key": None} for one in found], allow_nan=False)
        one = viewer.read(lambda view: board.event(view, "alpha", 1, 50))
        assert one and one["detail"]["answer"] == {"n": 7}


def test_hosts_by_pages_and_totals(viewer: Viewer) -> None:
    def query(view: View) -> tuple[list[str], ...]:
        names = [row["host"] for row in board.hosts(view, limit=1)]
        names += [row["host"] for row in board.hosts(view, after=names[0], limit=1)]
        found = [row["host"] for row in board.hosts(view, text="BET", limit=9)]
        away = [row["host"] for row in board.hosts(view, state="invited", limit=9)]
        return names, found, away

    assert viewer.read(query) == (["alpha", "beta"], ["beta"], [])
    (sums,) = viewer.read(board.totals)
    expected = {"hosts": 2, "openSessions": 40, "attention": 2, "eventsToday": 12, "deniedToday": 3}
    assert sums == expected | {"state": "here"}
    assert viewer.read(lambda view: board.host(view, "gamma")) is None


@parametrize_all("host", [None, "alpha"])
@parametrize_all("every", [False, True])
def test_sessions_by_pages_are_complete(viewer: Viewer, host: str | None, every: bool) -> None:
    which = SessionFilter(host, every)

    def query(view: View) -> list[dict[str, Any]]:
        page = board.sessions(view, which, None, 7)
        rows = page.rows
        while page.before:
            page = board.sessions(view, which, page.before, 7)
            assert page.rows
            rows += page.rows
        return rows

    rows = viewer.read(query)
    keys = [(row["host"], row["id"]) for row in rows]
    numbers = range(1, 31 if every else 21)
    assert sorted(keys) == [
        (name, n) for name in ("alpha", "beta")[: 1 if host else 2] for n in numbers
    ]
    if host is None:
        moments = [row["lastEventAt"] for row in rows]
        assert moments == sorted(moments, reverse=True)
    else:
        assert [row["id"] for row in rows] == sorted(numbers, reverse=True)
    assert rows[0]["contextUsage"] == 0.5


def test_sessions_by_status(viewer: Viewer) -> None:
    which = SessionFilter(status="attention")
    rows = viewer.read(lambda view: board.sessions(view, which, None, 9).rows)
    assert sorted((row["host"], row["id"]) for row in rows) == [("alpha", 3), ("beta", 3)]
    one = viewer.read(lambda view: board.session(view, "beta", 1, 3))
    assert one is not None
    assert one["claudeSessionId"] == "beta-3"
    assert viewer.read(lambda view: board.session(view, "beta", 2, 3)) is None


@parametrize_all("host", [None, "alpha"])
def test_filtered_sessions_look_through_a_bounded_window(
    viewer: Viewer, host: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "SESSIONS_WINDOW", 12)
    which = SessionFilter(host, every=True, status="attention")

    def query(view: View) -> list[list[int]]:
        page = board.sessions(view, which, None, 3)
        pages = [page.rows]
        while page.before:
            page = board.sessions(view, which, page.before, 3)
            pages.append(page.rows)
        return [[row["id"] for row in rows] for rows in pages]

    pages = viewer.read(query)
    assert len(pages) == (6 if host is None else 3), "30 sessions of a host"
    assert [number for page in pages for number in page] == [3] * (2 if host is None else 1)


@parametrize_all("session", [None, (1, 1)])
def test_events_by_pages_are_complete(viewer: Viewer, session: tuple[int, int] | None) -> None:
    def query(view: View) -> tuple[list[str], int]:
        tools, pages, before = [], 0, None
        while True:
            page = board.events(view, "alpha", EventFilter(session), before, 5)
            tools += [row["toolName"] for row in page.rows]
            pages, before = pages + 1, page.before
            if before is None:
                return tools, pages

    assert viewer.read(query) == ([f"t{n}" for n in reversed(range(12))], 3)


def test_filtered_events_look_through_a_bounded_window(
    viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "WINDOW", 5)
    which = EventFilter(decided=True)

    def query(view: View) -> list[tuple[list[str], tuple[int, int] | None]]:
        found, before = [], None
        while True:
            page = board.events(view, "alpha", which, before, 9)
            found.append(([row["toolName"] for row in page.rows], page.before))
            if (before := page.before) is None:
                return found

    assert viewer.read(query) == [(["t8"], (1, 37)), (["t4"], (1, 32)), (["t0"], None)]
    equal = EventFilter(equal={"tool": "t10"})
    page = viewer.read(lambda view: board.events(view, "alpha", equal, None, 9))
    assert [row["toolName"] for row in page.rows] == ["t10"]
    other = EventFilter((1, 2))
    assert viewer.read(lambda view: board.events(view, "alpha", other, None, 9)).rows == []


def test_details_of_the_mode_events(central: Store, viewer: Viewer) -> None:
    login = central.add_host("board", "gamma")
    detail = {"payload": {"tool_input": {"command": "ls -l"}}, "answer": None}
    ship(central, login, [event(1, detail=detail), event(2)])
    page = viewer.read(lambda view: board.events(view, "gamma", EventFilter(), None, 9))
    assert [row["payload"] for row in page.rows] == [None, detail["payload"]]
    one = viewer.read(lambda view: board.event(view, "gamma", 1, 1))
    assert one is not None
    assert one["detail"] == detail
    assert viewer.read(lambda view: board.event(view, "gamma", 1, 3)) is None
    central.admin.execute("DELETE FROM hookd.events WHERE host = 'gamma'")


def test_minutes_by_step(viewer: Viewer) -> None:
    since = datetime(2026, 1, 2, 3, tzinfo=UTC)
    rows = viewer.read(lambda view: board.minutes(view, since, "5 minutes", "alpha"))
    first = {"minute": "2026-01-02T03:00:00.000Z"}
    assert rows == [
        first | {"decision": "", "events": 9},
        first | {"decision": "deny", "events": 3},
    ]
    assert viewer.read(lambda view: board.minutes(view, since, "5 minutes", "beta")) == []
    later = since + timedelta(hours=1)
    assert viewer.read(lambda view: board.minutes(view, later, "1 minute", "alpha")) == []


def test_minutes_of_all_hosts_are_their_sums(central: Store) -> None:
    central.add_tenant("sums")
    for host in ("alpha", "beta", "gamma"):
        login = central.add_host("sums", host)
        for first in (1, 3):
            body = {
                "event_id": first,
                "event": "PreToolUse",
                "decision": "deny" if first == 3 else None,
            }
            rows = [line(first, "event", body, stamp(NOW)), event(first + 1)]  # one is long past
            ship(central, login, rows)
    screen = logins.add_viewer(central.admin, "sums", "screen")
    viewer = Viewer(central.address(screen), screen.password)
    since = NOW - timedelta(hours=1)
    rows = viewer.read(lambda view: board.minutes(view, since, "2 hours"))
    viewer.close()
    assert [(row["decision"], row["events"]) for row in rows] == [("", 3), ("deny", 3)]
    kept = central.rows("SELECT sum(count)::int FROM hookd.fleet_minutes WHERE tenant = 'sums'")
    assert kept == [(6,)]
    central.rows("SELECT hookd.maintain('sums', current_date + 3)")
    assert not central.rows("SELECT FROM hookd.fleet_minutes WHERE tenant = 'sums'")


@pytest.fixture(scope="module")
def large(central: Store) -> logins.Login:
    """A viewer of a tenant with 40 hosts: 20,000 events in three days, and 4,000 sessions."""
    central.add_tenant("large")
    for number in range(40):
        central.add_host("large", f"h{number:02}")
    for days in (0, 1, 2):
        central.admin.execute("SELECT hookd.maintain('large', current_date - %s)", [days])
    central.admin.execute(
        "INSERT INTO hookd.events (tenant, host, epoch, event_id, received_at, at, event, session,"
        " decision) SELECT 'large', 'h' || lpad((n % 40)::text, 2, '0'), 1, n,"
        " now() - interval '1 day' * (n % 3), now(), 'PreToolUse', n % 50, 'deny'"
        " FROM generate_series(1, 20000) n"
    )
    central.admin.execute(
        "INSERT INTO hookd.sessions (tenant, host, epoch, number, last_event_at, state)"
        " SELECT 'large', 'h' || lpad((n % 40)::text, 2, '0'), 1, n,"
        " now() - interval '1 minute' * n, '{}' FROM generate_series(1, 4000) n"
    )
    central.admin.execute(
        "INSERT INTO hookd.minutes SELECT 'large', 'h' || lpad((n % 40)::text, 2, '0'),"
        " (m.at AT TIME ZONE 'UTC')::date, m.at, 'PreToolUse', '', 1"
        " FROM generate_series(1, 20000) n, LATERAL"
        " (SELECT date_trunc('minute', now() - interval '8 seconds' * n) AS at) m"
        " ON CONFLICT DO NOTHING"
    )
    central.admin.execute(
        "INSERT INTO hookd.fleet_minutes SELECT 'large',"
        " date_trunc('minute', now()) - interval '1 minute' * n, d, p, 1"
        " FROM generate_series(0, 2000) n, unnest(ARRAY['', 'deny']) d, generate_series(0, 3) p"
    )
    central.admin.execute(
        "ANALYZE hookd.events, hookd.sessions, hookd.minutes, hookd.fleet_minutes"
    )
    return logins.add_viewer(central.admin, "large", "screen")


KEYS: dict[str, Any] = {
    "tenant": "large", "host": "h07", "epoch": 1, "number": 19_000, "session": 7,
    "session_epoch": 1, "status": None, "client": None, "at": NOW, "limit": 100, "window": 100,
    "since": NOW - timedelta(hours=1), "step": "1 minute",
}  # fmt: skip
PLANS = {
    "events of a host": (board.EVENTS_OF_HOST, False),
    "events of a session": (board.EVENTS_OF_SESSION, False),
    "sessions of all hosts": (board.SESSIONS_OF_ALL, False),
    "sessions of a host": (board.SESSIONS_OF_HOST, False),
    "open sessions of all hosts": (board.OPEN_OF_ALL, False),
    "open sessions of a host": (board.OPEN_OF_HOST, False),
    "minutes of a host": (board.MINUTES_OF_HOST, True),
    "minutes of all hosts": (board.MINUTES_OF_ALL, True),
}


@parametrize_all("case", PLANS)
def test_a_page_reads_an_index_and_sorts_no_table(
    central: Store, large: logins.Login, case: str
) -> None:
    query, sorts = PLANS[case]
    explain = f"EXPLAIN (ANALYZE, FORMAT JSON) {query}".encode()
    viewer = Viewer(central.address(large), large.password)
    rows = viewer.read(lambda view: view.connection.execute(explain, KEYS).fetchall())
    viewer.close()
    nodes = list(walk(rows[0]["QUERY PLAN"][0]["Plan"]))
    scans = [one for one in nodes if one.get("Relation Name", "hosts") not in ("hosts", "viewers")]
    read = {id(one): rows_read(one) for one in scans}
    assert any(read.values())
    whole = [one for one in scans if one["Node Type"] == "Seq Scan" and read[id(one)]]
    assert not whole, json.dumps(whole)
    assert sorts or not [one for one in nodes if one["Node Type"] == "Sort"], json.dumps(nodes)
    assert sum(read.values()) <= (1_000 if sorts else 4 * 101), json.dumps(scans)


def rows_read(scan: dict[str, Any]) -> int:
    rows = scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0)
    return int(rows * scan["Actual Loops"])


def walk(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from walk(part)
