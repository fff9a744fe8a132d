"""Live: work continues from window to window, though the daemon is killed."""

import json
from typing import Any

import pytest

from support.flows import after_clear, dies, hands_over, kills, put, within
from support.home import Home, Window, window_in
from support.payloads import context, verdict

pytestmark = pytest.mark.gate

MARK = "handover of the previous session"


def status_line(window: Window, percent: int) -> str:
    """Tell how full the window is, as the client does; return hookd's line."""
    status = {
        "session_id": window.id,
        "cost": {"total_cost_usd": 0.5},
        "context_window": {"used_percentage": percent, "context_window_size": 200_000},
    }
    params = {"status": status, "env": window.identity}
    line: str = window.home.rpc("session.statusLine", params)["line"]
    return line


def call(window: Window) -> Any:
    """Return the method's whole result for a call, not only the client's answer."""
    event = window.event("PreToolUse.Bash") | {"env": window.identity}
    return window.home.rpc("hooks.preToolUse", event)


@pytest.fixture
def working(daemon: Home) -> Window:
    window = window_in(daemon, CLAUDE_PID="4714")
    window.starts()
    window.says("SessionStart")
    return window


def test_a_window_fills_up_hands_over_and_the_next_one_is_given_it_once(working: Window) -> None:
    said = []
    for percent, overflows in ((72, False), (83, False), (91, True)):
        status_line(working, percent)
        result = call(working)
        assert result["overflowWarning"] is overflows
        said.append(result["hookOutput"]["hookSpecificOutput"]["additionalContext"])
        assert call(working)["hookOutput"] is None, "each notice comes once"
    assert len(set(said)) == 3
    hands_over(working)
    second, text = after_clear(working)
    assert MARK in text
    second.says("UserPromptSubmit")
    _, text = after_clear(second)
    assert MARK not in text


def test_after_compaction_levels_and_files_are_new_and_a_person_s_changes_nothing(
    working: Window,
) -> None:
    rules = put(f"{working.project}/AGENTS.md", "Keep it small.")
    file = f"{working.project}/a.py"
    read = {"tool_name": "Read", "tool_input": {"file_path": file}, "tool_response": {}}
    assert rules in context(working.says("PostToolUse", **read))
    status_line(working, 92)
    assert "92% full" in context(working.bash())
    before = working.count
    working.says("PreCompact", trigger="manual")
    assert working.bash() is None
    working.says("PostCompact", trigger="manual")
    working.says("SessionStart", source="compact")
    assert working.count == before + 1, "a person's /compact leaves counters as they are"
    context(working.says("PostToolUse", **read))
    working.says("PreCompact.auto")
    ((first,),) = working.sessions("id")[-1:]
    assert "Keep it small." in context(working.says("SessionStart.compact"))
    assert working.sessions("id, end_reason")[-2] == (first, "compact")
    assert working.sessions("prev_session_id, ended_at IS NULL")[-1] == (first, 1)
    status_line(working, 92)
    assert "92% full" in context(working.bash()), "levels are armed again"


def test_three_windows_hand_over_though_the_daemon_dies_in_each(working: Window) -> None:
    window = working
    for number in (1, 2, 3):
        window.bash()
        dies(window.home)
        window.says("UserPromptSubmit")
        within(window, "effort.log", text=f"Step {number} is done.")
        hands_over(window, summary=f"Window {number} got this far.")
        dies(window.home)
        window.bash()
        window, text = after_clear(window)
        assert f"Window {number} got this far." in text
        assert f"Window {number - 1} got" not in text
        dies(window.home)
        window.says("UserPromptSubmit")
        window.bash()  # only now it is known that the offer of before has arrived
    rows = window.home.rows(
        "SELECT prev_session_id, handover_delivered_at IS NOT NULL FROM sessions ORDER BY id"
    )
    assert rows == [(None, 1), (1, 1), (2, 1), (3, 0)]
    log = window.home.rows("SELECT content FROM messages WHERE role = 'log' ORDER BY id")
    assert [text for (text,) in log] == [f"Step {number} is done." for number in (1, 2, 3)]


def test_a_daemon_that_dies_in_a_session_is_started_by_the_next_event_with_all_it_knew(
    working: Window,
) -> None:
    for _ in range(3):
        working.bash()
    number = working.home.pid
    kills(working.home)
    done = working.home.hook(working.event("SessionEnd"), env=working.identity)
    assert (done.returncode, done.stdout) == (0, b""), "no daemon is started for an end: it is open"
    working.bash()
    assert working.home.pid != number
    assert working.count == 4
    assert working.home.rows("PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize("event", ["PreCompact.auto", "TaskCompleted"])
def test_whatever_event_comes_after_its_death_is_answered(working: Window, event: str) -> None:
    working.bash()
    kills(working.home)
    assert verdict(working.says(event)) == ("", "")
    name, _, _ = event.partition(".")
    assert working.home.rows("SELECT count(*) FROM events WHERE event = ?", name) == [(1,)]


def test_a_session_that_is_killed_within_a_compaction_goes_on(working: Window) -> None:
    within(working, "effort.log", text="Half of it stands.")
    working.says("PreCompact.auto")
    kills(working.home)
    text = context(working.says("SessionStart.compact"))
    assert "Half of it stands." in text
    assert working.sessions("source, end_reason") == [("startup", "compact"), ("compact", None)]


def test_a_restart_by_the_supervisor_survives_the_daemon_too(home: Home) -> None:
    home.settings({"precompact": {"action": "restart"}})
    home.serves()
    window = window_in(home, HOOKD_RUN="0b6a6f0e-2f4f-4a0e-9d6c-6f1f6a0c2f11")
    window.starts()
    window.says("SessionStart")
    hands_over(window)
    dies(home)
    # No supervisor is attached to the new daemon yet.
    assert window.says("PreCompact.auto") is None
    fresh = Window(home, window.project, env=window.env)
    assert MARK in context(fresh.says("SessionStart"))
    assert json.loads(home.hookd("session", "list", "--json").stdout)
