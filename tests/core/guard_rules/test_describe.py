"""A rule is described by the calls that it matches, and when."""

from typing import Any

from hookd.core.guard_rules.describe import calls_of
from support.parametrize import parametrize_all

RULES: list[tuple[dict[str, Any], str]] = [
    ({}, "every call"),
    ({"toolFilter": {"include": ["Bash", "Edit"]}}, "Bash, Edit"),
    ({"changes": ["migrations/**"]}, "changes migrations/**"),
    ({"changes": ["/**", "!**", "!/tmp/**"]}, "changes /** except ** and /tmp/**"),
    ({"reaches": ["a.com", "b.com"]}, "reaches a.com or b.com"),
    ({"protectedBranches": ["main"]}, "pushes to main"),
    (
        {"toolFilter": {"include": ["Bash"]}, "branch": ["main"], "agents": ["subagent"]},
        "Bash, on branch main, by subagent",
    ),
    ({"client": ["codex", "gemini"]}, "every call, in codex or gemini"),
    ({"largerThan": "500 lines"}, "every call, larger than 500 lines"),
    ({"context": 0.8}, "every call, from 80% of the context window"),
    ({"context": "warn"}, "every call, from the level warn of the context window"),
    ({"trigger": {"type": "phase"}}, "every call on its trigger"),
]


@parametrize_all(("rule", "words"), RULES, ids=str)
def test_the_calls_of_a_rule(rule: dict[str, Any], words: str) -> None:
    assert calls_of(rule) == words
