"""Notifications: a desktop program is called, but not for a session that continues.

The stand-in writes down the words that it was called with.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.home import Home, Window, place, until, window_in
from support.payloads import context

WAIT = 600
"""Milliseconds of quiet before the end of a turn is told."""


@pytest.fixture(scope="module")
def desk() -> Iterator[Home]:
    """A daemon on whose PATH a program called notify-send stands."""
    with place() as home:
        folder = home.path / "bin"
        folder.mkdir()
        program = folder / "notify-send"
        program.write_text(f'#!/bin/bash\nprintf "%s\\n" "$*" >> {home.path}/notices\n')
        program.chmod(0o755)
        home.env["PATH"] = f"{folder}:{os.environ['PATH']}"
        options = {"idle_ms": WAIT, "texts": {"Stop": "is done"}}
        policies = {"profile": "workflow", "enabled": ["session-notification"]}
        home.settings({"policies": policies | {"options": {"session-notification": options}}})
        yield home.serves()


def notices(home: Home, window: Window) -> list[str]:
    """Return the notifications of a window's project."""
    path = home.path / "notices"
    lines = path.read_text().splitlines() if path.exists() else []
    return [line for line in lines if Path(window.project).name in line]


@pytest.fixture
def one(desk: Home) -> Window:
    """A window of an agent of its own."""
    return window_in(desk, AGENT_ID="backend")


@pytest.fixture
def window(desk: Home) -> Window:
    """Return a conversation of a person, without an agent's name."""
    return window_in(desk)


def test_the_end_of_a_turn_is_told_once_the_session_is_quiet(desk: Home, one: Window) -> None:
    one.says("UserPromptSubmit")
    assert one.says("Stop") is None
    until(lambda: notices(desk, one))
    (line,) = notices(desk, one)
    assert line.endswith(f"-- backend is done ({Path(one.project).name})")
    # The client says the same a minute later.
    assert one.says("Notification.idle_prompt") is None
    other = window_in(desk)
    other.says("Notification.permission_prompt")
    until(lambda: notices(desk, other))
    assert len(notices(desk, one)) == 1


def test_a_session_that_goes_on_is_not_told(desk: Home, one: Window) -> None:
    for name in ("Stop", "UserPromptSubmit"):  # without the shim: the second comes at once
        desk.bare(json.dumps(one.event(name)).encode(), name, one.identity)
    # A later stop was notified: so the first would have been.
    later = window_in(desk)
    later.says("Stop")
    until(lambda: notices(desk, later))
    assert notices(desk, one) == []


def test_a_person_who_is_asked_for_is_told_at_once(desk: Home, one: Window) -> None:
    one.says("Notification.permission_prompt", message="Needs a permission <b>")
    until(lambda: notices(desk, one))
    assert "Needs a permission &lt;b&gt;" in notices(desk, one)[0]
    one.says("Notification.permission_prompt")
    one.bash()
    one.says("Notification.permission_prompt", message="Needs another")
    until(lambda: len(notices(desk, one)) == 2)
    assert "Needs another" in notices(desk, one)[1]


def test_what_ends_in_the_background_is_told_with_the_next_result(window: Window) -> None:
    launch = {"status": "async_launched", "agentId": "a77", "description": "Look at files"}
    window.says("UserPromptSubmit")
    window.says("SubagentStart", agent_id="a77")
    window.says("PostToolUse.Agent.completed", tool_response=launch)
    assert window.says("PostToolUse.Edit") is None
    window.says("SubagentStop", agent_id="a77")
    told = context(window.says("PostToolUse.Edit"))
    assert "1 background task has ended: Look at files. None runs any more." in told
    assert window.says("PostToolBatch") is None


def test_a_turn_that_an_error_cut_off_is_told_with_the_next_prompt(window: Window) -> None:
    window.says("UserPromptSubmit")
    assert window.says("StopFailure") is None
    told = context(window.says("UserPromptSubmit"))
    assert (
        "[hookd:session-recovery] The previous turn was cut off by an API error (rate_limit)"
        in told
    )
    assert "cut off" not in context(window.says("UserPromptSubmit"))


def test_a_window_that_was_too_full_leaves_something_for_the_next(window: Window) -> None:
    window.says("SessionStart")
    window.says("PostToolUse.Edit", tool_name="Read")
    full = {"error": "invalid_request", "last_assistant_message": "Prompt is too long"}
    assert window.says("StopFailure", **full) is None
    answer = window.says("UserPromptSubmit")
    assert "exceeded the context window" in context(answer)
    assert "/compact" in answer["systemMessage"]
    window.says("SessionEnd", reason="clear")
    following = Window(window.home, window.project, env=window.env)
    said = context(following.says("SessionStart", source="clear"))
    assert "saved no handover" in said
