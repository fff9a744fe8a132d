"""Payloads of Codex get the names of the internal events, and keep what is unknown."""

import json
from typing import Any

import pytest

from hookd.clients.codex.decode import normalize, version
from hookd.events.model import HookInput, parse_event
from hookd.methods import HOOKS
from support.json_schema import problems
from support.parametrize import parametrize_all
from support.payloads import PAYLOADS

FOLDER = PAYLOADS / "codex"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json") if path.stem != "notify.argv")


PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"


def captured(name: str) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_bytes())
    return payload


def event_of(name: str) -> Any:
    payload = normalize(captured(name), "PreToolUse")
    event = payload["hook_event_name"]
    return parse_event(payload, HOOKS[event].params if event in HOOKS else HookInput)


def test_all_payloads_are_here() -> None:
    assert len(NAMES) == 24


@parametrize_all("name", NAMES)
def test_a_captured_payload_is_an_event_of_the_model(name: str) -> None:
    sent = captured(name)
    event = event_of(name)
    assert event.hook_event_name == sent["hook_event_name"] == name.partition(".")[0]
    assert event.session_id == sent["session_id"]
    assert event.cwd == "/home/user/project"
    assert event.client_event == ""
    assert event.prompt_id == sent.get("turn_id")
    assert event.transcript_path == sent["transcript_path"]
    assert event.permission_mode == sent.get("permission_mode")
    unchanged = {key: value for key, value in sent.items() if not key.startswith("tool_")}
    assert normalize(sent, "").items() >= unchanged.items()


@parametrize_all("name", [name for name in NAMES if not name.endswith("ModelRequest")])
def test_the_payloads_are_those_of_codex_own_schemas(name: str) -> None:
    words = "".join(f"-{one.lower()}" if one.isupper() else one for one in name.partition(".")[0])
    path = FOLDER / "schemas" / f"{words.strip('-')}.command.input.json"
    schema = json.loads(path.read_bytes())
    assert list(problems(captured(name), schema)) == []


@pytest.mark.parametrize("name", ["Interrupt", "PreModelRequest", "PostModelRequest"])
def test_an_event_that_only_codex_has_keeps_its_name_and_fields(name: str) -> None:
    assert normalize(captured(name), "Stop") == captured(name) | {
        "prompt_id": captured(name)["turn_id"]
    }


def test_a_command_of_the_shell_is_a_call_of_bash() -> None:
    call = event_of("PreToolUse")
    assert (call.tool_name, call.client_tool) == ("Bash", "")
    assert call.tool_input == {"command": "echo hi; pwd"}
    assert call.tool_use_id == "call_1_0"


@pytest.mark.parametrize("name", ["PreToolUse.apply_patch", "PostToolUse.apply_patch"])
def test_a_patch_keeps_its_text_under_the_internal_name(name: str) -> None:
    call = event_of(name)
    assert (call.tool_name, call.client_tool) == ("ApplyPatch", "apply_patch")
    assert call.tool_input == captured(name)["tool_input"]


def test_a_subagent_is_started_by_the_tool_agent() -> None:
    call = event_of("PreToolUse.spawn_agent")
    assert (call.tool_name, call.client_tool) == ("Agent", "spawn_agent")
    assert call.tool_input == {"prompt": "CHILD: run echo", "subagent_type": "worker"}


def test_an_image_is_read_by_its_absolute_path() -> None:
    sent = captured("PreToolUse") | {"tool_name": "view_image"}
    for path, absolute in (("a b.png", "/home/user/project/a b.png"), ("/x.png", "/x.png")):
        fields = normalize(sent | {"tool_input": {"path": path, "detail": "high"}}, "PreToolUse")
        assert (fields["tool_name"], fields["client_tool"]) == ("Read", "view_image")
        assert fields["tool_input"] == {"file_path": absolute, "detail": "high"}


@pytest.mark.parametrize("name", ["PreToolUse.mcp", "PostToolUse.mcp"])
def test_a_tool_of_an_mcp_server_keeps_name_input_and_result(name: str) -> None:
    sent = captured(name)
    assert normalize(sent, "").items() >= sent.items()
    assert event_of(name).tool_name == "mcp__mini__echo"
    assert "client_tool" not in normalize(sent, "")


def test_the_result_of_a_command_is_its_text() -> None:
    assert event_of("PostToolUse").tool_response == "hi\n/home/user/project\n"


def test_a_call_inside_a_subagent_names_it() -> None:
    call = event_of("PreToolUse.in-subagent")
    assert call.agent_id == "01a20435-a080-7e31-a62b-d3c67322e305"
    assert call.agent_type == "worker"
    assert call.session_id == event_of("PreToolUse.spawn_agent").session_id


def test_the_message_that_starts_a_subagent_is_not_the_users_prompt() -> None:
    assert not event_of("UserPromptSubmit").by_machine
    child = captured("UserPromptSubmit") | {"agent_id": "a1", "agent_type": "worker"}
    event = parse_event(normalize(child, ""), HOOKS["UserPromptSubmit"].params)
    assert event.by_machine
    assert event.prompt == "do it"


