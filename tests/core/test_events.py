"""What the client sends is read as it is meant; a repeated delivery is known by its key."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from all_rows import every
from hookd.core.events import (
    HookInput,
    PermissionRequest,
    PostToolUse,
    PreToolUse,
    SessionStart,
    UserPrompt,
    UserPromptExpansion,
    delivery_key,
    snake,
    transform_keys,
)

KEYS = [
    ("sessionId", "session_id"),
    ("hookEventName", "hook_event_name"),
    ("agent2Id", "agent2_id"),
    ("session_id", "session_id"),
    ("cwd", "cwd"),
    ("", ""),
]


@every(("camel", "expected"), KEYS)
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


@every(("payload", "expected"), TRANSFORMED)
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


@every("model", [PreToolUse, PermissionRequest, PostToolUse])
@every("payload", REFUSED, ids=str)
def test_a_tool_call_without_its_name_or_input_is_refused(model: Any, payload: Any) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(payload)


def test_what_is_wrong_is_told_without_the_value_that_may_be_a_secret() -> None:
    with pytest.raises(ValidationError) as caught:
        PreToolUse.model_validate({"tool_name": "Bash", "tool_input": "hunter2"})
    assert "tool_input" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def call(**more: Any) -> PreToolUse:
    given: dict[str, Any] = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": "toolu_01",
    }
    return PreToolUse.model_validate(given | more)


def prompt(**more: Any) -> UserPrompt:
    given = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt_id": "p"}
    return UserPrompt.model_validate(given | more)


MACHINES = [
    ("<task-notification>\n<task-id>x", True),
    ("  \n<task-notification>", True),
    ("<task-notification/>", True),
    ("<agent-message from='a'>", True),
    ("<agent-message\nfrom='a'>", True),
    ("<agent-message>", True),
    ("<agent-messages> are broken", False),
    ("<agent-message-list>", False),
    ("<agent-message", False),
    ("<task-notifications> come twice", False),
    ("why does <agent-message> come twice?", False),
    ("", False),
]


@every(("text", "machine"), MACHINES)
def test_a_machine_s_prompt_begins_with_its_own_tag(text: str, machine: bool) -> None:
    assert UserPrompt(prompt=text).by_machine == machine
    assert UserPrompt(prompt=text, source="cron").by_machine


def expansion(**more: Any) -> UserPromptExpansion:
    given = {"hook_event_name": "UserPromptExpansion", "session_id": "s", "prompt_id": "p"}
    named = {"command_name": "implement", "command_args": "pages"}
    return UserPromptExpansion.model_validate(given | named | more)


@every("more", [{"command_args": "users"}, {"command_name": "plan"}], ids=str)
def test_another_command_of_one_prompt_has_another_key(more: dict[str, Any]) -> None:
    assert delivery_key(expansion(**more)) != delivery_key(expansion())
    assert delivery_key(expansion(cwd="/x")) == delivery_key(expansion())
    assert delivery_key(expansion(command_args="\ud800")) is not None


DIFFERENT = [
    {"session_id": "t"},
    {"agent_id": "a"},
    {"tool_use_id": "toolu_02"},
    {"tool_input": {"command": "rm"}},
    {"hook_event_name": "PostToolUse"},
]


@every("more", DIFFERENT, ids=str)
def test_another_delivery_has_another_key(more: dict[str, Any]) -> None:
    assert delivery_key(call(**more)) != delivery_key(call())


def test_the_same_delivery_has_the_same_key_whatever_else_it_carries() -> None:
    again = call(cwd="/work/elsewhere", permission_mode="plan", something_new=1)
    assert delivery_key(again) == delivery_key(call())
    assert delivery_key(prompt(prompt="x")) == delivery_key(prompt())


def test_parts_of_a_key_do_not_run_into_each_other() -> None:
    assert delivery_key(call(agent_id="a", tool_use_id="bc")) != delivery_key(
        call(agent_id="ab", tool_use_id="c")
    )


def test_keys_of_one_session_lie_together() -> None:
    one, two = delivery_key(call()), delivery_key(prompt())
    assert one is not None
    assert two is not None
    assert one != two
    assert one.split("-")[0] == two.split("-")[0]


WITHOUT_KEY = [
    call(tool_use_id=None),
    call(tool_use_id=""),
    call(session_id=""),
    call(tool_use_id=None, prompt_id="p"),
    prompt(prompt_id=None),
    prompt(session_id=""),
    HookInput(hook_event_name="Stop", session_id="s", prompt_id="p"),
    SessionStart(hook_event_name="SessionStart", session_id="s"),
    PermissionRequest(tool_name="Bash", tool_input={}, session_id="s", prompt_id="p"),
]


@every("event", WITHOUT_KEY, ids=lambda event: event.hook_event_name)
def test_what_carries_no_id_of_its_own_has_no_key(event: HookInput) -> None:
    assert delivery_key(event) is None


def test_a_key_can_be_made_of_any_text() -> None:
    assert delivery_key(call(session_id="\ud800", tool_use_id="\udfff")) is not None
