"""Rules to loosen: only what was always granted, and never by more than was asked about."""

import json
import shlex
from typing import Any

import pytest

from hookd.core.statistics.loosening import Ask, GuardRow, loosenings, softer
from hookd.events.tool_pattern import ToolCall, covers, parse


def ask(call: str, **more: Any) -> Ask:
    known = {"project": "/w", "asked": 3, "event": 7, "allowable": 1}
    given = {"rule": "destructive-guard", "tool": "Bash", "call": call, **known, **more}
    return Ask(**given)


def guard(name: str = "deploy", **more: Any) -> GuardRow:
    rule = {"ruleId": name, "urgency": "ask", "payload": {"text": "Now?"}}
    rule |= {"toolFilter": {"include": ["Bash(make *)"]}} | more.pop("rule", {})
    known = {"scope": "user", "project": None, "effort": None, "layer": None, "source": None}
    return GuardRow(**{"name": name, "rule": json.dumps(rule), **known, **more})


ALLOW = "hookd policy set destructive-guard allow --add"
LOCAL = "--scope local --project-dir /w"


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (ask("git reset --hard"), f"{ALLOW} 'Bash(git reset --hard)' {LOCAL}"),
        (ask("git reset --hard", project=None), f"{ALLOW} 'Bash(git reset --hard)'"),
        (ask("/w/.env", rule="secrets-guard", tool="Read"), "Read(/w/.env)"),
        (ask("rm -rf src/*.o"), "hookd allow 7"),
        (ask("git reset --hard > log"), "hookd allow 7"),
        (ask("git reset --hard " + "x" * 300), "hookd allow 7"),
        (ask("make", rule="self-guard"), "hookd allow 7"),
        (ask("make", rule="self-guard", allowable=0), ""),
        (ask('{"sql": "DROP"}', tool="mcp__db__query"), "hookd allow 7"),
    ],
)
def test_a_call_is_allowed_as_it_was_asked_about(asked: Ask, line: str) -> None:
    lines = [one.line for one in loosenings([asked], [], [])]
    assert (line in lines[0]) if line else (lines == [])


def test_the_pattern_covers_the_call_and_no_other() -> None:
    (one,) = loosenings([ask("rm -rf src/generated")], [], [])
    pattern = parse(shlex.split(one.line)[6])
    for command, covered in (("rm -rf src/generated", True), ("rm -rf src", False)):
        call = ToolCall("Bash", {"command": command})
        assert covers(pattern, call, strictly=True) is covered
    assert not covers(pattern, ToolCall("Bash", {"command": "rm -rf /"}), strictly=True)


@pytest.mark.parametrize(
    ("stored", "line"),
    [
        (guard(), "hookd guard add deploy 'Bash(make *)' --tell 'Now?'"),
        (guard(project="/w"), "--tell 'Now?' --scope local --project-dir /w"),
        (guard(effort=3), "--tell 'Now?' --effort 3"),
        (guard(project="/w", source="/w/.hookd/rules.yaml", layer="project"), "--scope project"),
        (guard(source="/etc/rules.yaml", layer="team"), "edit /etc/rules.yaml: deploy may tell"),
        (guard(rule={"branch": ["main"]}), """--rule '{"branch": ["main"]}'"""),
        (guard(rule={"urgency": "block"}), ""),
        (guard(rule={"softens": True}), ""),
        (guard(rule={"urgency": 7}), ""),
        (guard()._replace(rule="{"), ""),
    ],
)
def test_a_guard_rule_tells_instead_of_asking(stored: GuardRow, line: str) -> None:
    assert (line in softer(stored)) if line else (softer(stored) == "")
    assert bool(loosenings([], [("deploy", 3, 3)], [stored])) == bool(line)


@pytest.mark.parametrize(("asked", "ran"), [(2, 2), (4, 3), (0, 0)])
def test_a_rule_that_was_refused_or_asked_seldom_stays(asked: int, ran: int) -> None:
    assert loosenings([], [("deploy", asked, ran), ("other", 9, 9)], [guard()]) == ()
