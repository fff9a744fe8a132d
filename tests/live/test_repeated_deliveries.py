"""Live: an event that is delivered again is answered again, and moves nothing."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support.home import Window
from support.payloads import context, verdict

TIMES = 20
PROJECT = ("--fail-closed",)
"""Arguments of a second registration, such as a project's."""


def by_socket(window: Window, event: dict[str, Any]) -> Any:
    """Deliver an event without the shim; return its answer."""
    body = json.dumps(event).encode()
    return window.home.bare(body, event["hook_event_name"], window.identity)["result"]


def by_shim(window: Window, event: dict[str, Any]) -> Any:
    """Deliver an event through the shim; return its answer."""
    return window.home.said(event, env=window.identity)


@pytest.mark.parametrize("deliver", [by_socket, by_shim])
def test_a_tool_call_delivered_many_times_at_once_counts_once(
    window: Window, deliver: Callable[[Window, dict[str, Any]], Any]
) -> None:
    window.starts(blockAfter=2, warnAfter=0)
    window.bash()
    event = window.event("PreToolUse.Bash")
    with ThreadPoolExecutor(TIMES) as pool:
        answers = list(pool.map(lambda _: deliver(window, event), range(TIMES)))
    assert verdict(answers[0])[0] == "deny"
    assert answers == [answers[0]] * TIMES
    assert window.count == 2
    kept = "SELECT id, repeats FROM events WHERE tool_use_id = ?"
    ((number, repeats),) = window.home.rows(kept, event["tool_use_id"])
    assert repeats == TIMES - 1
    shown = window.home.hookd("why", str(number)).stdout
    assert f"deliveries {TIMES}: {TIMES - 1} later ones repeat this event" in " ".join(
        shown.split()
    )


def test_a_repeat_while_the_users_hooks_run_is_counted(window: Window) -> None:
    go = f"{window.project}/go"
    add = (
        "hooks",
        "add",
        "PreToolUse",
        f"until test -e {go}; do sleep 0.05; done",
        "--scope",
        "local",
    )
    window.home.hookd(*add, "--project-dir", window.project, env=window.identity)
    event = window.event("PreToolUse.Bash")
    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(by_shim, window, event) for _ in range(2)]
        Path(go).touch()
        assert [one.result() for one in answers] == [None, None]
    rows = window.home.rows(
        "SELECT repeats FROM events WHERE tool_use_id = ?", event["tool_use_id"]
    )
    assert rows == [(1,)]


def test_another_input_under_a_used_id_is_judged_anew(window: Window) -> None:
    guard = ("guard", "add", "mine", "Bash(make deploy)", "--deny", "No.", "--scope", "local")
    window.home.hookd(*guard, env=window.identity)
    event = window.event("PreToolUse.Bash", tool_input={"command": "make"})
    assert by_shim(window, event) is None
    other = event | {"tool_input": {"command": "make deploy"}}
    assert verdict(by_shim(window, other))[0] == "deny"
    assert by_shim(window, event) is None
    assert window.count == 2


def test_another_tool_under_a_used_id_is_judged_anew(window: Window) -> None:
    guard = ("guard", "add", "mine", "Write", "--deny", "No.", "--scope", "local")
    window.home.hookd(*guard, env=window.identity)
    given = {"file_path": f"{window.project}/new.txt", "content": "x"}
    event = window.event("PreToolUse.Write", tool_name="Edit", tool_input=given)
    assert by_shim(window, event) is None
    assert verdict(by_shim(window, event | {"tool_name": "Write"}))[0] == "deny"


def test_the_same_id_in_another_event_session_or_subagent_is_another_delivery(
    window: Window,
) -> None:
    event = window.event("PreToolUse.Bash")
    by_shim(window, event)
    by_shim(window, event | {"agent_id": "a1"})
    by_shim(window, event | {"session_id": f"{window.id}-2"})
    by_shim(window, window.event("PostToolUse.Bash", tool_use_id=event["tool_use_id"]))
    rows = window.home.rows(
        "SELECT count(*) FROM events WHERE tool_use_id = ?", event["tool_use_id"]
    )
    assert rows == [(4,)]
    assert window.count == 1


def prompts(window: Window) -> list[str]:
    """Return what is kept of what the user said, the oldest first."""
    said = "SELECT content FROM messages m JOIN sessions s ON s.id = m.session_id"
    rows = window.home.rows(
        f"{said} WHERE s.claude_session_id = ? AND role = 'user' ORDER BY m.id", window.id
    )
    return [text for (text,) in rows]


def test_a_prompt_delivered_by_two_registrations_is_one(window: Window) -> None:
    window.starts()
    event = window.event("UserPromptSubmit", prompt="Add pages.")
    both = [by_shim(window, event), window.home.said(event, args=PROJECT, env=window.identity)]
    assert context(both[0])
    assert both == [both[0]] * 2
    assert prompts(window) == ["Add pages."]


def test_prompts_typed_into_a_running_turn_are_prompts_of_their_own(window: Window) -> None:
    window.starts()
    turn = window.event("UserPromptSubmit", prompt="Add pages.")
    texts = ["Add pages.", "stop continuing", "continue", "continue"]
    answers = []
    for text in texts:
        typed = turn | {"prompt": text}
        answers.append(by_shim(window, typed))
        window.home.said(typed, args=PROJECT, env=window.identity)
    assert all(map(context, answers))
    assert "stop continuing" in answers[1]["systemMessage"]
    assert prompts(window) == texts
    rows = window.home.rows(
        "SELECT count(*) FROM events WHERE claude_session_id = ? AND prompt_id = ?",
        window.id,
        turn["prompt_id"],
    )
    assert rows == [(len(texts),)]


@pytest.mark.parametrize("name", ["Stop", "Notification", "PermissionRequest", "SubagentStop"])
def test_an_event_without_an_id_is_one_for_each_time_the_client_fires_it(
    window: Window, name: str
) -> None:
    event = window.event(name)
    for _ in range(2):
        by_shim(window, event)
        window.home.said(event, args=PROJECT, env=window.identity)
    rows = window.home.rows(
        "SELECT count(*) FROM events WHERE claude_session_id = ? AND event = ?", window.id, name
    )
    assert rows == [(2,)]


def test_an_answered_question_is_kept_once(window: Window) -> None:
    event = window.event("PostToolUse.AskUserQuestion")
    for _ in range(2):
        by_shim(window, event)
    rows = window.home.rows("SELECT content FROM messages WHERE ref = ?", event["tool_use_id"])
    assert len(rows) == 1
    assert json.loads(rows[0][0])["questions"]


def test_a_repeated_call_is_still_known_after_a_restart(window: Window) -> None:
    window.starts(blockAfter=1)
    event = window.event("PreToolUse.Bash")
    first = by_shim(window, event)
    window.home.restarts()
    assert by_shim(window, event) == first
    assert window.count == 1
