"""Statistics for charts: sums by day, of one project or of all."""

from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.store.browse.statistics import statistics
from support.browse_rows import called, database, denied, event, read, recorded

_ZEROS = ", 0" * 9


def counts(db: Connection) -> None:
    db.execute(
        "INSERT INTO hourly_rules VALUES"
        " ('2026-01-31T08', 1, '', '', 'PreToolUse', 'a', '', 'deny', 3),"
        " ('2026-01-31T09', 2, '', '', 'PreToolUse', 'a', 'x', 'deny', 2),"
        " ('2026-01-31T09', 2, '', '', 'PreToolUse', 'b', '', 'tell', 9),"
        " ('2026-01-01T09', 2, '', '', 'PreToolUse', 'old', '', 'ask', 9)"
    )
    db.execute(
        "INSERT INTO hourly_events VALUES"
        f" ('2026-01-31T08', 1, '', '', 'PreToolUse', 'deny', 3, 0, 0, 0, 7{_ZEROS}),"
        f" ('2026-01-31T09', 2, '', '', 'PreToolUse', '', 4, 0, 0, 0, 1{_ZEROS}),"
        f" ('2026-01-31T09', 2, '', '', 'PreCompact', '', 1, 0, 0, 0, 1{_ZEROS})"
    )
    db.execute("INSERT INTO costs VALUES ('2026-01-31', 1, 1.5), ('2026-01-31', 4, 2.0)")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    events = [called(1, 1), denied(2, 1), called(3, 4, tool_name="Read"), event(4, "Stop")]
    file = tmp_path_factory.mktemp("statistics") / "hookd.db"
    return database(file, recorded(*events), counts)


def test_all_projects_are_summed_by_day(path: Path) -> None:
    found = read(path, lambda db: statistics(db, "2026-01-31"))
    assert found.stopped == [{"day": "2026-01-31", "rule": "a", "verdict": "deny", "events": 5}]
    (day,) = found.days
    expected = {"events": 8, "calls": 7, "denied": 3, "compactions": 1}
    assert {name: day[name] for name in expected} == expected
    assert [(row["project"], row["usd"]) for row in found.costs] == [
        ("/work/orders", 1.5), ("/work/orders/api", 2.0),
    ]  # fmt: skip
    assert [(row["tool"], row["calls"], row["stopped"]) for row in found.tools] == [
        ("Bash", 2, 1), ("Read", 1, 0),
    ]  # fmt: skip
    assert [(hour, classes[0]) for hour, classes in found.durations] == [
        ("2026-01-31T08", 7), ("2026-01-31T09", 2),
    ]  # fmt: skip
    assert len(found.bounds_us) == len(found.durations[0][1])


def test_one_project_is_summed(path: Path) -> None:
    found = read(path, lambda db: statistics(db, "2026-01-01", "/work/orders/api"))
    assert {row["rule"] for row in found.stopped} == {"a", "old"}
    assert [row["usd"] for row in found.costs] == [2.0]
    assert [row["tool"] for row in found.tools] == ["Read"]


def test_an_unknown_project_has_nothing(path: Path) -> None:
    found = read(path, lambda db: statistics(db, "2026-01-01", "/nowhere"))
    assert (found.stopped, found.days, found.costs, found.tools) == ([], [], [], [])
