"""Live: every payload that Gemini CLI sent is kept once, with an answer that it reads."""

import json
import os
from typing import Any
from uuid import uuid4

from clients.gemini.test_decode import CAPTURED, EVENTS
from hookd.clients.gemini.decode import normalize
from support.home import Home, Window
from support.payloads import payload
from support.user_hooks import at_work, nested

KEYS = {"decision", "reason", "continue", "stopReason", "systemMessage", "hookSpecificOutput"}


def sent(home: Home, event: dict[str, Any]) -> dict[str, Any]:
    """Send an event of Gemini CLI as its shim does; return the answer, {} if it is silence."""
    link = normalize(event, "")["hook_event_name"]
    output: dict[str, Any] = home.bare(json.dumps(event).encode(), link, client="gemini")["result"]
    assert (output or {}).keys() <= KEYS
    return output or {}


def captured(window: Window, name: str, **more: Any) -> dict[str, Any]:
    own = {"session_id": window.id, "cwd": window.project}
    return payload(f"gemini/{name}", **own, **more)


def events(window: Window) -> list[str]:
    query = "SELECT event FROM events WHERE claude_session_id = ? ORDER BY id"
    return [row[0] for row in window.home.rows(query, window.id)]


def test_each_captured_payload_is_kept_once_with_its_client(shared: Home) -> None:
    for name in CAPTURED:
        event = payload(f"gemini/{name}", session_id=str(uuid4()))
        sent(shared, event)
        rows = shared.rows(
            "SELECT event, payload FROM events WHERE claude_session_id = ?", event["session_id"]
        )
        assert [row[0] for row in rows] == [EVENTS[name]], name
        kept = json.loads(rows[0][1])
        assert kept.keys() >= event.keys() - {"prompt_response", "llm_request", "llm_response"}


def test_a_question_that_nobody_can_answer_is_answered_with_a_denial(window: Window) -> None:
    command = {"command": "git reset --hard", "dir_path": "."}
    answer = sent(window.home, captured(window, "BeforeTool", tool_input=command))
    assert answer["decision"] == "deny"
    assert "let the user decide" in answer["reason"]
    assert "hookd allow " in answer["reason"]
    rows = window.home.rows("SELECT decision FROM events WHERE claude_session_id = ?", window.id)
    assert rows == [("ask",)]  # as hookd decided, so that a replay compares like with like
    assert window.sessions("client") == [("gemini",)]


def test_a_relative_path_does_not_get_around_a_guard(window: Window) -> None:
    settings = window.home.path / "settings.json"
    for path in (str(settings), os.path.relpath(settings, window.project)):
        given = {"file_path": path, "content": "{}"}
        answer = sent(window.home, captured(window, "BeforeTool.write_file", tool_input=given))
        assert answer["decision"] == "deny", path


def test_each_address_that_is_fetched_is_judged(home: Home) -> None:
    window = at_work(home, {})
    home.hookd("guard", "add", "no-b", "WebFetch(domain:b.example)", "--deny", "Not there.")
    given = {"prompt": "Compare https://a.example and https://b.example."}
    call = captured(window, "BeforeTool", tool_name="web_fetch", tool_input=given)
    assert sent(home, call)["decision"] == "deny"


def test_the_same_call_twice_in_a_row_is_two_calls(window: Window) -> None:
    call = captured(window, "BeforeTool")
    for _ in range(2):
        sent(window.home, call)
    assert events(window) == ["PreToolUse", "PreToolUse"]


def test_a_compaction_is_only_what_a_person_asked_for(home: Home) -> None:
    window = at_work(home, {"precompact": {"action": "block"}})
    sent(home, captured(window, "SessionStart"))
    assert sent(home, captured(window, "PreCompress")) == {}
    assert sent(home, captured(window, "PreCompress.manual")) == {}
    assert events(window) == ["SessionStart", "PreCompress", "PreCompact"]


def test_a_session_that_ends_three_times_ends_once(window: Window) -> None:
    sent(window.home, captured(window, "SessionStart"))
    for _ in range(3):
        sent(window.home, captured(window, "SessionEnd"))
    assert window.sessions("end_reason") == [("exit",)]
    assert events(window) == ["SessionStart", *["SessionEnd"] * 3]


def test_context_before_a_call_comes_with_its_result(home: Home) -> None:
    said = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "first"}}'
    window = at_work(home, nested("PreToolUse", f"echo '{said}'"))
    assert sent(home, captured(window, "BeforeTool")) == {}
    answer = sent(home, captured(window, "AfterTool"))
    assert "first" in answer["hookSpecificOutput"]["additionalContext"]
    assert sent(home, captured(window, "AfterTool")) == {}


def test_a_stop_is_blocked_no_longer_than_the_limit(home: Home) -> None:
    limit = {"user_hooks": {"max_consecutive_stop_blocks": 2}}
    window = at_work(home, limit | nested("Stop", "echo more >&2; exit 2"))
    sent(home, captured(window, "BeforeAgent", prompt="do it"))
    decided: list[Any] = []
    for _ in range(4):
        answer = sent(home, captured(window, "AfterAgent", stop_hook_active=bool(decided)))
        decided.append(answer.get("decision"))
        if answer.get("decision"):  # Gemini CLI submits the reason as a prompt, and runs a tool
            sent(home, captured(window, "BeforeAgent", prompt=answer["reason"]))
            sent(home, captured(window, "AfterTool"))
    assert decided == ["deny", "deny", None, None]

    sent(home, captured(window, "BeforeAgent", prompt="and now?"))
    assert sent(home, captured(window, "AfterAgent"))["decision"] == "deny"
    query = "SELECT role, content FROM messages m JOIN sessions s ON s.id = m.session_id"
    said = home.rows(f"{query} WHERE s.claude_session_id = ? ORDER BY m.id", window.id)
    assert [text for role, text in said if role == "user"] == ["do it", "and now?"]
