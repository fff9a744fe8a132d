"""Whether a type of subagent can log: by its definition, or as one of the client's own."""

from typing import Any

from hookd.core.efforts.agent_types import can_log
from support.fact_lookup import CLAUDE, ROOT, ask, here
from support.parametrize import parametrize_all

MINE, USERS = f"{ROOT}/.claude/agents", f"{CLAUDE}/agents"


def definition(**keys: Any) -> str:
    lines = "\n".join(f"{key}: {value}" for key, value in keys.items())
    return f"---\n{lines}\ndescription: Looks.\n---\nLook.\n"


TOOLS = [
    ({}, True),
    ({"tools": "Read, Grep"}, False),
    ({"tools": "Read, Bash"}, True),
    ({"tools": "[Read, Bash]"}, True),
    ({"tools": "'*'"}, True),
    ({"tools": "BashOutput"}, False),
    ({"tools": "Bash(git *)"}, None),
    ({"disallowedTools": "Bash, Write"}, False),
    ({"disallowedTools": "Write"}, True),
    ({"tools": "Bash", "disallowedTools": "[Bash]"}, False),
]


@parametrize_all(("keys", "expected"), TOOLS, ids=str)
def test_a_definition_names_the_tools(keys: dict[str, str], expected: bool | None) -> None:
    files = {f"{MINE}/searcher.md": definition(name="searcher", **keys)}
    assert ask(lambda facts: can_log("searcher", facts), here(), files) is expected


BASH, NONE = definition(name="searcher"), definition(name="searcher", tools="Grep")
PLACES: list[tuple[str, dict[str, str], bool | None]] = [
    ("searcher", {}, None),
    ("searcher", {f"{USERS}/searcher.md": NONE}, False),
    ("searcher", {f"{USERS}/searcher.md": BASH, f"{MINE}/searcher.md": NONE}, False),
    ("searcher", {f"{MINE}/looks.md": NONE}, False),
    ("searcher", {f"{MINE}/searcher.md": definition(name="other"), f"{MINE}/b.md": NONE}, False),
    ("searcher", {f"{MINE}/searcher.md": "no front matter"}, True),
    ("general-purpose", {}, True),
    ("Explore", {}, True),
    ("Explore", {f"{MINE}/Explore.md": definition(tools="Grep")}, False),
    ("plugin:searcher", {f"{MINE}/searcher.md": BASH}, None),
    ("../searcher", {f"{ROOT}/.claude/searcher.md": BASH}, None),
    ("", {}, None),
]


@parametrize_all(("kind", "files", "expected"), PLACES, ids=str)
def test_the_nearest_definition_counts(
    kind: str, files: dict[str, str], expected: bool | None
) -> None:
    assert ask(lambda facts: can_log(kind, facts), here(), files) is expected


def test_without_a_type_nothing_is_known() -> None:
    assert can_log(None, here()) is None
