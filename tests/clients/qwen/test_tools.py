"""Each tool of Qwen Code has a name of `events/`."""

import pytest

from hookd.clients.qwen.tools import TOOLS
from hookd.clients.tool_table import in_client, in_events
from hookd.events.tool_names import is_known


@pytest.mark.parametrize("tool", TOOLS)
def test_each_name_is_one_of_events(tool: str) -> None:
    assert is_known(TOOLS[tool].name)


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
