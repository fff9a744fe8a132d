"""Copilot CLI's payloads, in both spellings, become events of the internal model."""

from pathlib import Path
from typing import Any

import pytest

from hookd.clients.adapters import CLAUDE_CODE, sender_of
from hookd.clients.copilot import decode
from hookd.clients.copilot.registration import MORE, NAMES
from hookd.events.model import HookInput
from hookd.methods import HOOKS
from support.payloads import PAYLOADS, payload

CAPTURED = sorted((PAYLOADS / "copilot").rglob("*.json"))
LINKS = {
    "sessionStart": "SessionStart",
    "sessionEnd": "SessionEnd",
    "userPromptSubmitted": "UserPromptSubmit",
    "preToolUse": "PreToolUse",
    "permissionRequest": "PermissionRequest",
    "postToolUse": "PostToolUse",
    "postToolUseFailure": "PostToolUseFailure",
    "agentStop": "Stop",
    # By the documentation alone:
    "subagentStart": "SubagentStart",
    "subagentStop": "SubagentStop",
    "errorOccurred": "StopFailure",
    "notification": "Notification",
    "preCompact": "PreCompact",
}
FILE = "/home/user/project/a.txt"


def normalized(path: Path) -> dict[str, Any]:
    own = path.name.split(".")[0]
    name = str(path.relative_to(PAYLOADS).with_suffix(""))
    return decode.normalize(payload(name), LINKS.get(own, own))


def test_the_names_of_events_are_those_of_the_client() -> None:
    assert {theirs: ours for ours, theirs in NAMES.items()} == LINKS
    own = {path.stem.partition(".")[0] for path in (PAYLOADS / "copilot/camel").glob("*.json")}
    assert own <= {*LINKS, *MORE}


@pytest.mark.parametrize("path", CAPTURED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_captured_payload_is_an_event(path: Path) -> None:
    fields = normalized(path)
    sent = payload(str(path.relative_to(PAYLOADS).with_suffix("")))
    name = fields["hook_event_name"]
    model = HOOKS[name].params if name in HOOKS else HookInput
    event = model.model_validate(fields)
    session = sent["sessionId"] if "sessionId" in sent else sent["session_id"]
    assert (event.session_id, event.cwd) == (session, "/home/user/project")
    transcript = sent.get("transcriptPath", sent.get("transcript_path"))
    assert (event.transcript_path, fields["timestamp"]) == (transcript, sent["timestamp"])
    assert (event.prompt_id, event.permission_mode, event.agent_id) == (None, None, None)
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
        (
            "camel/postToolUseFailure",
            ("Read", {"file_path": FILE.replace("a.", "nope.")}, "view"),
        ),
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
        ("grep", {"pattern": "x", "path": "src"}, "Grep", {"pattern": "x", "path": "/work/src"}),
        ("glob", {"pattern": "*.py"}, "Glob", {"pattern": "*.py"}),
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


@pytest.mark.parametrize(
    ("tool", "given", "inputs"),
    [
        ("Write", {"path": FILE, "file_text": "x"}, {"file_path": FILE, "content": "x"}),
        (
            "Edit",
            {"path": "a.txt", "old_str": "1", "new_str": "2"},
            {"file_path": FILE, "old_string": "1", "new_string": "2"},
        ),
        ("Read", {"path": "a.txt"}, {"file_path": FILE}),
        ("Grep", {"pattern": "x"}, {"pattern": "x"}),
        ("Glob", {"pattern": "*"}, {"pattern": "*"}),
        ("Agent", {"agent_type": "explore"}, {"subagent_type": "explore"}),
        ("Task", {"agent_type": "explore"}, {"subagent_type": "explore"}),
    ],
)
def test_in_pascal_case_a_tool_has_its_name_but_not_its_inputs(
    tool: str, given: Any, inputs: Any
) -> None:
    sent = payload("copilot/pascal/PreToolUse", tool_name=tool, tool_input=given)
    fields = decode.normalize(sent, "")
    name = "Agent" if tool == "Task" else tool
    assert (fields["tool_name"], fields["tool_input"]) == (name, inputs)


def test_a_failed_call_has_its_error() -> None:
    for name in ("camel/postToolUseFailure", "pascal/PostToolUseFailure"):
        assert normalized(PAYLOADS / "copilot" / f"{name}.json")["error"] == "Path does not exist"
    sent = payload("copilot/camel/postToolUseFailure", error={"message": "late", "name": "x"})
    assert decode.normalize(sent, "PostToolUseFailure")["error"] == "late"


@pytest.mark.parametrize("event", ["SubagentStart", "SubagentStop"])
def test_a_subagent_has_its_id_and_its_type(event: str) -> None:
    sent = payload("copilot/camel/agentStop", agentName="reviewer", agentId="a1")
    fields = decode.normalize(sent, event)
    assert (fields["hook_event_name"], fields["client_event"]) == (event, NAMES[event])
    assert (fields["agent_id"], fields["agent_type"]) == ("a1", "reviewer")


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


@pytest.mark.parametrize("tool", ["bash", "write_bash", "powershell", "write_powershell"])
def test_text_for_a_running_program_is_marked(tool: str) -> None:
    sent = {"sessionId": "s", "toolName": tool, "toolArgs": {"input": "ls", "command": "ls"}}
    fields = decode.normalize(sent, "PreToolUse")
    assert fields.get("typed_text", False) is tool.startswith("write_")
