"""Edits of a rules file change one rule; comments and all other rules stay."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.guard_rules.rule_file import parse_yaml, read_rules
from hookd.core.guard_rules.rule_file_edit import (
    EditError,
    new_file,
    rules_text,
    with_rule,
    without_rule,
)
from support.parametrize import parametrize_all

RULE = {
    "id": "new",
    "toolFilter": {"include": ["Edit"]},
    "urgency": "block",
    "payload": {"text": "x"},
}
TEAM = """\
# Rules of the team.
version: 1  # the format
rules:  # all
  # Pushing is for CI.
  - id: no-push   # agreed in March
    match: ["Bash(git push *)"]  # also --force
    deny: |
      Open a pull request
      # not a comment

    # after the text
  - id: style
    match:
      - Edit(*.py)
      # more to come
    tell: Lines end at 100.  # as in ruff

# the end
"""


def comments(text: str) -> list[str]:
    return sorted(line[line.index("#") :] for line in text.splitlines() if "#" in line)


def names(text: str) -> list[str]:
    file = read_rules(text.encode())
    assert not file.problems
    return [one.rule.id for one in file.rules]


def test_a_new_rule_is_the_last_one_and_nothing_else_changes() -> None:
    text = with_rule(TEAM, RULE)
    added = "  - id: new\n    match:\n      - Edit\n    deny: x\n"
    before, after = TEAM.split("\n# the end")
    assert text == f"{before}{added}\n# the end{after}"


def test_a_rule_of_the_same_name_is_replaced_at_its_place_with_its_comments() -> None:
    text = with_rule(TEAM, {**RULE, "id": "no-push"})
    assert names(text) == ["no-push", "style"]
    assert "      # not a comment\n" not in text
    kept = [one for one in comments(TEAM) if one != "# not a comment"]
    assert comments(text) == kept


def test_a_removed_rule_takes_only_its_own_lines() -> None:
    text = without_rule(TEAM, "style")
    assert text == TEAM.split("  - id: style", maxsplit=1)[0] + "\n# the end\n"
    assert without_rule(TEAM, "other") is None


@parametrize_all(
    "text",
    [
        "", "# only a comment", "version: 1", "rules:", "rules: []  # none", "rules: ~\n# end\n",
        "rules:\n- id: a\n  deny: x", "rules:\n      - {id: a, deny: x}\n# end",
        "rules: [{id: a, deny: x},]\nversion: 1\n", "rules:\r\n  - id: a\r\n    deny: x\r\n",
        "rules:\n  -\n    id: a\n    deny: >-\n      folded\n\n\n# end", new_file("x.json"),
        "\ufeffrules:\n  - id: a\n    deny: x\n", "rules:\n  - deny: 'a\u2028b'\n    id: a\n",
    ],
)  # fmt: skip
def test_a_rule_is_added_and_removed_in_every_form_of_a_file(text: str) -> None:
    before = names(text)
    added = with_rule(text, RULE)
    assert names(added) == [*before, "new"]
    assert comments(added) == comments(text)
    left = without_rule(added, "new")
    assert left is not None
    assert names(left) == before
    assert comments(left) == comments(text)


@parametrize_all(
    "text",
    ["{rules: [{id: a, deny: x}]}", "rules: [", "rules: 3", "rules: !x []", "rules:\n  []\n"],
)
def test_a_form_that_cannot_be_edited_is_refused(text: str) -> None:
    with pytest.raises(EditError):
        with_rule(text, RULE)


WORD = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=30)
LINES = st.lists(WORD, max_size=3).map("\n".join)


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    rule: dict[str, Any] = {"id": draw(st.from_regex(r"[a-z0-9._-]{1,8}", fullmatch=True))}
    if draw(st.booleans()):
        rule["toolFilter"] = {"include": draw(st.lists(WORD, max_size=3))}
    rule["payload"] = {"text": draw(LINES)}
    rule["urgency"] = draw(st.sampled_from(["block", "ask", "allow", "interrupt"]))
    if draw(st.booleans()):
        rule["trigger"] = {"type": draw(WORD), "matches": draw(LINES)}
    if draw(st.booleans()):
        example = WORD | st.fixed_dictionaries({"call": WORD, "branch": WORD})
        rule["denies"] = draw(st.lists(example, min_size=1, max_size=3))
    return rule


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Draw a file of rules with numbered comments, and the names of its rules."""
    some = draw(st.lists(rules(), max_size=4, unique_by=lambda one: one["id"]))
    count = itertools.count()
    text = f"{note(count)}\nrules:  {note(count)}\n"
    for rule in some:
        first, *rest = rules_text([rule]).splitlines(keepends=True)
        text += f"  {note(count)}\n{first.rstrip()}  {note(count)}\n{''.join(rest)}"
        text += f"    {note(count)}\n" + "\n" * draw(st.integers(0, 2))
    return f"{text}{note(count)}", [one["id"] for one in some]


def note(count: Iterator[int]) -> str:
    return f"# note <{next(count)}>"


def values(text: str) -> dict[str, Any]:
    found = parse_yaml(text.encode()).value["rules"] or ()
    return {one["id"]: one for one in found}


@given(files(), rules())
def test_edits_keep_all_comments_and_all_other_rules(
    file: tuple[str, list[str]], rule: dict[str, Any]
) -> None:
    text, there = file
    before, edited = values(text), with_rule(text, rule)
    after, mine = values(edited), rule["id"]
    assert list(after) == (there if mine in there else [*there, mine])
    assert all(after[name] == one for name, one in before.items() if name != mine)
    assert set(re.findall(r"# note <\d+>", edited)) == set(re.findall(r"# note <\d+>", text))
    removed = without_rule(edited, mine)
    assert removed is not None
    assert list(values(removed)) == [name for name in there if name != mine]
