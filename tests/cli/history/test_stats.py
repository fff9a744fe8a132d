"""`hookd stats` counts what a real daemon judged, and its lines to paste work."""

import json
import re
import shlex
from contextlib import closing
from sqlite3 import connect
from typing import Any

import pytest

from hookd.cli.history.stats import report
from support.home import Home, Window, until, window_in
from support.paths import ROOT
from support.payloads import verdict

pytestmark = pytest.mark.gate

PAGE = (ROOT / "docs" / "guides" / "stats.md").read_text("utf-8")
QUERIES = re.findall(r"^hookd (query .+)$", PAGE, re.MULTILINE)
RESET = "git reset --hard"


def ask(window: Window, command: str, *, ran: bool = True) -> int:
    """Let a command be asked about, and run if the user granted it; return the event's number."""
    number = f"toolu_{len(window.home.rows('SELECT 1 FROM events'))}"
    decision, reason = verdict(window.bash(command, tool_use_id=number))
    assert decision == "ask"
    if ran:
        more = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": number}
        window.says("PostToolUse", **more)
    return int(reason.rpartition("(hookd #")[2].rstrip(")"))


def counted(home: Home, *args: str) -> dict[str, Any]:
    """Return the statistics of all that was recorded: a new daemon counts it at once."""
    home.restarts()

    def all_counted() -> dict[str, Any] | None:
        found: dict[str, Any] = json.loads(home.hookd("stats", "--json", *args).stdout)
        return None if found["uncounted"] else found

    return until(all_counted) or {}


@pytest.fixture
def asking(daemon: Home) -> Window:
    """A window that asked about the same things three times, and once about others."""
    daemon.hookd("guard", "add", "deploy", "Bash(make deploy *)", "--ask", "Release now?")
    daemon.hookd("guard", "add", "quiet", "Bash(make nothing)", "--deny", "No.")
    daemon.hookd("guard", "add", "style", "Edit(*.py)", "--tell", "Lines end at 100.")
    window = window_in(daemon, AGENT_ID="builder")
    for turn in range(3):
        ask(window, RESET)
        ask(window, f"make deploy v{turn}")
        ask(window, "git checkout -- .", ran=turn != 1)
    window.calls("Edit", file_path=f"{window.project}/a.py", old_string="a", new_string="b")
    window.bash("git push --force origin main")
    window.bash("ls")
    return window


def test_calls_questions_and_rules_are_counted(asking: Window) -> None:
    found = counted(asking.home)
    assert found["damaged"] == []
    totals = found["totals"]
    expected = {"calls": 12, "denied": 1, "asked": 9, "granted": 8, "injected": 1, "sessions": 1}
    assert {key: totals[key] for key in expected} == expected
    assert sum(day["calls"] for day in found["days"]) == 12
    assert len(found["days"]) == 7
    assert [(one["project"], one["asked"]) for one in found["projects"]] == [(asking.project, 9)]
    assert [(one["agent"], one["calls"]) for one in found["agents"]] == [("builder", 12)]
    assert sum(one["events"] for one in found["durations"]) == totals["events"]
    rules = {one["rule"]: one for one in found["rules"]}
    assert (rules["destructive-guard"]["asked"], rules["destructive-guard"]["denied"]) == (6, 1)
    assert rules["destructive-guard"]["kinds"] == ["force-push", "history"]
    assert (rules["deploy"]["asked"], rules["deploy"]["granted"]) == (3, 3)
    assert rules["style"]["told"] == 1
    assert [one["rule"] for one in found["silentRules"]] == ["quiet"]
    assert "database" in found["silentKinds"]
    assert "history" not in found["silentKinds"]


def test_what_was_always_granted_is_loosened_by_the_line_to_paste(asking: Window) -> None:
    home = asking.home
    lines = {one["rule"]: one["line"] for one in counted(home)["loosen"]}
    assert sorted(lines) == ["deploy", "destructive-guard"]
    assert asking.bash(RESET) is not None
    for line in lines.values():
        home.hookd(*shlex.split(line)[1:], cwd=asking.project)
    until(lambda: asking.bash(RESET) is None)
    assert verdict(asking.bash("git checkout -- ."))[0] == "ask"
    told = asking.bash("make deploy v9")["hookSpecificOutput"]
    assert "permissionDecision" not in told
    assert "Release now?" in told["additionalContext"]


def test_a_report_fits_a_terminal_and_is_ascii_without_a_locale(asking: Window) -> None:
    counted(asking.home)
    plain = asking.home.hookd("stats", env={"LC_ALL": "C"}).stdout
    assert plain.isascii(), plain
    assert all(len(line) <= 80 for line in plain.splitlines() if "hookd " not in line), plain
    assert "  calls              12" in plain
    assert "  asked 3 times, always granted: deploy" in plain
    assert "guard rules that never fired\n    quiet" in plain
    with closing(connect(asking.home.database, timeout=30)) as db, db:
        db.execute("UPDATE events SET facts_json = '{' WHERE id = 1")
    asking.home.hookd("stats", "rebuild")
    counted(asking.home)
    assert "1: its opinions are unreadable" in asking.home.hookd("stats").stdout
    assert "█" in asking.home.hookd("stats", env={"LC_ALL": "C.UTF-8"}).stdout


def test_a_time_and_a_project_are_chosen(asking: Window) -> None:
    other = window_in(asking.home)
    other.bash("ls")
    assert counted(asking.home, "--project", other.project)["totals"]["calls"] == 1
    assert counted(asking.home, "--since", "2999-01-01")["totals"]["calls"] == 0
    assert "No events are counted" in asking.home.hookd("stats", "--since", "2999-01-01").stdout
    done = asking.home.hookd("stats", "--project", "/nowhere", check=False)
    assert (done.returncode, "There is no project /nowhere" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    ("waiting", "note"), [(1, "1 recorded event is"), (59, "59 recorded events are")]
)
def test_events_that_are_not_counted_yet_have_arrived(waiting: int, note: str) -> None:
    found = {"totals": {"events": 0, "usd": 0}, "days": [], "uncounted": waiting, "damagedCount": 0}
    said = "\n".join(report(found, unicode=True))
    assert f"{note} not counted yet" in said
    assert "hookd doctor" not in said
    assert "hookd doctor" in "\n".join(report(found | {"uncounted": 0}, unicode=True))


def test_the_statements_on_the_page_find_rows(asking: Window) -> None:
    counted(asking.home)
    cost = {"sessionId": 1, "usage": 0.4, "cost": 0.25}
    asking.rpc("session.updateContextUsage", **cost)
    assert len(QUERIES) == 4
    for line in QUERIES:
        assert asking.home.hookd(*shlex.split(line)).stdout.count("\n") > 1, line
    totals = counted(asking.home)["totals"]
    assert (totals["usd"], totals["contextMean"]) == (0.25, 0.4)


def test_counts_stay_when_they_are_rebuilt(asking: Window) -> None:
    home = asking.home
    counted(home)
    sql = "SELECT * FROM hourly_events ORDER BY 1, 2, 3, 4, 5, 6"
    before = home.rows(sql)
    assert "are counted again" in home.hookd("stats", "rebuild").stdout
    counted(home)
    assert home.rows(sql) == before
    assert home.rows("SELECT * FROM meta WHERE key LIKE 'recount%'") == []
