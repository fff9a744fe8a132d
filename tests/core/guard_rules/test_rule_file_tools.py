"""A guard over files of Edit covers all tools that write them; a whitelist does not."""

import json
from typing import Any

from hookd.core.guard_rules.rule import fired
from hookd.core.model.facts import Facts, Guard
from hookd.events.tool_pattern import ToolCall, covers, matches, may_match, parse, widened
from support.parametrize import parametrize_all

EDITORS = {
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
    "Write": "file_path",
}


def call(tool: str, path: str = "/w/tests/test_a.py") -> ToolCall:
    return ToolCall(tool, {EDITORS.get(tool, "file_path"): path})


def fires(tool: str, path: str = "/w/tests/test_a.py", **rule: Any) -> bool | None:
    """Return whether the rule fires: True is sure, False is not sure, None is not at all."""
    guard = Guard(1, "a", "user", json.dumps({"id": "a"} | rule))
    found = fired(call(tool, path), Facts(guards=(guard,)))
    return found[0].certain if found else None


TESTS = {"include": ["Edit(*/tests/*)"]}


@parametrize_all("urgency", ["block", "ask", "interrupt"])
@parametrize_all("tool", EDITORS)
def test_who_holds_files_back_means_every_tool_that_edits_them(tool: str, urgency: str) -> None:
    assert fires(tool, toolFilter=TESTS, urgency=urgency) is True
    assert fires(tool, "/w/src/a.py", toolFilter=TESTS, urgency=urgency) is None
    assert fires(tool, "a.py", toolFilter=TESTS, urgency=urgency) is False


@parametrize_all("tool", ["Read", "Glob", "Bash", "EditNotes", "mcp__fs__write"])
def test_it_means_no_other_tool(tool: str) -> None:
    assert fires(tool, toolFilter=TESTS, urgency="block") is None


@parametrize_all("tool", EDITORS)
def test_who_only_tells_means_the_tool_that_is_named(tool: str) -> None:
    assert fires(tool, toolFilter=TESTS, urgency="allow") is (True if tool == "Edit" else None)


@parametrize_all("tool", EDITORS)
def test_the_bare_name_is_the_one_tool(tool: str) -> None:
    rule = {"toolFilter": {"include": ["Edit"]}, "urgency": "block"}
    assert fires(tool, **rule) is (True if tool == "Edit" else None)


@parametrize_all("tool", EDITORS)
@parametrize_all("spares", ["whitelist", "exclude"])
def test_who_is_spared_is_the_one_tool(tool: str, spares: str) -> None:
    own = {"whitelist": TESTS["include"]}
    rule = own if spares == "whitelist" else {"toolFilter": {"exclude": TESTS["include"]}}
    assert fires(tool, urgency="block", **rule) is (None if tool == "Edit" else True)


@parametrize_all("text", ["Write(*/tests/*)", "Read", "Edit", "Bash(rm *)", "*(x)"])
def test_no_other_pattern_is_widened(text: str) -> None:
    assert widened(parse(text)).also == ()


def test_a_pattern_by_itself_stays_the_one_tool() -> None:
    write, pattern = call("Write"), parse("Edit(*/tests/*)")
    assert not (matches(pattern, write) or covers(pattern, write) or may_match(pattern, write))
    assert matches(widened(pattern), write)
