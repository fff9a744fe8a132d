"""Each tool of Gemini CLI, and its inputs, in the names of `events/`, and back."""

from typing import Any

import pytest

from hookd.clients.gemini.tools import TOOLS, call_in_events, input_of_call
from hookd.events.model import HookInput
from hookd.events.tool_names import is_known

CWD = "/home/user/project"


def call(tool: str, given: Any, **more: Any) -> dict[str, Any]:
    return call_in_events({"tool_name": tool, "tool_input": given, "cwd": CWD, **more})


@pytest.mark.parametrize(
    ("tool", "given", "name", "expected"),
    [
        ("run_shell_command", {"command": "ls"}, "Bash", {"command": "ls"}),
        (
            "run_shell_command",
            {"command": "rm -rf *", "dir_path": "../other", "is_background": True},
            "Bash",
            {"command": "cd /home/user/other\nrm -rf *", "run_in_background": True},
        ),
        (
            "write_file",
            {"file_path": "a.txt", "content": "one"},
            "Write",
            {"file_path": f"{CWD}/a.txt", "content": "one"},
        ),
        (
            "replace",
            {"file_path": "../b", "old_string": "1", "new_string": "2", "allow_multiple": True},
            "Edit",
            {"file_path": "/home/user/b", "old_string": "1", "new_string": "2"}
            | {"replace_all": True},
        ),
        ("read_file", {"file_path": "/etc/hosts"}, "Read", {"file_path": "/etc/hosts"}),
        (
            "read_many_files",
            {"include": ["a/*.py", ".env"]},
            "Grep",
            {"include": ["a/*.py", ".env"], "glob": "a/*.py,.env", "output_mode": "content"},
        ),
        (
            "read_many_files",
            {"include": "a.txt", "paths": [".env"], "glob": "*.py"},
            "Grep",
            {"include": "a.txt", "paths": [".env"], "glob": "a.txt,.env"}
            | {"output_mode": "content"},
        ),
        ("list_directory", {"dir_path": "src"}, "LS", {"path": f"{CWD}/src"}),
        (
            "glob",
            {"pattern": "*.py", "dir_path": "/x"},
            "Glob",
            {"pattern": "*.py", "path": "/x"},
        ),
        (
            "grep_search",
            {"pattern": "x", "dir_path": ".", "include_pattern": "*.py"},
            "Grep",
            {"pattern": "x", "path": CWD, "glob": "*.py", "output_mode": "content"},
        ),
        (
            "search_file_content",
            {"pattern": "x", "include": "*.py"},
            "Grep",
            {"pattern": "x", "glob": "*.py", "output_mode": "content"},
        ),
        (
            "web_fetch",
            {"prompt": "Sum up https://example.com/a and more"},
            "WebFetch",
            {"prompt": "Sum up https://example.com/a and more", "url": "https://example.com/a"},
        ),
        (
            "web_fetch",
            {"prompt": "https://a.example, then <HTTPS://b.example/x>"},
            "WebFetch",
            {
                "prompt": "https://a.example, then <HTTPS://b.example/x>",
                "url": "https://a.example",
                "urls": ["https://a.example", "HTTPS://b.example/x"],
            },
        ),
        (
            "read_file",
            {"absolute_path": "/etc/passwd"},
            "Read",
            {"absolute_path": "/etc/passwd", "file_path": "/etc/passwd"},
        ),
        ("read_file", {"path": "/a"}, "Read", {"path": "/a", "file_path": "/a"}),
        ("read_file", {"absolute_path": "/a", "file_path": "/b"}, "Read", {"absolute_path": "/a"}),
        (
            "write_file",
            {"absolute_path": "/a", "file_path": "/b"},
            "Write",
            {"absolute_path": "/a"},
        ),
        (
            "run_shell_command",
            {"command": "rm x", "directory": "sub"},
            "Bash",
            {"command": f"cd {CWD}/sub\nrm x", "directory": "sub"},
        ),
        (
            "run_shell_command",
            {"command": "rm x", "directory": "/a", "dir_path": "/b"},
            "Bash",
            {"directory": "/a"},
        ),
        ("list_directory", {"path": "/a"}, "LS", {"path": "/a"}),
        ("web_fetch", {"prompt": "no address"}, "WebFetch", {"prompt": "no address"}),
        (
            "web_fetch",
            {
                "prompt": "https://a.example",
                "url": "https://b.example",
                "urls": ["https://c.example"],
            },
            "WebFetch",
            {"prompt": "https://a.example", "url": "https://b.example"}
            | {"urls": ["https://b.example", "https://a.example"]},
        ),
        ("run_shell_command", "ls", "Bash", {"command": "ls"}),
        ("run_shell_command", None, "Bash", {}),
        ("google_web_search", {"query": "x"}, "WebSearch", {"query": "x"}),
        (
            "write_todos",
            {"todos": [{"description": "test", "status": "pending"}, 7]},
            "TodoWrite",
            {"todos": [{"description": "test", "status": "pending", "content": "test"}, 7]},
        ),
        (
            "invoke_agent",
            {"agent_name": "reviewer", "prompt": "read it"},
            "Agent",
            {"subagent_type": "reviewer", "prompt": "read it"},
        ),
        ("activate_skill", {"name": "review"}, "Skill", {"skill": "review"}),
    ],
)
def test_a_tool_has_its_name_and_its_inputs(
    tool: str, given: Any, name: str, expected: Any
) -> None:
    made = call(tool, given)
    assert made == {"tool_name": name, "client_tool": tool, "tool_input": expected}


@pytest.mark.parametrize("tool", TOOLS)
def test_each_name_is_one_of_events(tool: str) -> None:
    assert is_known(TOOLS[tool].name)


@pytest.mark.parametrize(
    ("tool", "context", "name"),
    [
        ("mcp_git_hub_push", {"server_name": "git_hub", "tool_name": "push"}, "mcp__git_hub__push"),
        ("mcp_github_push", {"server_name": 7}, "mcp__github__push"),
        ("mcp_long...cut", {"server_name": "long", "tool_name": "whole"}, "mcp__long__whole"),
    ],
)
def test_a_tool_of_a_server_has_its_name(tool: str, context: Any, name: str) -> None:
    made = call(tool, {"path": "x"}, mcp_context=context)
    assert made == {"tool_name": name, "client_tool": tool}


def test_without_its_context_a_name_has_several_readings() -> None:
    made = call("mcp_github_push_files", {"path": "x"})
    assert made["tool_name"] == "mcp__github__push_files"
    assert made["tool_readings"] == ["mcp__github_push__files"]


@pytest.mark.parametrize("tool", ["update_topic", "mcp__own__spelling", "mcp_", "", 7, None])
def test_another_tool_keeps_its_name(tool: Any) -> None:
    assert call(tool, {"path": "x"}) == {}


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("run_shell_command", {"command": "ls", "is_background": True, "description": "d"}),
        ("replace", {"file_path": "/a", "old_string": "1", "allow_multiple": False}),
        ("read_file", {"absolute_path": "/a", "file_path": "/a"}),
        ("grep_search", {"pattern": "x", "dir_path": "/a", "include_pattern": "*"}),
        ("web_fetch", {"prompt": "https://example.com"}),
        ("read_many_files", {"include": ["/a"]}),
        ("invoke_agent", {"agent_name": "a", "prompt": "b"}),
        ("update_topic", {"title": "x"}),
    ],
)
def test_an_input_goes_back_as_it_came(tool: str, given: dict[str, Any]) -> None:
    made = call(tool, given).get("tool_input", given)
    assert input_of_call(HookInput(client_tool=tool), made) == given
