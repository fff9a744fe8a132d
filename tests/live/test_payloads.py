"""Live: every payload that the real client sent goes through the shim and is kept."""

import json
from uuid import uuid4

import pytest

from support.home import Home, Window
from support.payloads import PAYLOADS, payload

NAMES = sorted(path.stem for path in PAYLOADS.glob("*.json"))


def test_there_are_payloads() -> None:
    assert len(NAMES) > 50


@pytest.mark.parametrize("name", NAMES)
def test_a_payload_of_the_real_client_is_answered_and_kept_once(shared: Home, name: str) -> None:
    # Of a session of its own: two of the files are of one call.
    event = payload(name, session_id=str(uuid4()))
    done = shared.hook(event)
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", b"")
    rows = shared.rows(
        "SELECT event, tool_name, payload FROM events WHERE claude_session_id = ?",
        event["session_id"],
    )
    assert [row[:2] for row in rows] == [(event["hook_event_name"], event.get("tool_name"))]
    assert json.loads(rows[0][2]).keys() == event.keys()


def test_an_event_that_nobody_knows_yet_passes_in_silence_and_is_kept(window: Window) -> None:
    event = window.event("Stop", hook_event_name="FutureEvent", novelty={"of": ["tomorrow"]})
    done = window.home.hook(event)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    rows = window.home.rows("SELECT event FROM events WHERE claude_session_id = ?", window.id)
    assert rows == [("FutureEvent",)]


def test_an_event_without_a_name_goes_by_the_name_it_was_registered_for(window: Window) -> None:
    event = window.event("PreToolUse.Bash")
    del event["hook_event_name"]
    done = window.home.hook(json.dumps(event).encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    rows = window.home.rows(
        "SELECT event, tool_name FROM events WHERE claude_session_id = ?", window.id
    )
    assert rows == [("PreToolUse", "Bash")]
    assert window.count == 1


def test_a_payload_in_camel_case_is_understood(window: Window) -> None:
    event = {
        "sessionId": window.id,
        "cwd": window.project,
        "hookEventName": "PreToolUse",
        "toolName": "Bash",
        "toolInput": {"command": "ls"},
        "toolUseId": "toolu_camel",
    }
    assert window.home.bare(json.dumps(event).encode(), env=window.identity)["result"] is None
    assert window.count == 1
