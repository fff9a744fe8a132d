"""Examples of rules: how a call is written, and what is no example."""

from typing import Any

import pytest
from pydantic import ValidationError

from hookd.core.guard_rules.example_schema import KINDS, Example
from hookd.core.guard_rules.rule import Rule
from hookd.core.guard_rules.short_form import EXAMPLES
from support.parametrize import parametrize_all

CALLS: list[tuple[Any, str, dict[str, Any]]] = [
    ("git push", "Bash", {"command": "git push"}),
    ("Bash(git push)", "Bash", {"command": "git push"}),
    ("Makefile", "Bash", {"command": "Makefile"}),
    ("Read", "Read", {}),
    ("Edit(src/a.py)", "Edit", {"file_path": "src/a.py"}),
    ("NotebookEdit(a.ipynb)", "NotebookEdit", {"notebook_path": "a.ipynb"}),
    ("WebFetch(https://x.example/a(b))", "WebFetch", {"url": "https://x.example/a(b)"}),
    ("WebSearch(cats)", "WebSearch", {"query": "cats"}),
    ("Newer({})", "Newer", {}),
    ('mcp__db__query({"sql": "DROP"})', "mcp__db__query", {"sql": "DROP"}),
    ("mcp__db__list", "mcp__db__list", {}),
    ({"call": "Edit", "input": {"file_path": "a"}}, "Edit", {"file_path": "a"}),
    ({"call": "Write(a)", "size": "2 lines"}, "Write", {"file_path": "a", "content": "\n\n"}),
    ({"call": "Write(a)", "size": 3}, "Write", {"file_path": "a", "content": "   "}),
    ({"call": "ls", "size": "3 lines"}, "Bash", {"command": "ls\n\n\n"}),
]


@parametrize_all(("given", "tool", "read"), CALLS)
def test_a_call_is_a_command_or_a_tool_with_its_input(
    given: Any, tool: str, read: dict[str, Any]
) -> None:
    assert Example.model_validate(given).tool_call() == (tool, read)


MISTAKES = [
    ({"call": "ls", "branche": "main"}, "branche"),
    ("", "call"),
    ("mcp__db__query(DROP)", "write the input of mcp__db__query as JSON"),
    ("Edit({1})", "no JSON object"),
    ({"call": "Edit(a)", "input": {"file_path": "a"}}, "leave `input` out"),
    ({"call": "Write(a)", "size": "9 mb"}, "at most 2,000,000"),
    ({"call": "Write", "input": {"content": 3}, "size": 3}, "content of Write is no text"),
    ({"call": "ls", "lifecycle": "odd"}, "lifecycle"),
]


@parametrize_all(("given", "why"), MISTAKES)
def test_what_is_no_example_is_refused_with_the_reason(given: Any, why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Example.model_validate(given)


def test_an_example_on_one_line_says_its_situation() -> None:
    given = {"call": "git\ncommit", "branch": "main", "after": "npm test", "spent": {"day": 5}}
    words = Example.model_validate(given).words
    assert words == 'git commit (branch: main, after: ["npm test"], spent: {"day": 5.0})'


def test_a_rule_lists_one_example_or_several_and_keeps_them() -> None:
    rule = Rule.model_validate(
        {
            "id": "a",
            "match": "Bash(x)",
            "deny": "No.",
            "denies": "x",
            "allows": ["y", {"call": "z"}],
        }
    )
    assert [one.call for one in rule.allows or ()] == ["y", "z"]
    assert Rule.model_validate_json(rule.model_dump_json(by_alias=True)) == rule


def test_the_command_line_knows_the_keys_without_the_model() -> None:
    assert EXAMPLES == KINDS
