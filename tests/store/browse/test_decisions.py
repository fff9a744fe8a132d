"""Events and decisions: filters, pages that reach every event, and one whole event."""

from pathlib import Path

import pytest

from hookd.events.payload_excerpt import excerpt_record
from hookd.redaction.redact import record
from hookd.store.browse import decisions
from hookd.store.browse.decisions import EventFilter
from support.browse_rows import called, database, denied, event, read, recorded

EVENTS = (
    called(1, 1, "git status"),
    denied(2, 1),
    called(3, 2, "make 100%"),
    denied(4, 2, rule="path-guard, secrets-guard"),
    called(5, 4, "ls", tool_name="Read"),
    event(6, "Stop", session_id=4, at="2026-02-01T08:00:00.000Z"),
    called(7, 4, kind="canary"),
    denied(8, 3, decision="ask", at="2026-02-02T08:00:00.000Z"),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return database(tmp_path_factory.mktemp("events") / "hookd.db", recorded(*EVENTS))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (EventFilter(), [8, 6, 5, 4, 3, 2, 1]),
        (EventFilter(decided=True), [8, 4, 2]),
        (EventFilter(decision="deny"), [4, 2]),
        (EventFilter(decision="ask"), [8]),
        (EventFilter(rule="destructive-guard"), [8, 2]),
        (EventFilter(rule="secrets-guard"), [4]),
        (EventFilter(rule="guard"), []),
        (EventFilter(agent="builder"), [4, 3]),
        (EventFilter(project="/work/orders/api"), [6, 5]),
        (EventFilter(project="/work/orders", decision="deny"), [4, 2]),
        (EventFilter(project="/nowhere"), []),
        (EventFilter(session=1), [2, 1]),
        (EventFilter(session=99), []),
        (EventFilter(event="Stop"), [6]),
        (EventFilter(tool="Read"), [5]),
        (EventFilter(text="GIT st"), [1]),
        (EventFilter(text="100%"), [3]),
        (EventFilter(text="1%0"), []),
        (EventFilter(text="permissionDecision"), [8, 4, 2]),
        (EventFilter(since="2026-02-01"), [8, 6]),
        (EventFilter(until="2026-02-01"), [5, 4, 3, 2, 1]),
        (EventFilter(since="2026-02-01", until="2026-02-02"), [6]),
        (EventFilter(since="2027"), []),
        (EventFilter(until="2020"), []),
    ],
)
def test_filters_select_events(path: Path, wanted: EventFilter, expected: list[int]) -> None:
    page = read(path, lambda db: decisions.page(db, wanted))
    assert [row["id"] for row in page.rows] == expected
    assert (page.before, page.partial) == (None, False)


@pytest.mark.parametrize(
    "wanted", [EventFilter(), EventFilter(text="rm -rf"), EventFilter(agent="x")]
)
def test_an_empty_database_has_no_events(tmp_path: Path, wanted: EventFilter) -> None:
    page = read(database(tmp_path / "hookd.db"), lambda db: decisions.page(db, wanted))
    assert (page.rows, page.before) == ([], None)


def every_page(path: Path, wanted: EventFilter, limit: int) -> tuple[list[int], int]:
    """Return the numbers of all pages, and how many pages stopped before they were full."""
    seen: list[int] = []
    before, partial = None, 0
    while True:
        page = read(path, lambda db, at=before: decisions.page(db, wanted, at, limit))
        seen += [row["id"] for row in page.rows]
        partial += page.partial
        before = page.before
        if before is None:
            return seen, partial


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8])
def test_pages_have_every_event_once(path: Path, limit: int) -> None:
    assert every_page(path, EventFilter(), limit) == ([8, 6, 5, 4, 3, 2, 1], 0)
    assert every_page(path, EventFilter(session=1), limit) == ([2, 1], 0)


def test_a_search_for_rare_events_continues_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "_WINDOW", 3)
    monkeypatch.setattr(decisions, "_WINDOWS", 2)
    events = [denied(1, 1), *(called(number, 1) for number in range(2, 40)), denied(40, 1)]
    path = database(tmp_path / "hookd.db", recorded(*events))
    seen, partial = every_page(path, EventFilter(text="rm -rf"), 5)
    assert seen == [40, 1]
    assert partial == 6
    assert every_page(path, EventFilter(), 5)[0] == list(range(40, 0, -1))


def test_a_search_leaps_to_the_next_event_of_an_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "_WINDOW", 3)
    monkeypatch.setattr(decisions, "_WINDOWS", 2)
    events = [called(1, 2), *(called(number, 1) for number in range(2, 40)), called(40, 2)]
    path = database(tmp_path / "hookd.db", recorded(*events))
    assert every_page(path, EventFilter(agent="builder"), 5) == ([40, 1], 0)


def test_a_listed_event_has_the_keys_of_the_subscription(path: Path) -> None:
    (row,) = read(path, lambda db: decisions.page(db, EventFilter(), before=3, limit=1)).rows
    expected = {"id": 2, "event": "PreToolUse", "sessionId": 1, "project": "/work/orders"}
    assert row.items() >= expected.items()
    assert (row["toolName"], row["decision"], row["rule"]) == ("Bash", "deny", "destructive-guard")
    assert (row["text"], row["lost"]) == ("rm -rf /", False)
    assert "payload" not in row


def test_one_event_has_its_whole_payload(tmp_path: Path) -> None:
    long = {"tool_input": {"command": "x" * 20_000}}
    kept = excerpt_record(record(long))
    path = database(tmp_path / "hookd.db", recorded(denied(1, 1, record=kept)))
    found = read(path, lambda db: decisions.one(db, 1))
    assert found is not None
    assert found["payload"] == long
    assert found["payloadSha256"] == kept.sha256
    assert found["facts"]["opinions"][0]["ruleIds"] == ["rm-1"]
    assert [guard["ruleId"] for guard in found["guards"]] == [
        "everywhere", "in-orders", "on-effort-2",
    ]  # fmt: skip
    assert found["hookRuns"] == []


def test_a_damaged_body_leaves_the_excerpt(tmp_path: Path) -> None:
    path = database(
        tmp_path / "hookd.db",
        recorded(denied(1, 1)),
        lambda db: db.execute("INSERT INTO bodies VALUES (1, 9, x'00')"),
    )
    found = read(path, lambda db: decisions.one(db, 1))
    assert found is not None
    assert found["payload"]["tool_input"] == {"command": "rm -rf /"}


def test_there_is_no_such_event(path: Path) -> None:
    assert read(path, lambda db: decisions.one(db, 99)) is None
