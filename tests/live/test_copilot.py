"""Live: Copilot CLI's events are judged as Claude Code's, whichever hook delivers them."""

import json
from typing import Any
from uuid import uuid4

import pytest

from hookd.clients.copilot.registration import NAMES
from support.home import Home, Window
from support.payloads import PAYLOADS, payload

CAPTURED = sorted((PAYLOADS / "copilot").rglob("*.json"))
DANGEROUS = {"command": "rm -rf /etc", "description": "d", "mode": "sync"}


def sent(home: Home, event: dict[str, Any], name: str, client: str = "copilot") -> Any:
    """Return the answer to an event that a hook of `client` delivers; None is silence."""
    return home.bare(json.dumps(event).encode(), name, client=client)["result"]


def rows(home: Home, session: str) -> list[Any]:
    sql = "SELECT event, tool_name, decision FROM events WHERE claude_session_id = ? ORDER BY id"
    return home.rows(sql, session)


@pytest.mark.parametrize("path", CAPTURED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_captured_payload_is_kept_once(shared: Home, path: Any) -> None:
    own = path.name.split(".")[0]
    name = next((ours for ours, theirs in NAMES.items() if theirs == own), own)
    event = payload(str(path.relative_to(PAYLOADS).with_suffix("")))
    session = event["sessionId" if "sessionId" in event else "session_id"] = str(uuid4())
    assert sent(shared, event, name) is None
    assert [row[0] for row in rows(shared, session)] == [name]
    where = "SELECT client FROM sessions WHERE claude_session_id = ?"
    assert shared.rows(where, session) in ([("copilot",)], [])


@pytest.mark.parametrize("spelling", ["camel/preToolUse", "pascal/PreToolUse"])
def test_a_dangerous_command_is_asked_about_in_copilots_words(shared: Home, spelling: str) -> None:
    more = {"toolArgs" if spelling[0] == "c" else "tool_input": DANGEROUS}
    session = {"sessionId" if spelling[0] == "c" else "session_id": str(uuid4())}
    answer = sent(shared, payload(f"copilot/{spelling}", **more, **session), "PreToolUse")
    assert answer["permissionDecision"] in ("ask", "deny")
    assert "hookd #" in answer["permissionDecisionReason"]


def test_a_hook_of_claude_code_that_copilot_runs_is_answered_in_copilots_words(
    shared: Home,
) -> None:
    event = payload("copilot/pascal/PreToolUse", tool_input=DANGEROUS, session_id=str(uuid4()))
    answer = sent(shared, event, "PreToolUse", client="")
    assert answer["permissionDecision"] in ("ask", "deny")
    assert [row[0] for row in rows(shared, event["session_id"])] == ["PreToolUse"]


def test_an_event_that_both_hooks_deliver_is_judged_once(shared: Home) -> None:
    session = str(uuid4())
    own = payload("copilot/camel/preToolUse", sessionId=session, toolArgs=DANGEROUS)
    other = payload("copilot/pascal/PreToolUse", session_id=session, tool_input=DANGEROUS)
    assert sent(shared, own, "PreToolUse")
    assert sent(shared, other, "PreToolUse", client="") is None
    assert len(rows(shared, session)) == 1


def test_an_unknown_client_is_recorded_and_gets_silence(window: Window) -> None:
    event = window.event("PreToolUse.Bash", tool_input=DANGEROUS)
    assert sent(window.home, event, "PreToolUse", client="windsurf") is None
    assert sent(window.home, {"session_id": window.id, "odd": 1}, "New", client="windsurf") is None
    events = window.home.rows(
        "SELECT event, tool_name FROM events WHERE claude_session_id = ? ORDER BY id", window.id
    )
    assert events[-2:] == [("PreToolUse", "Bash"), ("New", None)]
