"""Copilot CLI's payloads, in both spellings, become events of the internal model."""

from pathlib import Path
from typing import Any

import pytest

from hookd.clients.adapters import CLAUDE_CODE, sender_of
from hookd.clients.copilot import decode
from hookd.clients.copilot.registration import NAMES
from hookd.events.model import HookInput
from hookd.methods import HOOKS
from support.payloads import PAYLOADS, payload

CAPTURED = sorted((PAYLOADS / "copilot").rglob("*.json"))
LINKS = {theirs: ours for ours, theirs in NAMES.items()}
FILE = "/home/user/project/a.txt"


def normalized(path: Path) -> dict[str, Any]:
    own = path.name.split(".")[0]
    name = str(path.relative_to(PAYLOADS).with_suffix(""))
    return decode.normalize(payload(name), LINKS.get(own, own))


@pytest.mark.parametrize("path", CAPTURED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_captured_payload_is_an_event(path: Path) -> None:
    fields = normalized(path)
    name = fields["hook_event_name"]
    model = HOOKS[name].params if name in HOOKS else HookInput
    event = model.model_validate(fields)
    assert (len(event.session_id), event.cwd) == (36, "/home/user/project")
    own = path.name.split(".")[0]
    assert name == LINKS.get(own, own)
    camel = path.parent.name == "camel" or own == "PermissionRequest"
    assert event.client_event == (NAMES.get(name, name) if camel else "")


@pytest.mark.parametrize("path", CAPTURED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_hook_of_claude_code_that_copilot_runs_is_recognised(path: Path) -> None:
    sent = payload(str(path.relative_to(PAYLOADS).with_suffix("")))
    assert sender_of(CLAUDE_CODE, sent, {}).name == "copilot"


BASH = {"command": "echo hi", "description": "d", "mode": "sync"}


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("camel/preToolUse", ("Bash", BASH, "bash")),
        ("camel/preToolUse.create", ("Write", {"file_path": FILE, "content": "one\n"}, "create")),
        (
            "camel/preToolUse.edit",
            ("Edit", {"file_path": FILE, "old_string": "one", "new_string": "two"}, "edit"),
        ),
        ("camel/preToolUse.view", ("Read", {"file_path": FILE.replace("a.", "nope.")}, "view")),
        ("camel/permissionRequest", ("Bash", {"command": "echo hi"}, "bash")),
        ("camel/postToolUse", ("Bash", BASH, "bash")),
        ("pascal/PreToolUse", ("Bash", BASH, "")),
        ("pascal/PostToolUse", ("Bash", BASH, "")),
        (
            "pascal/PostToolUseFailure",
            ("Read", {"file_path": FILE.replace("a.", "nope.")}, "Read"),
        ),
        ("pascal/PermissionRequest", ("Bash", {"command": "echo hi"}, "bash")),
    ],
)
def test_a_call_has_claude_codes_names(name: str, call: tuple[Any, ...]) -> None:
    fields = normalized(PAYLOADS / "copilot" / f"{name}.json")
    found = (fields["tool_name"], fields["tool_input"], fields.get("client_tool", ""))
    assert found == call


def test_a_permission_request_for_an_edit_names_the_file_and_its_change() -> None:
    fields = normalized(PAYLOADS / "copilot" / "camel" / "permissionRequest.edit.json")
    assert (fields["tool_name"], fields["tool_input"]["file_path"]) == ("Edit", FILE)
    assert fields["tool_input"]["new_string"].endswith("+one\n")


@pytest.mark.parametrize(
    ("own", "given", "tool", "inputs"),
    [
        (
            "str_replace_editor",
            {"command": "create", "path": "a", "file_text": "x"},
            "Write",
            {"command": "create", "file_path": "/work/a", "content": "x"},
        ),
        (
            "str_replace_editor",
            {"command": "view", "path": "/a"},
            "Read",
            {"command": "view", "file_path": "/a"},
        ),
        (
            "write_bash",
            {"shellId": "0", "input": "rm -rf x"},
            "Bash",
            {"shellId": "0", "command": "rm -rf x"},
        ),
        ("bash", '{"command": "ls"}', "Bash", {"command": "ls"}),
        ("apply_patch", "*** Begin Patch", "ApplyPatch", {"command": "*** Begin Patch"}),
        ("task", {"agent_type": "explore"}, "Agent", {"subagent_type": "explore"}),
        ("docs-search", {"q": "x"}, "mcp__docs__search", {"q": "x"}),
        ("report_intent", {"intent": "x"}, "report_intent", {"intent": "x"}),
        ("bash", "no object", "Bash", {"command": "no object"}),
        ("docs-search", "x", "mcp__docs__search", {"input": "x"}),
        ("create", {"path": "/b", "file_path": "/a"}, "Write", {"file_path": "/b"}),
        ("write_bash", {"input": "rm -rf ~", "command": "ls"}, "Bash", {"command": "rm -rf ~"}),
        ("write_bash", {"input": "ls{enter}"}, "Bash", {"command": "ls\n"}),
        ("write_bash", {"input": "{up}{enter}"}, "Bash", {"command": "\n"}),
        ("write_bash", {"input": "lx{backspace}s"}, "Bash", {"input": "lx{backspace}s"}),
        ("write_bash", {"delay": 1}, "Bash", {"delay": 1, "command": ""}),
        ("str_replace_editor", {"command": "bash"}, "Edit", {"command": "bash"}),
    ],
)
def test_a_tool_has_claude_codes_name(own: str, given: Any, tool: str, inputs: Any) -> None:
    sent = {"sessionId": "s", "cwd": "/work", "toolName": own, "toolArgs": given}
    fields = decode.normalize(sent, "PreToolUse")
    assert (fields["tool_name"], fields["tool_input"]) == (tool, inputs)
    assert fields.get("client_tool", tool) == own


def test_the_start_and_an_error_have_the_internal_values() -> None:
    start = decode.normalize(payload("copilot/camel/sessionStart"), "SessionStart")
    assert (start["source"], start["initial_prompt"]) == ("startup", "do it")
    sent = {"sessionId": "s", "error": {"message": "late", "name": "x"}, "recoverable": True}
    error = decode.normalize(sent, "StopFailure")
    assert (error["error_details"], error["recoverable"]) == (sent["error"], True)
    assert decode.normalize(sent, "PostToolUseFailure")["error"] == sent["error"]


def test_the_result_of_a_call_is_its_text() -> None:
    for name in ("camel/postToolUse", "pascal/PostToolUse"):
        fields = normalized(PAYLOADS / "copilot" / f"{name}.json")
        assert fields["tool_response"] == "hi\n<shellId: 0 completed with exit code 0>"


def test_the_environment_contains_the_version() -> None:
    assert decode.version({"COPILOT_CLI_BINARY_VERSION": "1.0.102"}) == "1.0.102"
    assert decode.version({"COPILOT_CLI_BINARY_VERSION": 7}) is None


def test_the_name_of_an_mcp_tool_has_several_readings() -> None:
    sent = {"sessionId": "s", "toolName": "context7-resolve-library-id", "toolArgs": {}}
    fields = decode.normalize(sent, "PreToolUse")
    assert fields["tool_name"] == "mcp__context7-resolve-library__id"
    assert fields["tool_readings"] == [
        "mcp__context7-resolve__library-id",
        "mcp__context7__resolve-library-id",
    ]
