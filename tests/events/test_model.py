"""The client's payloads are parsed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hookd.events.model import (
    HookInput,
    PermissionRequest,
    PostToolUse,
    PreToolUse,
    SessionStart,
    UserPrompt,
    snake,
    transform_keys,
)
from support.parametrize import parametrize_all

KEYS = [
    ("sessionId", "session_id"),
    ("hookEventName", "hook_event_name"),
    ("agent2Id", "agent2_id"),
    ("session_id", "session_id"),
    ("cwd", "cwd"),
    ("", ""),
]


@parametrize_all(("camel", "expected"), KEYS)
def test_a_key_is_spelt_as_the_client_spells_it(camel: str, expected: str) -> None:
    assert snake(camel) == expected


TRANSFORMED: list[tuple[Any, Any]] = [
    ({"sessionId": "s"}, {"session_id": "s"}),
    ({"session_id": "s"}, {"session_id": "s"}),
    ({"sessionId": "mine", "session_id": "the client's"}, {"session_id": "the client's"}),
    ({"session_id": "the client's", "sessionId": "mine"}, {"session_id": "the client's"}),
    ({"toolInput": {"filePath": "/x"}}, {"tool_input": {"filePath": "/x"}}),
    ({"toolInput": [{"aB": 1}]}, {"tool_input": [{"aB": 1}]}),
    ({}, {}),
    ([{"aB": 1}], [{"aB": 1}]),
    ("aB", "aB"),
    (None, None),
]


@parametrize_all(("payload", "expected"), TRANSFORMED)
def test_top_level_keys_are_taken_in_camel_case_too(payload: Any, expected: Any) -> None:
    assert transform_keys(payload) == expected


@given(st.dictionaries(st.sampled_from(["cwd", "session_id", "x2", "tool_input", ""]), st.none()))
def test_a_payload_in_the_clients_spelling_stays_as_it_is(payload: Any) -> None:
    assert transform_keys(payload) == payload


def test_a_field_that_is_not_known_is_kept() -> None:
    event = HookInput.model_validate({"hookEventName": "X", "somethingNew": {"aB": 1}})
    assert event.hook_event_name == "X"
    assert event.model_dump()["something_new"] == {"aB": 1}


def test_everything_that_may_be_absent_may_be_absent() -> None:
    assert HookInput.model_validate({}).session_id == ""
    assert SessionStart.model_validate({}).source == "startup"
    assert UserPrompt.model_validate({}).prompt == ""


REFUSED: list[dict[str, Any]] = [
    {},
    {"tool_name": "Bash"},
    {"tool_input": {}},
    {"tool_name": None, "tool_input": {}},
    {"tool_name": 7, "tool_input": {}},
    {"tool_name": "Bash", "tool_input": None},
    {"tool_name": "Bash", "tool_input": "rm -rf /"},
    {"tool_name": "Bash", "tool_input": ["rm", "-rf"]},
    {"tool_name": "Bash", "tool_input": {}, "tool_use_id": 7},
]


@parametrize_all("model", [PreToolUse, PermissionRequest, PostToolUse])
@parametrize_all("payload", REFUSED, ids=str)
def test_a_tool_call_without_its_name_or_input_is_refused(model: Any, payload: Any) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(payload)


def test_what_is_wrong_is_told_without_the_value_that_may_be_a_secret() -> None:
    with pytest.raises(ValidationError) as caught:
        PreToolUse.model_validate({"tool_name": "Bash", "tool_input": "hunter2"})
    assert "tool_input" in str(caught.value)
    assert "hunter2" not in str(caught.value)


MACHINES = [
    ("<task-notification>\n<task-id>x", True),
    ("  \n<task-notification>", True),
    ("<task-notification/>", True),
    ("hookd: 2 messages waiting", True),
    (" hookd: 1 message waiting\n", True),
    ("hookd: 2 messages waiting? Read them.", False),
    ("Is `hookd: 2 messages waiting` yours?", False),
    ("<agent-message from='a'>", True),
    ("<agent-message\nfrom='a'>", True),
    ("<agent-message>", True),
    ('<cross-session-message from="uds:/s.sock" from-name="ann">\nstop the loop', True),
    ("<teammate-message teammate_id='ann'>", True),
    ("[Cross-session delivery notice] Held by that session (recipient: @ultrawork).", True),
    ("[Cross-session idle notice] ultrawork is idle.", True),
    ("[Cross-session notes] I wrote some.", False),
    ("What is a [Cross-session delivery notice]?", False),
    ("<cross-session-messages> come twice", False),
    ("<system-reminder>\nStop hook blocking error from command: x\n</system-reminder>", True),
    ("<system-reminder> is a tag of the client's", False),
    ("<agent-messages> are broken", False),
    ("<agent-message-list>", False),
    ("<agent-message", False),
    ("<task-notifications> come twice", False),
    ("why does <agent-message> come twice?", False),
    ("", False),
]


@parametrize_all(("text", "machine"), MACHINES)
def test_a_machine_s_prompt_begins_with_its_own_tag(text: str, machine: bool) -> None:
    assert UserPrompt(prompt=text).by_machine == machine
    assert UserPrompt(prompt=text, source="cron").by_machine
