"""What a rule's text names is filled in as plain text, and what there is not is refused."""

import json
import posixpath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hookd.core.guard_rules.rule import Rule, parse_rule
from hookd.core.guard_rules.variables import (
    NAMES,
    check_text,
    expand,
    expand_paths,
    leads_elsewhere,
    variable_values,
)
from hookd.core.model.facts import Effort, Facts, Injection, Session
from hookd.events.tool_pattern import ToolCall
from support.parametrize import parametrize_all

LS = ToolCall("Bash", {"command": "ls"})
FACTS = Facts(
    effort=Effort(1, "/w/task", "implement", phase="4: Synthesis", directives=("/w/AGENTS.md",)),
    session=Session(
        1, "s", heartbeat_counter=3, context_usage=0.91, tool_calls=12, loaded_files=("/w/x",)
    ),
    injections=(Injection(1, "p", "t", path="/w/a"), Injection(2, "p", "t", path="/w/b")),
)

FILLED = [
    ("heartbeat", "3", "none"),
    ("contextUsage", "91%", "none"),
    ("phase", "4: Synthesis", "none"),
    ("skill", "implement", "none"),
    ("task", "/w/task", "none"),
    ("logPath", "/w/task/1_IMPLEMENT_LOG.md", "none"),
    ("lifecycle", "active", "none"),
    ("tool", "Bash", "Bash"),
    ("toolCalls", "12", "none"),
    ("pendingPreloads", "/w/a, /w/b", "none"),
    ("discoveredDirectives", "/w/AGENTS.md", "none"),
    ("loadedFiles", "/w/x", "none"),
]


@parametrize_all(("name", "value", "unknown"), FILLED)
def test_a_name_stands_for_what_is_known(name: str, value: str, unknown: str) -> None:
    assert expand(f"<${name}>", variable_values(LS, FACTS)) == f"<{value}>"
    assert expand(f"<${name}>", variable_values(LS, Facts())) == f"<{unknown}>"


def test_every_name_is_told_of() -> None:
    assert {name for name, *_ in FILLED} == set(NAMES) == set(variable_values(LS, FACTS))


TEXTS = [
    ("$$", "$"),
    ("$$phase", "$phase"),
    ("$$$phase", "$4: Synthesis"),
    ("costs $5, or $", "costs $5, or $"),
    ("$heartbeat.$heartbeat", "3.3"),
    ("$heartbeat-$tool", "3-Bash"),
    ("", ""),
]


@parametrize_all(("text", "expected"), TEXTS)
def test_a_dollar_is_written_twice_or_before_no_letter(text: str, expected: str) -> None:
    assert expand(check_text(text), variable_values(LS, FACTS)) == expected


@given(st.text(max_size=20))
def test_a_value_is_put_in_as_plain_text(title: str) -> None:
    facts = Facts(effort=Effort(1, "/w", "implement", phase=title or None))
    assert expand("$phase$phase", variable_values(LS, facts)) == (title or "none") * 2


@parametrize_all(
    ("given_paths", "expected"),
    [
        (["$pendingPreloads"], ("/w/a", "/w/b")),
        (["$pendingPreloads", "c", "$discoveredDirectives"], ("/w/a", "/w/b", "c", "/w/AGENTS.md")),
        (["$logPath"], ("/w/task/1_IMPLEMENT_LOG.md",)),
        (["$task/PLAN.md"], ("/w/task/PLAN.md",)),
        (["a$$b"], ("a$b",)),
        (["a", "a"], ("a",)),
        ([], ()),
    ],
    ids=str,
)
def test_a_path_may_be_a_name(given_paths: list[str], expected: tuple[str, ...]) -> None:
    assert expand_paths(given_paths, variable_values(LS, FACTS)) == expected


def test_a_path_that_names_what_is_unknown_is_left_out() -> None:
    known = variable_values(LS, Facts())
    assert expand_paths(["$logPath", "$task/PLAN.md", "$loadedFiles", "a"], known) == ("a",)


LEADS = [
    ("docs/$phase", "../.env", True),
    ("docs/$phase/x.md", "..", True),
    ("docs/$phase", "a/b", True),
    ("$phase/x.md", "/etc", True),
    ("docs/.$phase/.env", ".", True),
    ("docs/$phase$phase/.env", ".", True),
    ("docs/$phase", "1: Build", False),
    ("docs/$phase", ".", False),
    ("docs/$phase", "$task", False),
    ("../docs/$phase", "Build", False),
    ("../docs/$phase", "..", True),
    ("docs/$$phase", "..", False),
    ("docs/$phase", None, False),
    ("docs/a.md", "..", False),
]


@parametrize_all(("path", "phase", "led_away"), LEADS)
def test_a_value_cannot_lead_a_path_elsewhere(path: str, phase: str, led_away: bool) -> None:
    known = variable_values(LS, Facts(effort=Effort(1, "/w/task", "implement", phase=phase)))
    assert leads_elsewhere(path, known) == led_away
    if led_away:
        assert expand_paths([path, "a"], known) == ("a",)


def test_the_task_is_a_folder_only_where_a_path_begins() -> None:
    known = variable_values(LS, FACTS)
    assert not leads_elsewhere("$task/PLAN.md", known)
    assert not leads_elsewhere("$logPath", known)
    assert leads_elsewhere("docs/$task", known)
    assert leads_elsewhere("docs/$logPath", known)


@given(
    st.text("./$ab~\\", max_size=6), st.sampled_from(["d/$phase", "d/.$phase/x", "d/$phase$phase"])
)
def test_what_a_value_names_stays_in_the_folder_that_the_rule_names(title: str, path: str) -> None:
    known = variable_values(LS, Facts(effort=Effort(1, "/w", "implement", phase=title or None)))
    for found in expand_paths([path], known):
        assert posixpath.normpath(posixpath.join("/w", found)).startswith("/w/d")


WRONG = [
    ({"text": "in $fase"}, "payload.text"),
    ({"text": "in $HOME"}, "payload.text"),
    ({"command": "ls $dir"}, "payload.command"),
    ({"files": "docs/a.md"}, "payload.files"),
    ({"files": "$nothing"}, "payload.files.0"),
    ({"files": "$heartbeat"}, "payload.files.0"),
    ({"files": ["a", "$phase"]}, "payload.files.1"),
    ({"files": ["x/$loadedFiles"]}, "payload.files.0"),
    ({"files": [""]}, "payload.files.0"),
    ({"files": 7}, "payload.files"),
    ({"preload": ["a/$x"]}, "payload.preload.0"),
    ({"preload": "a"}, "payload.preload"),
    ("text", "payload"),
]


@parametrize_all(("payload", "path"), WRONG, ids=str)
def test_what_is_wrong_with_a_payload_is_told_by_its_path(payload: Any, path: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Rule.model_validate({"id": "a", "payload": payload})
    assert ".".join(map(str, caught.value.errors()[0]["loc"])) == path


def test_an_unknown_name_is_told_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"there is no \$fase, only \$heartbeat, .*write \$\$"):
        check_text("in $fase")


def test_a_rule_that_was_kept_before_names_had_a_meaning_still_holds() -> None:
    rule = parse_rule(json.dumps({"id": "a", "payload": {"text": "Use $HOME, not $5."}}))
    assert expand(rule.payload.text, variable_values(LS, FACTS)) == "Use $HOME, not $5."


def test_one_name_and_a_list_of_one_are_the_same() -> None:
    one = Rule.model_validate({"id": "a", "payload": {"files": "$loadedFiles"}})
    several = Rule.model_validate({"id": "a", "payload": {"files": ["$loadedFiles"]}})
    assert one == several
