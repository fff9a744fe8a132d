"""Live: every payload that Qwen Code sent is kept once, with an answer that it reads."""

import json
from typing import Any
from uuid import uuid4

import pytest

from clients.qwen.test_decode import CAPTURED
from hookd.clients.qwen.decode import CONTINUATION
from support.home import Home, Window
from support.payloads import payload, verdict
from support.user_hooks import at_work, nested


def sent(home: Home, event: dict[str, Any]) -> Any:
    """Send an event of Qwen Code as its shim does; return the answer, None if it is silence."""
    name = event["hook_event_name"]
    return home.bare(json.dumps(event).encode(), name, client="qwen")["result"]


def captured(window: Window, name: str, **more: Any) -> dict[str, Any]:
    own = {"session_id": window.id, "cwd": window.project}
    return payload(f"qwen/{name}", **own, **more)


def test_each_captured_payload_is_kept_once_with_its_client(shared: Home) -> None:
    for name in CAPTURED:
        event = payload(f"qwen/{name}", session_id=str(uuid4()))
        sent(shared, event)
        rows = shared.rows(
            "SELECT event, prompt_id, tool_use_id, payload FROM events WHERE claude_session_id = ?",
            event["session_id"],
        )
        own = event["hook_event_name"]
        expected = CONTINUATION if name.endswith("continuation") else own
        ids = (event.get("prompt_id"), event.get("tool_use_id"))
        assert [row[:3] for row in rows] == [(expected, *ids)], name
        assert json.loads(rows[0][3]).keys() >= event.keys()


def test_a_risky_command_is_denied_and_a_question_is_asked(window: Window) -> None:
    def call(command: str) -> tuple[str, str]:
        given = {"command": command, "is_background": False}
        event = captured(window, "PreToolUse", tool_input=given, tool_use_id=str(uuid4()))
        return verdict(sent(window.home, event))

    assert call("rm -rf /")[0] == "deny"
    decision, reason = call("git reset --hard")
    assert decision == "ask"
    assert "Qwen Code denies the call" in reason
    assert "hookd allow " in reason
    assert window.sessions("client") == [("qwen",)]


def test_a_command_in_another_folder_is_judged_there(window: Window) -> None:
    given = {"command": "rm -rf *", "directory": "/"}
    answer = sent(window.home, captured(window, "PreToolUse", tool_input=given))
    assert verdict(answer)[0] in ("deny", "ask")


def test_a_continuation_is_no_prompt(window: Window) -> None:
    sent(window.home, captured(window, "UserPromptSubmit"))
    for _ in range(2):
        assert sent(window.home, captured(window, "UserPromptSubmit.continuation")) is None
    query = "SELECT role, content FROM messages m JOIN sessions s ON s.id = m.session_id"
    said = window.home.rows(f"{query} WHERE s.claude_session_id = ?", window.id)
    assert said == [("user", "do it")]


def test_instructions_that_are_loaded_before_the_start_open_no_session(window: Window) -> None:
    sent(window.home, captured(window, "InstructionsLoaded"))
    sent(window.home, captured(window, "SessionStart"))
    assert window.sessions("source, end_reason") == [("startup", None)]


def test_a_stop_sets_the_context_usage(window: Window) -> None:
    sent(window.home, captured(window, "SessionStart"))
    sent(window.home, captured(window, "Stop", input_tokens=150_000))
    assert window.sessions("context_usage, window_tokens, model") == [(0.75, 200_000, "mock")]


def test_another_input_is_denied_until_the_call_has_it(home: Home) -> None:
    changed = {"command": "git push --dry-run"}
    said = {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": changed}
    hook = f"grep -q dry-run || echo '{json.dumps({'hookSpecificOutput': said})}'"
    window = at_work(home, nested("PreToolUse", hook))

    def call(command: str) -> tuple[str, str]:
        event = captured(window, "PreToolUse", tool_input={"command": command})
        return verdict(sent(home, event | {"tool_use_id": str(uuid4())}))

    decision, reason = call("git push")
    assert decision == "deny"
    assert "run_shell_command with this command:\ngit push --dry-run" in reason
    assert call("git push --dry-run") == ("", "")


@pytest.mark.parametrize("phase", ["validation", "postWrite"])
def test_a_todo_is_stored_before_it_is_written(window: Window, phase: str) -> None:
    own = {"session_id": window.id, "cwd": window.project, "hook_event_name": "TodoCreated"}
    sent(window.home, captured(window, "UserPromptSubmit"))
    sent(window.home, own | {"todo_id": "1", "todo_content": "test it", "phase": phase})
    stored = window.home.rows(
        "SELECT t.subject FROM todos t JOIN sessions s ON s.id = t.session_id"
        " WHERE s.claude_session_id = ?",
        window.id,
    )
    assert stored == ([("test it",)] if phase == "validation" else [])
