"""Qwen Code's payloads become events of hookd: its tools, prompts, modes and todos."""

from typing import Any

import pytest
from pydantic import ValidationError

from hookd.clients.qwen.decode import CONTINUATION, normalize, version
from hookd.events.model import HookInput, parse_event
from hookd.methods import HOOKS
from support.payloads import PAYLOADS, payload

CAPTURED = sorted(path.stem for path in (PAYLOADS / "qwen").glob("*.json"))
CWD = "/home/user/project"


def read(name: str, **more: Any) -> dict[str, Any]:
    return normalize(payload(f"qwen/{name}", **more), "PreToolUse")


@pytest.mark.parametrize("name", CAPTURED)
def test_each_payload_is_an_event(name: str) -> None:
    given, made = payload(f"qwen/{name}"), read(name)
    own = given["hook_event_name"]
    expected = CONTINUATION if name.endswith("continuation") else own
    assert made["hook_event_name"] == expected
    known = expected in HOOKS
    event = parse_event(made, HOOKS[expected].params if known else HookInput)
    assert (event.session_id, event.cwd) == (given["session_id"], CWD)
    assert event.prompt_id == given.get("prompt_id")
    assert event.agent_id == given.get("agent_id")
    assert event.transcript_path == given["transcript_path"]
    for key in ("tool_use_id", "tool_call_id", "timestamp", "duration_ms"):
        assert made.get(key) == given.get(key)


@pytest.mark.parametrize(
    ("name", "tool", "given"),
    [
        (
            "PreToolUse",
            "Bash",
            {"command": "echo hi", "description": "d", "run_in_background": False},
        ),
        ("PreToolUse.write_file", "Write", {"file_path": f"{CWD}/a.txt", "content": "one\n"}),
        (
            "PreToolUse.edit",
            "Edit",
            {"file_path": f"{CWD}/a.txt", "old_string": "one", "new_string": "two"},
        ),
        ("PostToolUseFailure", "Read", {"file_path": f"{CWD}/nope.txt"}),
    ],
)
def test_a_call_has_its_tool_and_its_input(name: str, tool: str, given: Any) -> None:
    made = read(name)
    assert (made["tool_name"], made["tool_input"]) == (tool, given)
    assert made["client_tool"] == payload(f"qwen/{name}")["tool_name"]


def test_a_tool_of_a_server_has_its_name_already() -> None:
    made = read("PreToolUse", tool_name="mcp__github__push")
    assert made["tool_name"] == "mcp__github__push"
    assert "client_tool" not in made


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("yolo", "bypassPermissions"),
        ("auto_edit", "acceptEdits"),
        ("auto", "auto"),
        ("plan", "plan"),
        ("default", "default"),
    ],
)
def test_a_mode_has_its_name(mode: str, expected: str) -> None:
    assert read("PreToolUse", permission_mode=mode)["permission_mode"] == expected


@pytest.mark.parametrize(
    ("more", "event", "prompt"),
    [
        ({}, "UserPromptSubmit", "do it"),
        ({"submitted_prompt": "do it", "prompt": "do it\n\nfile"}, "UserPromptSubmit", "do it"),
        ({"submitted_prompt": None, "prompt": "typed in Vim mode"}, "UserPromptSubmit", None),
        ({"submitted_prompt": "", "prompt": ""}, CONTINUATION, ""),
        ({"submitted_prompt": None, "prompt": " \n"}, CONTINUATION, None),
    ],
)
def test_only_a_prompt_counts_as_one(more: Any, event: str, prompt: str | None) -> None:
    made = read("UserPromptSubmit", **more)
    assert made["hook_event_name"] == event
    assert made["prompt"] == (more["prompt"] if prompt is None else prompt)


def test_a_prompt_of_another_type_is_malformed() -> None:
    made = read("UserPromptSubmit", submitted_prompt=None, prompt=["do it"])
    with pytest.raises(ValidationError):
        parse_event(made, HOOKS["UserPromptSubmit"].params)


def test_a_stop_tells_the_context_usage() -> None:
    made = read("Stop")
    assert (made["context_tokens"], made["context_window"]) == (1200, 200_000)
    assert made["context_usage"] == 0.006
    without = payload("qwen/Stop")
    del without["input_tokens"], without["context_limit"]
    assert "context_tokens" not in normalize(without, "Stop")


def test_a_result_has_its_text_as_content() -> None:
    given, made = payload("qwen/PostToolUse")["tool_response"], read("PostToolUse")
    assert made["tool_response"]["content"] == given["llmContent"]
    assert made["tool_response"]["returnDisplay"] == "hi"


def test_a_command_that_failed_is_a_failed_call() -> None:
    said = payload("qwen/PostToolUse")["tool_response"]["llmContent"]
    failed = said.replace("Exit Code: 0", "Exit Code: 2")
    made = read("PostToolUse", tool_response={"llmContent": failed})
    assert (made["hook_event_name"], made["error"]) == ("PostToolUseFailure", failed)
    assert made["client_event"] == "PostToolUse"


def test_the_calls_of_a_batch_have_their_tools() -> None:
    call = read("PostToolBatch")["tool_calls"][0]
    assert (call["tool_name"], call["client_tool"]) == ("Bash", "run_shell_command")
    assert (call["tool_use_id"], call["tool_call_id"]) == ("call_1_0", "call_1_0")
    assert read("PostToolBatch", tool_calls=[7])["tool_calls"] == [7]
    assert read("PostToolBatch", tool_calls="x")["tool_calls"] == "x"


@pytest.mark.parametrize(
    ("own", "phase", "event"),
    [
        ("TodoCreated", "validation", "TaskCreated"),
        ("TodoCompleted", "validation", "TaskCompleted"),
        ("TodoCreated", "postWrite", "TodoCreated"),
        ("TodoCompleted", "postWrite", "TodoCompleted"),
    ],
)
def test_a_todo_is_a_task_once(own: str, phase: str, event: str) -> None:
    given = {"hook_event_name": own, "todo_id": "1", "todo_content": "test", "phase": phase}
    made = normalize(given, own)
    assert made["hook_event_name"] == event
    if event != own:
        assert (made["task_id"], made["task_subject"]) == ("1", "test")
        assert made["client_event"] == own


def test_an_unknown_event_keeps_its_name() -> None:
    given = {"hook_event_name": "SessionDelete", "session_id": "s", "new": [1]}
    assert normalize(given, "Stop") == given
    assert normalize({"hook_event_name": None}, "Stop") == {"hook_event_name": "Stop"}


def test_the_version_is_unknown() -> None:
    assert version({"QWEN_CODE": "1"}) is None
