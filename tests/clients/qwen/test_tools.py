"""Each tool of Qwen Code has a name of `events/`."""

from typing import Any

import pytest

from hookd.clients.qwen.decode import normalize
from hookd.clients.qwen.tools import TOOLS
from hookd.clients.tool_table import in_client, in_events
from hookd.events.tool_names import is_known
from support.payloads import payload


@pytest.mark.parametrize("tool", TOOLS)
def test_each_name_is_one_of_events(tool: str) -> None:
    assert is_known(TOOLS[tool].name)


@pytest.mark.parametrize(
    ("tool", "given", "name", "expected"),
    [
        (
            "run_shell_command",
            {"command": "ls", "is_background": True, "directory": "/x"},
            "Bash",
            {"command": "cd /x\nls", "run_in_background": True},
        ),
        ("write_file", {"file_path": "a", "content": "1"}, "Write", {"content": "1"}),
        ("edit", {"file_path": "a", "old_string": "1"}, "Edit", {"old_string": "1"}),
        ("read_file", {"file_path": "a", "limit": 1}, "Read", {"limit": 1}),
        ("grep_search", {"pattern": "x"}, "Grep", {"pattern": "x", "output_mode": "content"}),
        ("glob", {"pattern": "*"}, "Glob", {"pattern": "*"}),
        (
            "agent",
            {"prompt": "x", "subagent_type": "y"},
            "Agent",
            {"prompt": "x", "subagent_type": "y"},
        ),
    ],
)
def test_a_tool_has_its_name_and_its_inputs(
    tool: str, given: Any, name: str, expected: Any
) -> None:
    sent = payload("qwen/PreToolUse", tool_name=tool, tool_input=given)
    made = normalize(sent, "")
    path = {"file_path": f"{sent['cwd']}/a"} if "file_path" in given else {}
    assert (made["tool_name"], made["client_tool"]) == (name, tool)
    assert made["tool_input"] == expected | path


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("run_shell_command", {"command": "ls", "is_background": False, "timeout": 7}),
        ("edit", {"file_path": "/a", "old_string": "1", "new_string": "2", "replace_all": True}),
        ("notebook_edit", {"notebook_path": "/a.ipynb", "new_source": "x"}),
        ("agent", {"prompt": "x", "subagent_type": "y", "description": "z"}),
        ("read_file", {"file_path": "/a", "offset": 1, "limit": 2}),
    ],
)
def test_an_input_goes_back_as_it_came(tool: str, given: dict[str, object]) -> None:
    assert in_client(TOOLS[tool], in_events(TOOLS[tool], given, "/work")) == given
