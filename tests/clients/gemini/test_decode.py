"""Gemini CLI's payloads become events of hookd: its names, tools, results and compactions."""

from typing import Any

import pytest
from pydantic import ValidationError

from hookd.clients.gemini.decode import normalize, version
from hookd.events.delivery_identity import call_key, payload_key
from hookd.events.model import HookInput, parse_event
from hookd.methods import HOOKS
from support.payloads import PAYLOADS, payload

CAPTURED = sorted(path.stem for path in (PAYLOADS / "gemini").glob("*.json"))
CWD = "/home/user/project"

EVENTS = {
    "AfterAgent": "Stop",
    "AfterAgent.active": "Stop",
    "AfterModel": "AfterModel",
    "AfterTool": "PostToolUse",
    "AfterTool.read_file": "PostToolUseFailure",
    "AfterTool.replace": "PostToolUse",
    "AfterTool.write_file": "PostToolUse",
    "BeforeAgent": "UserPromptSubmit",
    "BeforeModel": "BeforeModel",
    "BeforeTool": "PreToolUse",
    "BeforeTool.read_file": "PreToolUse",
    "BeforeTool.replace": "PreToolUse",
    "BeforeTool.write_file": "PreToolUse",
    "BeforeToolSelection": "BeforeToolSelection",
    "Notification": "Notification",
    "PreCompress": "PreCompress",
    "PreCompress.manual": "PreCompact",
    "SessionEnd": "SessionEnd",
    "SessionStart": "SessionStart",
}


def read(name: str, **more: Any) -> dict[str, Any]:
    return normalize(payload(f"gemini/{name}", **more), "PreToolUse")


@pytest.mark.parametrize("name", CAPTURED)
def test_each_payload_is_an_event(name: str) -> None:
    given, made = payload(f"gemini/{name}"), read(name)
    assert made["hook_event_name"] == EVENTS[name]
    own = given["hook_event_name"]
    assert made.get("client_event", made["hook_event_name"]) == own
    known = EVENTS[name] in HOOKS
    event = parse_event(made, HOOKS[EVENTS[name]].params if known else HookInput)
    assert (event.prompt_id, event.permission_mode, event.agent_id) == (None, None, None)
    assert (event.session_id, event.cwd) == (given["session_id"], CWD)
    assert event.transcript_path == given["transcript_path"]
    renamed = {"hook_event_name", "tool_name", "tool_input", "tool_response", "prompt_response"}
    renamed |= {"notification_type"} if name == "Notification" else set()
    assert {key: made[key] for key in given.keys() - renamed} == {
        key: given[key] for key in given.keys() - renamed
    }


@pytest.mark.parametrize("name", ["BeforeTool.write_file", "AfterTool.write_file"])
def test_a_relative_path_is_absolute(name: str) -> None:
    made = read(name)
    assert (made["tool_name"], made["client_tool"]) == ("Write", "write_file")
    assert made["tool_input"] == {"file_path": f"{CWD}/a.txt", "content": "one\n"}


def test_a_result_has_its_text_as_content() -> None:
    given, made = payload("gemini/AfterTool.replace")["tool_response"], read("AfterTool.replace")
    assert made["tool_response"]["content"] == given["llmContent"]
    assert made["tool_response"]["returnDisplay"] == given["returnDisplay"]


def test_a_failed_call_has_its_error() -> None:
    made = read("AfterTool.read_file")
    assert made["error"] == f"File not found: {CWD}/nope.txt"
    text = read("AfterTool", tool_response={"llmContent": "x", "error": "it broke"})
    assert (text["hook_event_name"], text["error"]) == ("PostToolUseFailure", "it broke")
    no_text = read("AfterTool", tool_response={"llmContent": "x", "error": {"type": "t"}})
    assert (no_text["hook_event_name"], no_text["error"]) == ("PostToolUseFailure", "{'type': 't'}")


def test_a_command_that_failed_is_a_failed_call() -> None:
    said = "Output: 1 failed\nExit Code: 1\nProcess Group PGID: 7"
    made = read("AfterTool", tool_response={"llmContent": said})
    assert (made["hook_event_name"], made["error"]) == ("PostToolUseFailure", said)


def test_the_answer_of_a_turn_is_the_last_message() -> None:
    made = read("AfterAgent.active")
    assert made["last_assistant_message"] == "All done.\nDone."
    assert made["stop_hook_active"] is True
    assert "prompt_response" not in made


def test_a_permission_dialog_is_a_permission_prompt() -> None:
    made = read("Notification")
    assert made["notification_type"] == "permission_prompt"
    assert made["details"]["command"] == "echo perm > ran.txt"
    assert read("Notification", notification_type="New")["notification_type"] == "New"


def test_only_a_persons_compaction_is_one() -> None:
    assert read("PreCompress", trigger=7)["hook_event_name"] == "PreCompress"


def test_the_link_names_an_event_without_a_name() -> None:
    given = payload("gemini/BeforeTool")
    del given["hook_event_name"]
    made = normalize(given, "PreToolUse")
    assert (made["hook_event_name"], made["tool_name"]) == ("PreToolUse", "Bash")
    assert normalize({"hook_event_name": 7}, "Stop")["hook_event_name"] == "Stop"


def test_an_unknown_event_keeps_its_name() -> None:
    given = {"hook_event_name": "BeforeDawn", "new": {"deep": [1]}}
    assert normalize(given, "Stop") == given


@pytest.mark.parametrize("broken", [{"tool_name": 7}, {"tool_name": None}])
def test_a_malformed_call_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        parse_event(read("BeforeTool", **broken), HOOKS["PreToolUse"].params)


def test_nobody_is_at_the_terminal_because_a_payload_says_so() -> None:
    made = read("BeforeTool", interactive=True)
    assert parse_event(made, HOOKS["PreToolUse"].params).interactive is None


def test_a_call_without_an_id_is_identified_by_its_delivery() -> None:
    event = parse_event(read("BeforeTool"), HOOKS["PreToolUse"].params)
    assert call_key(event) is None
    assert payload_key(event, b"{}") is not None


def test_the_version_is_unknown() -> None:
    assert version({"GEMINI_CLI": "1"}) is None