@parametrize_all(
    ("name", "source"),
    [
        ("SessionStart", "startup"),
        ("SessionStart.resume", "resume"),
        ("SessionStart.clear", "clear"),
        ("SessionStart.compact", "compact"),
    ],
)
def test_the_source_of_a_start_is_as_codex_names_it(name: str, source: str) -> None:
    assert event_of(name).source == source


def test_a_stop_tells_whether_it_follows_a_block() -> None:
    assert not event_of("Stop").stop_hook_active
    assert event_of("Stop.active").stop_hook_active
    assert event_of("Stop").last_assistant_message == "All done."
    assert event_of("SubagentStop").agent_transcript_path.endswith("d3c67322e305.jsonl")


@parametrize_all(
    ("command", "text"),
    [
        ("ls", "ls"),
        (["bash", "-lc", "rm -rf / ; ls"], "rm -rf / ; ls"),
        (["/bin/zsh", "-c", "ls"], "ls"),
        (["bash", "-lc", "ls", "zero"], "bash -lc ls zero"),
        (["rm", "-rf", "a b"], "rm -rf 'a b'"),
        ([], []),
        (["ls", 1], ["ls", 1]),
        (None, None),
    ],
)
def test_a_command_of_words_is_one_text(command: Any, text: Any) -> None:
    sent = captured("PreToolUse") | {"tool_input": {"command": command}}
    assert normalize(sent, "")["tool_input"]["command"] == text


@parametrize_all("value", [None, 7, "text", []])
def test_a_malformed_name_stays_malformed(value: Any) -> None:
    sent = captured("PreToolUse") | {"tool_name": value}
    assert normalize(sent, "").get("tool_name") == value


@parametrize_all(
    ("tool", "given", "name", "expected"),
    [
        ("apply_patch", PATCH, "ApplyPatch", {"command": PATCH}),
        ("Bash", "rm -rf ~", "Bash", {"command": "rm -rf ~"}),
        ("Bash", ["bash", "-lc", "rm -rf ~"], "Bash", {"command": "rm -rf ~"}),
        ("Bash", 7, "Bash", {"command": 7}),
        ("Bash", {"command": "ls", "workdir": "/x"}, "Bash", {"command": "cd /x\nls"}),
        ("shell", {"command": ["sh", "-c", "ls"]}, "Bash", {"command": "ls"}),
        ("shell_command", {"command": "ls"}, "Bash", {"command": "ls"}),
        ("exec_command", {"cmd": "ls", "workdir": "/x"}, "Bash", {"command": "cd /x\nls"}),
        ("exec_command", {"cmd": "rm -rf ~", "command": "ls"}, "Bash", {"command": "rm -rf ~"}),
        ("container.exec", {"cmd": ["ls", "a b"]}, "Bash", {"command": "ls 'a b'"}),
        ("unified_exec", {"input": ["bash", "-lc", "ls"]}, "Bash", {"command": "ls"}),
        (
            "local_shell",
            {"action": {"type": "exec", "command": ["bash", "-lc", "ls"]}},
            "Bash",
            {"type": "exec", "command": "ls"},
        ),
        ("write_stdin", {"chars": "ls\n", "id": 1}, "Bash", {"command": "ls\n", "id": 1}),
        ("write_stdin", {"chars": ""}, "write_stdin", {"chars": ""}),
        ("get_goal", None, "get_goal", {}),
        ("js_repl", "1 + 1", "js_repl", {"input": "1 + 1"}),
    ],
)
def test_a_call_in_any_form_is_judged_by_its_command(
    tool: str, given: Any, name: str, expected: Any
) -> None:
    fields = normalize(captured("PreToolUse") | {"tool_name": tool, "tool_input": given}, "")
    assert (fields["tool_name"], fields["tool_input"]) == (name, expected)
    assert fields.get("client_tool", name) == tool
    assert parse_event(fields, HOOKS["PreToolUse"].params)


def test_an_event_without_a_name_has_that_of_the_link() -> None:
    sent = captured("PreToolUse.apply_patch")
    del sent["hook_event_name"]
    assert normalize(sent, "PreToolUse")["hook_event_name"] == "PreToolUse"


def test_the_environment_does_not_tell_the_version() -> None:
    assert version({"CODEX_HOME": "/home/user/.codex"}) is None


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("write_stdin", {"session_id": 1, "chars": "ls\n"}, True),
        ("unified_exec", {"session_id": "1", "input": ["ls"]}, True),
        ("unified_exec", {"input": ["bash", "-i"]}, False),
        ("exec_command", {"cmd": "ls"}, False),
        ("Bash", {"command": "ls"}, False),
    ],
)
def test_text_for_a_running_program_is_marked(
    tool: str, given: dict[str, Any], expected: bool
) -> None:
    fields = normalize({"tool_name": tool, "tool_input": given}, "PreToolUse")
    assert fields.get("typed_text", False) is expected
