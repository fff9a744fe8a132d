"""The files that a call reads or changes by name."""

import pytest

from hookd.core.model.claim_requests import PlaceOfFile, StampOfFile
from hookd.core.model.facts import Facts, Project
from hookd.events.model import PostToolUse, PreToolUse, ToolInput
from hookd.policy_support.changed_files import (
    ChangedFile,
    changed_files,
    foreseen_places,
    read_files,
)

FACTS = Facts(project=Project(1, "/work"))


def call(tool: str, text: str, kind: type[ToolInput] = PreToolUse) -> ToolInput:
    key = {"Bash": "command", "NotebookEdit": "notebook_path"}.get(tool, "file_path")
    return kind(
        hook_event_name=kind.__name__, tool_name=tool, tool_input={key: text}, cwd="/work/src"
    )


@pytest.mark.parametrize(
    ("tool", "text", "changed"),
    [
        ("Edit", "/work/a.py", [ChangedFile("/work/a.py", "/work/a.py")]),
        ("Write", "a.py", [ChangedFile("a.py", "/work/src/a.py")]),
        ("NotebookEdit", "a.ipynb", [ChangedFile("a.ipynb", "/work/src/a.ipynb")]),
        ("Edit", "/dev/null", []),
        ("Edit", "", []),
        ("Read", "/work/a.py", []),
        ("Bash", "echo x > a.py", [ChangedFile("a.py", "/work/src/a.py")]),
        ("Bash", "rm -r ../lib", [ChangedFile("../lib", "/work/lib", whole=True)]),
        ("Bash", "rm *.log", [ChangedFile("*.log", "/work/src", whole=True, rest="*.log")]),
        ("Bash", "cat a.py; ls > /dev/null", []),
        ("Bash", 'rm "$FILE"', []),
        ("Bash", "echo 'unclosed", []),
    ],
)
def test_the_changed_files_are_named(tool: str, text: str, changed: list[ChangedFile]) -> None:
    assert list(changed_files(call(tool, text), FACTS)) == changed


SERVER = [
    ("write_file", {"path": "/work/a.py", "content": "/x"}, ["/work/a.py"], False),
    ("editFile", {"filePath": "/work/a.py"}, ["/work/a.py"], False),
    ("move_file", {"source": "/work/a", "destination": "/work/../b"}, ["/work/a", "/b"], True),
    ("replace_symbol_body", {"relative_path": "a.py"}, ["/work/src/a.py"], False),
    ("create_or_update_file", {"path": "src/a.py"}, [], False),
    ("read_file", {"path": "/work/a.py"}, [], False),
    ("rewrite_plan", {"path": "/work/a.py"}, [], False),
    ("write_file", {"path": ["/work/a.py"]}, [], False),
    ("write_file", {"path": "/dev/null"}, [], False),
]


@pytest.mark.parametrize(("tool", "given", "paths", "whole"), SERVER)
def test_a_tool_of_a_server_changes_the_files_in_its_input(
    tool: str, given: dict[str, object], paths: list[str], whole: bool
) -> None:
    event = PreToolUse(
        hook_event_name="PreToolUse",
        tool_name=f"mcp__fs__{tool}",
        tool_input=given,
        cwd="/work/src",
    )
    found = changed_files(event, FACTS)
    assert [one.path for one in found] == paths
    assert all(one.whole is whole for one in found)


@pytest.mark.parametrize(
    ("tool", "text", "read"),
    [
        ("Read", "/work/a.py", ("/work/a.py",)),
        ("Read", "/dev/stdin", ()),
        ("Bash", "cat a.py", ("/work/src/a.py",)),
        ("Bash", "make", ()),
        ("Bash", "cat 'unclosed", ()),
        ("Edit", "/work/a.py", ()),
    ],
)
def test_the_read_files_are_named(tool: str, text: str, read: tuple[str, ...]) -> None:
    assert read_files(call(tool, text), FACTS) == read


@pytest.mark.parametrize(
    ("event", "foreseen"),
    [
        (call("Read", "/work/a.py"), (StampOfFile("/work/a.py"),)),
        (call("Edit", "/work/a.py"), (PlaceOfFile("/work/a.py"),)),
        (call("Edit", "/work/a.py", PostToolUse), (PlaceOfFile("/work/a.py"),)),
        (call("Read", "/work/a.py", PostToolUse), ()),  # its state was stored before
        (call("Bash", "cat /work/a.py"), ()),
    ],
)
def test_what_a_file_tools_call_needs_is_foreseen(
    event: ToolInput, foreseen: tuple[object, ...]
) -> None:
    assert foreseen_places(event, FACTS) == foreseen
