"""The payloads of hookd's plugin for opencode become events of the internal model."""

from typing import Any

import pytest

from hookd.clients.opencode import decode
from hookd.clients.opencode.registration import NAMES
from hookd.events.model import HookInput, PreToolUse
from hookd.methods import HOOKS
from support.payloads import payload

FILE = "/home/user/project/a.txt"
PLACE, TYPE = {"path": "/home/user/project/src"}, {"subagent_type": "y"}
LINKS = {
    "chat.message": "UserPromptSubmit",
    "tool.execute.before": "PreToolUse",
    "tool.execute.before.edit": "PreToolUse",
    "tool.execute.before.read": "PreToolUse",
    "tool.execute.before.write": "PreToolUse",
    "tool.execute.after": "PostToolUse",
    "event.permission.asked": "PermissionRequest",
    "event.permission.replied": "PermissionDenied",
    "event.session.created": "SessionStart",
    "event.session.idle": "Stop",
    "dispose": "SessionEnd",
}
SESSION = payload("opencode/chat.message")["input"]["sessionID"]


def sent(name: str, **more: Any) -> dict[str, Any]:
    """Return what the plugin sends when opencode calls it with a captured payload."""
    captured = payload(f"opencode/{name}")
    given, output = captured.get("input", {}), captured.get("output")
    kind = name
    if name.startswith("event."):
        kind, given = given["type"], given["properties"]
    if kind == "permission.replied":
        given = payload("opencode/event.permission.asked")["input"]["properties"] | given
    for case in (".edit", ".read", ".write"):
        kind = kind.removesuffix(case)
    session = given.get("sessionID", SESSION)
    start = {"sessionID": session, "hook": kind, "directory": "/home/user/project"}
    return start | {"input": given, "output": output} | more


@pytest.mark.parametrize(("name", "event"), LINKS.items(), ids=LINKS)
def test_each_captured_payload_is_an_event(name: str, event: str) -> None:
    fields = decode.normalize(sent(name), "Other")
    found = HOOKS[event].params.model_validate(fields)
    assert (found.hook_event_name, found.session_id) == (event, sent(name)["sessionID"])
    assert NAMES[event] == sent(name)["hook"]
    assert (found.agent_id, found.permission_mode, found.transcript_path) == (None, None, None)
    assert (found.cwd, found.client_event) == ("/home/user/project", sent(name)["hook"])


@pytest.mark.parametrize(
    ("name", "tool", "given"),
    [
        ("tool.execute.before", "Bash", {"command": "echo hi", "description": "d"}),
        (
            "tool.execute.before.edit",
            "Edit",
            {"file_path": FILE, "old_string": "one", "new_string": "two"},
        ),
        ("tool.execute.before.read", "Read", {"file_path": FILE.replace("a.", "nope.")}),
        ("tool.execute.before.write", "Write", {"file_path": FILE, "content": "one\n"}),
        ("tool.execute.after", "Bash", {"command": "echo hi", "description": "d"}),
        ("event.permission.asked", "Bash", {"command": "echo ORIGINAL > ran.txt; echo ORIGINAL"}),
        ("event.permission.replied", "Bash", {"command": "echo ORIGINAL > ran.txt; echo ORIGINAL"}),
    ],
)
def test_a_call_has_claude_codes_names(name: str, tool: str, given: dict[str, Any]) -> None:
    fields = decode.normalize(sent(name), "Other")
    assert (fields["tool_name"], fields["tool_input"]) == (tool, given)
    assert fields["tool_use_id"].startswith("call_")


@pytest.mark.parametrize(
    ("kind", "event", "given", "fields"),
    [
        (
            "session.error",
            "StopFailure",
            {"error": {"name": "APIError", "data": {"message": "late"}}},
            {"error": "APIError", "error_details": {"message": "late"}},
        ),
        ("experimental.session.compacting", "PreCompact", {}, {}),
        ("session.compacted", "PostCompact", {}, {}),
    ],
)
def test_an_event_of_the_documentation_alone_has_its_name(
    kind: str, event: str, given: Any, fields: Any
) -> None:
    made = decode.normalize({"hook": kind, "sessionID": SESSION, "input": given}, "Other")
    assert (made["hook_event_name"], made["session_id"]) == (event, SESSION)
    assert {key: made[key] for key in fields} == fields
    assert NAMES[event] == kind


