"""A payload is decoded as its event's model; of a malformed one, the identifying fields remain."""

from typing import Any

import pytest
from pydantic import ValidationError

from hookd.clients.claude_code import decode
from hookd.events.model import HookInput, PreToolUse, parse_event, salvage
from support.parametrize import parametrize_all

CALL = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}, "new": 1}


@parametrize_all(
    ("payload", "name"),
    [
        ({"hook_event_name": "Stop"}, "Stop"),
        ({"hookEventName": "Stop"}, "Stop"),
        ({"hook_event_name": ""}, "PreToolUse"),
        ({"hook_event_name": 7}, "PreToolUse"),
        ({}, "PreToolUse"),
    ],
)
def test_the_payload_names_the_event_before_the_registered_link(
    payload: dict[str, Any], name: str
) -> None:
    assert decode.normalize(payload, "PreToolUse")["hook_event_name"] == name


def test_an_event_keeps_fields_that_are_not_known() -> None:
    event = parse_event(decode.normalize(CALL, "PreToolUse"), PreToolUse)
    assert (event.hook_event_name, event.call.name) == ("PreToolUse", "Bash")
    assert event.model_dump()["new"] == 1
    assert decode.normalize({"sessionId": "s"}, "New")["session_id"] == "s"


def test_a_call_without_input_is_refused_and_salvaged() -> None:
    broken = decode.normalize(CALL | {"tool_input": 7, "prompt_id": ["p"]}, "PreToolUse")
    with pytest.raises(ValidationError):
        parse_event(broken, PreToolUse)
    expected = HookInput(hook_event_name="PreToolUse", session_id="s", tool_name="Bash")
    assert salvage(broken) == expected


@parametrize_all(
    ("agent", "version"),
    [
        ("claude-code_2-1-330_harness", "2.1.330"),
        ("claude-code_2-1-99", "2.1.99"),
        ("claude-code_2-1", None),
        ("claude-code_2-1-1234567", None),
        ("other_2-1-330", None),
        (None, None),
        (7, None),
    ],
)
def test_the_environment_contains_the_version(agent: object, version: str | None) -> None:
    assert decode.version({"AI_AGENT": agent} if agent else {}) == version
