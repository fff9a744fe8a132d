"""Live: the daemon is killed in the midst of a flow, or its answer is lost; nothing else is."""

import json
import socket
from typing import Any

import pytest

from support.flows import (
    after_clear,
    dies,
    handover,
    hands_over,
    has_run,
    put,
    skill,
    told,
    typed,
    with_templates,
    within,
)
from support.home import Home, Window, until, window_in
from support.payloads import context, header, verdict

pytestmark = pytest.mark.gate

MARK = "handover of the previous session"


@pytest.fixture
def window(daemon: Home) -> Window:
    """A window that works on an effort, with a daemon of its own that may be killed."""
    window = window_in(daemon, CLAUDE_PID="4714")
    window.starts()
    window.says("SessionStart")
    return window


def sent_deaf(window: Window, event: dict[str, Any]) -> None:
    """Send an event as one who is gone before the answer is there; the payload arrives whole."""
    name, body = event["hook_event_name"], json.dumps(event).encode()
    with window.home.link() as link, link.makefile("rb") as answers:
        link.sendall(header(name, window.identity) + body)
        assert b"hooks.accepted" in answers.readline()
        link.shutdown(socket.SHUT_RD)
        link.sendall(b"\x1e")


def states(window: Window) -> list[tuple[str, str]]:
    """Return the texts that this conversation's model was to get: rule, and what became of it."""
    sql = "SELECT source, state FROM injection_overview WHERE claude_session_id = ? ORDER BY id"
    return window.home.rows(sql, window.id)


def lost(window: Window) -> list[tuple[int]]:
    """Return how often each text went out, of those that are known not to have arrived."""
    sql = (
        "SELECT offers FROM injection_overview"
        " WHERE claude_session_id = ? AND state IN ('waiting', 'abandoned')"
    )
    return window.home.rows(sql, window.id)


def test_killed_before_the_first_prompt_what_was_offered_is_offered_again(window: Window) -> None:
    hands_over(window)
    second, text = after_clear(window)
    assert MARK in text
    dies(window.home)
    again = context(second.says("UserPromptSubmit"))
    assert again.startswith("[Session Context]")
    assert MARK in again
    assert states(second) == [("handover", "offered")]
    assert MARK not in context(second.says("UserPromptSubmit"))
    assert states(second) == [("handover", "delivered")]
    assert window.sessions("handover_offers, handover_delivered_at IS NOT NULL") == [(1, 1)]


def test_killed_between_a_call_and_its_end_the_counter_stands(window: Window) -> None:
    for _ in range(2):
        window.bash()
    event = window.event("PreToolUse.Bash")
    window.home.said(event, env=window.identity)
    dies(window.home)
    post = window.event("PostToolUse.Bash", tool_use_id=event["tool_use_id"])
    result = window.home.said(post, env=window.identity)
    assert result is None
    answer = window.rpc("hooks.postToolUse", **window.event("PostToolUse.Bash"))
    assert answer["heartbeatCount"] == window.count == 3
    assert "hookd log" in context(window.bash()) or window.count == 4


def test_killed_between_the_handover_and_the_next_window_it_is_given(window: Window) -> None:
    hands_over(window)
    dies(window.home)
    second, text = after_clear(window, ends=False)
    assert MARK in text
    second.says("UserPromptSubmit")
    assert window.sessions("handover_delivered_at IS NOT NULL") == [(1,)]


def test_killed_between_the_pieces_of_a_handover_they_go_on(window: Window) -> None:
    hands_over(window, summary="\n".join(f"word-{number:04}" for number in range(3_000)))
    second, first = after_clear(window)
    pieces = [first, context(has_run(second, "Bash", command="ls"))]
    dies(window.home)
    pieces += told(second)
    whole = "\n".join(pieces)
    places = [whole.rindex(f"word-{number:04}") for number in range(3_000)]
    assert places == sorted(places)
    assert window.sessions("handover_delivered_at IS NOT NULL") == [(1,)]


def test_a_text_whose_answer_was_lost_comes_with_the_next_event(window: Window) -> None:
    folder = skill(window, "plan", with_templates("LOG.md"))
    put(f"{folder}/LOG.md", "# The log")
    within(window, "effort.start", taskDir=f"{window.project}/t", skill="plan")
    assert states(window) == [("preload", "waiting")]
    sent_deaf(window, window.event("PreToolUse.Bash"))
    until(lambda: lost(window) == [(1,)])
    assert states(window) == [("preload", "waiting")]
    assert "# The log" in context(window.bash("git status"))
    assert "# The log" not in context(window.bash("git diff"))
    assert states(window) == [("preload", "delivered")]


def test_a_handover_whose_answer_was_lost_comes_with_the_next_event(window: Window) -> None:
    within(window, "handover.save", payload=handover())
    window.says("SessionEnd", reason="clear")
    second = Window(window.home, window.project, env=window.env)
    sent_deaf(second, second.event("SessionStart", source="clear"))
    until(lambda: states(second) == [("handover", "waiting")])
    assert MARK in context(second.says("UserPromptSubmit"))
    assert told(second) == []
    assert window.sessions("handover_delivered_at IS NOT NULL") == [(1,)]


def test_a_text_that_never_arrives_is_abandoned_after_three_times(window: Window) -> None:
    folder = skill(window, "plan", with_templates("LOG.md"))
    put(f"{folder}/LOG.md", "# The log")
    within(window, "effort.start", taskDir=f"{window.project}/t", skill="plan")
    for offers in (1, 2, 3):
        sent_deaf(window, window.event("PreToolUse.Bash"))
        until(lambda: lost(window) == [(offers,)])  # noqa: B023 - it is asked at once
    assert states(window) == [("preload", "abandoned")]
    assert "# The log" not in context(window.bash("git status"))


def test_a_denial_after_a_restart_is_the_same_one(window: Window) -> None:
    for _ in range(9):
        window.bash()
    dies(window.home)
    decision, reason = verdict(window.bash())
    assert (decision, "heartbeat: 10/10" in reason) == ("deny", True)


def test_an_effort_that_began_by_itself_outlives_the_daemon(daemon: Home) -> None:
    window = window_in(daemon)
    skill(window)
    window.says("SessionStart")
    typed(window, "implement", "pages")
    dies(daemon)
    window.bash()
    assert window.count == 0, "it is loading still"
    within(window, "effort.phase", phase="0: Setup")
    dies(daemon)
    window.bash()
    assert window.count == 1
    assert daemon.rows("SELECT skill, current_phase, lifecycle FROM efforts") == [
        ("implement", "0: Setup", "active")
    ]
    assert daemon.rows("PRAGMA integrity_check") == [("ok",)]