def test_a_prompt_has_its_text_its_id_and_its_model() -> None:
    given = sent("chat.message")
    message = given["output"]["message"]
    fields = decode.normalize(given, "Other")
    assert (fields["prompt"], fields["prompt_id"]) == ('"do it"', message["id"])
    assert fields["model"] == message["model"]["modelID"] == "mock"
    given["input"]["messageID"] = "msg_2"
    given["output"]["parts"] += [{"type": "text", "text": "of a file", "synthetic": True}, {}]
    fields = decode.normalize(given, "Other")
    assert (fields["prompt"], fields["prompt_id"]) == ('"do it"', "msg_2")


def test_a_start_has_the_version_of_opencode() -> None:
    fields = decode.normalize(sent("event.session.created"), "Other")
    assert (fields["version"], fields["source"]) == ("1.18.33", "startup")


def test_a_rejected_request_says_who_has_rejected_it() -> None:
    fields = decode.normalize(sent("event.permission.replied"), "Other")
    assert (fields["reason"], fields["tool_use_id"]) == ("the user has rejected it", "call_2_0")


def test_the_result_of_a_command_has_its_exit_code() -> None:
    fields = decode.normalize(sent("tool.execute.after"), "Other")
    assert fields["tool_response"] == {"content": "hi\n", "exit_code": 0}


@pytest.mark.parametrize(
    ("tool", "args", "name", "given"),
    [
        (
            "bash",
            {"command": "rm x", "workdir": "sub"},
            "Bash",
            {"command": "cd /home/user/project/sub\nrm x"},
        ),
        ("edit", {"filePath": "a.txt"}, "Edit", {"file_path": FILE}),
        ("apply_patch", {"patchText": "*** Begin"}, "ApplyPatch", {"command": "*** Begin"}),
        ("github_create_issue", {"title": "x"}, "mcp__github__create_issue", {"title": "x"}),
        ("plan_exit", {}, "plan_exit", {}),
        ("glob", {"pattern": "*", "path": "src"}, "Glob", {"pattern": "*"} | PLACE),
        ("task", {"prompt": "x", "subagent_type": "y"}, "Agent", {"prompt": "x"} | TYPE),
        ("invalid", {"tool": "x"}, "invalid", {"tool": "x"}),
        ("bash", "text", "Bash", {"command": "text"}),
        ("read", {"filePath": "/b", "file_path": "/a"}, "Read", {"file_path": "/b"}),
        ("apply_patch", {"patchText": "b", "command": "a"}, "ApplyPatch", {"command": "b"}),
        (
            "grep",
            {"pattern": "x", "include": ".env", "output_mode": "count"},
            "Grep",
            {"pattern": "x", "glob": ".env", "output_mode": "content"},
        ),
    ],
)
def test_a_tool_has_claude_codes_name(tool: str, args: Any, name: str, given: Any) -> None:
    call = {"tool": tool, "sessionID": "s", "callID": "c"}
    fields = decode.normalize(
        sent("tool.execute.before", input=call, output={"args": args}), "PreToolUse"
    )
    assert (fields["tool_name"], fields["tool_input"]) == (name, given)
    assert fields.get("client_tool", tool) == tool


def test_a_subagents_session_is_its_parents() -> None:
    start = decode.normalize(sent("event.session.created", parentID="ses_p"), "x")
    assert (start["hook_event_name"], start["session_id"]) == ("SubagentStart", "ses_p")
    assert (start["agent_id"], start["agent_type"]) == (SESSION, "general")
    fields = decode.normalize(sent("event.session.idle", parentID="ses_p", agent="plan"), "x")
    assert (fields["hook_event_name"], fields["session_id"]) == ("SubagentStop", "ses_p")
    assert (fields["agent_id"][:4], fields["agent_type"]) == ("ses_", "plan")
    prompt = decode.normalize(sent("chat.message", parentID="ses_p"), "x")
    assert (prompt["hook_event_name"], prompt["source"]) == ("UserPromptSubmit", "agent")


def test_the_end_of_a_turn_has_the_tokens_in_the_window() -> None:
    usage = {"input": 10, "output": 5, "reasoning": 1, "cache": {"read": 100, "write": None}}
    fields = decode.normalize(sent("event.session.idle", usage=usage, limit=1000), "Stop")
    assert (fields["context_tokens"], fields["context_window"]) == (116, 1000)
    assert "context_tokens" not in decode.normalize(sent("event.session.idle"), "Stop")


@pytest.mark.parametrize("odd", [{}, {"hook": 7, "input": [], "output": "x", "sessionID": 5}])
def test_an_odd_payload_has_the_event_of_its_link(odd: dict[str, Any]) -> None:
    fields = decode.normalize(odd, "New")
    assert fields["hook_event_name"] == "New"
    if not odd:
        assert HookInput.model_validate(fields).session_id == ""


def test_the_environment_has_no_version() -> None:
    assert decode.version({"OPENCODE": "1"}) is None


def test_the_name_of_an_mcp_tool_has_several_readings() -> None:
    call = {"tool": "my_server_get_issue"}
    fields = decode.normalize(sent("tool.execute.before", input=call), "PreToolUse")
    assert fields["tool_name"] == "mcp__my__server_get_issue"
    assert fields["tool_readings"] == ["mcp__my_server__get_issue", "mcp__my_server_get__issue"]


@pytest.mark.parametrize("permission", ["external_directory", "doom_loop", "plan_enter"])
def test_a_permission_of_its_own_is_no_mcp_tool(permission: str) -> None:
    asked = {"permission": permission, "metadata": {}}
    fields = decode.normalize(sent("event.permission.asked", input=asked), "PermissionRequest")
    assert fields["tool_name"] == permission


BATCH = {
    "tool_calls": [
        {"tool": "bash", "parameters": {"command": "rm x", "workdir": "sub"}},
        {"tool": "edit", "parameters": {"filePath": "a.txt", "oldString": "1"}},
        {"tool": "todoread"},
        {"tool": "batch", "parameters": {"tool_calls": []}},
        "odd",
    ],
    "note": "x",
}


def test_a_batch_has_the_calls_that_it_carries() -> None:
    call = {"tool": "batch", "sessionID": "s", "callID": "c"}
    made = decode.normalize(
        sent("tool.execute.before", input=call, output={"args": BATCH}), "PreToolUse"
    )
    assert (made["tool_name"], made["client_tool"]) == ("Batch", "batch")
    assert made["tool_input"] == {
        "note": "x",
        "calls": [
            {
                "tool_name": "Bash",
                "client_tool": "bash",
                "tool_input": {"command": "cd /home/user/project/sub\nrm x"},
            },
            {
                "tool_name": "Edit",
                "client_tool": "edit",
                "tool_input": {"file_path": FILE, "old_string": "1"},
            },
            {"tool_name": "TodoRead", "client_tool": "todoread", "tool_input": {}},
            {"tool": "batch", "parameters": {"tool_calls": []}},
            "odd",
        ],
    }
    back = decode.arguments(PreToolUse.model_validate(made), made["tool_input"])
    assert back["tool_calls"][1]["parameters"] == {"filePath": FILE, "oldString": "1"}
    assert [one["tool"] for one in back["tool_calls"][:4]] == ["bash", "edit", "todoread", "batch"]
    assert (back["tool_calls"][4], back["note"]) == ("odd", "x")


@pytest.mark.parametrize("args", [{}, {"tool_calls": "x"}, None])
def test_a_malformed_batch_stays_malformed(args: Any) -> None:
    output = {"args": args}
    made = decode.normalize(
        sent("tool.execute.before", input={"tool": "batch"}, output=output), "PreToolUse"
    )
    assert not isinstance(made["tool_input"]["calls"], list)
