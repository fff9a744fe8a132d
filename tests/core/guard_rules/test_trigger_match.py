"""A trigger fires exactly where it says, never on what is unknown, and is refused by its field."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from hookd.core.guard_rules.rule import Rule, fired
from hookd.core.model.facts import Effort, Facts, Guard, Injection, Session
from hookd.events.tool_pattern import ToolCall
from support.parametrize import parametrize_all

LS = ToolCall("Bash", {"command": "ls"})


def fires(facts: Facts, **rule: Any) -> bool:
    text = json.dumps({"id": "a"} | rule)
    guards = (Guard(1, "a", "user", Rule.model_validate_json(text).model_dump_json(by_alias=True)),)
    return bool(fired(LS, Facts(guards=guards, **{name: getattr(facts, name) for name in KNOWN})))


KNOWN = ("session", "effort", "injections")


def window(**more: Any) -> Facts:
    return Facts(session=Session(1, "s", **more))


USAGE = [
    ({"gte": 0.9}, 0.9, True),
    ({"gte": 0.9}, 0.89, False),
    ({"gt": 0.9}, 0.9, False),
    ({"gt": 0.9}, 0.91, True),
    ({"lte": 0.5}, 0.5, True),
    ({"lte": 0.5}, 0.51, False),
    ({"lt": 0.5}, 0.5, False),
    ({"lt": 0.5}, 0.0, True),
    ({"eq": 1}, 1.0, True),
    ({"eq": 1}, 0.99, False),
    ({"gte": 0.5, "lt": 0.9}, 0.7, True),
    ({"gte": 0.5, "lt": 0.9}, 0.9, False),
    ({"gte": 0}, None, False),
    ({"lt": 1}, None, False),
    ({"eq": 0}, None, False),
]


@parametrize_all(("condition", "usage", "expected"), USAGE, ids=str)
def test_a_context_threshold_compares_the_share_in_use(
    condition: dict[str, float], usage: float | None, expected: bool
) -> None:
    trigger = {"type": "contextThreshold", "condition": condition}
    assert fires(window(context_usage=usage), trigger=trigger) == expected
    assert not fires(Facts(), trigger=trigger), "there is no window"


COUNTS = [
    ({"gte": 5}, True),
    ({"gte": 6}, False),
    ({"gt": 4}, True),
    ({"gt": 5}, False),
    ({"lte": 5}, True),
    ({"lte": 4}, False),
    ({"lt": 6}, True),
    ({"lt": 5}, False),
    ({"eq": 5}, True),
    ({"eq": 4}, False),
]


@parametrize_all(
    ("kind", "facts"),
    [
        ("toolCount", window(tool_calls=5, heartbeat_counter=99)),
        ("perTranscriptToolCount", window(tool_calls=99, heartbeat_counter=5)),
    ],
)
@parametrize_all(("condition", "expected"), COUNTS, ids=str)
def test_a_count_is_of_the_window_or_since_the_last_log_entry(
    kind: str, facts: Facts, condition: dict[str, int], expected: bool
) -> None:
    trigger = {"type": kind, "condition": condition}
    assert fires(facts, trigger=trigger) == expected
    assert not fires(Facts(), trigger=trigger), "there is no window"


@parametrize_all("field", ["heartbeat_counter", "context_usage", "tool_calls"])
def test_a_simple_condition_knows_three_numbers(field: str) -> None:
    condition = {"field": field, "op": "gte", "value": 0.5}
    assert fires(window(**{field: 1}), condition=condition)
    assert not fires(window(**{field: 0}), condition=condition)
    assert not fires(Facts(), condition=condition)


def effort(**more: Any) -> Facts:
    return Facts(effort=Effort(1, "/w/task", "implement", **more))


NONE, ACTIVE = Facts(), effort()
LOADING = effort(metadata={"loading": True})
LEAVING = effort(metadata={"loading": True, "dehydrating": True})
FINISHED = effort(lifecycle="finished", metadata={"loading": True})
STATES = {
    "none": NONE,
    "active": ACTIVE,
    "loading": LOADING,
    "dehydrating": LEAVING,
    "finished": FINISHED,
}


@parametrize_all("asked", STATES)
@parametrize_all("state", STATES)
@parametrize_all("word", ["eq", "matches"])
def test_a_lifecycle_is_exactly_one_of_five(asked: str, state: str, word: str) -> None:
    trigger = {"type": "lifecycle", "condition": {word: asked}}
    assert fires(STATES[state], trigger=trigger) == (asked == state)


LIFE = [
    ({"noActiveSession": True}, {"none", "finished"}),
    ({"eq": "idle"}, {"none"}),
    ({"matches": "idle"}, {"none"}),
    ({"matches": "*ing"}, {"loading", "dehydrating"}),
    ({"matches": "*"}, set(STATES)),
    ({"matches": "[!n]*"}, {"active", "loading", "dehydrating", "finished"}),
    ({"noActiveSession": True, "matches": "fin*"}, {"finished"}),
]


@parametrize_all(("condition", "expected"), LIFE)
def test_a_lifecycle_is_matched_by_a_glob(condition: dict[str, Any], expected: set[str]) -> None:
    trigger = {"type": "lifecycle", "condition": condition}
    assert {name for name, facts in STATES.items() if fires(facts, trigger=trigger)} == expected


SHORT = [
    ("active", {"active", "loading", "dehydrating"}),
    ("loading", {"loading"}),
    ("dehydrating", {"dehydrating"}),
    ("finished", {"finished"}),
    ("none", {"none"}),
    ("idle", {"none"}),
]


@parametrize_all(("glob", "expected"), SHORT)
def test_the_short_form_still_calls_an_effort_active_that_loads(
    glob: str, expected: set[str]
) -> None:
    trigger = {"type": "lifecycle", "matches": glob}
    assert {name for name, facts in STATES.items() if fires(facts, trigger=trigger)} == expected


PHASES = [
    ("Synthesis", "4.A: Synthesis", True),
    ("synthesis", "4.A: SYNTHESIS of all", True),
    ("synth", "4: Synthesis", True),
    ("4.A: Synthesis", "4.A: Synthesis", True),
    ("4.?: *", "4.A: Synthesis", True),
    ("synth*", "4.A: Synthesis", False),
    ("*SYNTH*", "4.A: Synthesis", True),
    ("build", "4.A: Synthesis", False),
    ("*", None, False),
    ("*", "", False),
    ("Straße", "1: STRASSE", True),
]


@parametrize_all("word", ["eq", "matches"])
@parametrize_all(("glob", "title", "expected"), PHASES)
def test_a_phase_is_named_by_a_glob_or_a_word_of_its_title(
    word: str, glob: str, title: str | None, expected: bool
) -> None:
    trigger = {"type": "phase", "condition": {word: glob}}
    assert fires(effort(phase=title), trigger=trigger) == expected
    assert not fires(Facts(), trigger=trigger), "there is no effort"


WAITS = Injection(1, "preload", "text", path="/w/a.md")
OFFERED = Injection(2, "preload", "text", path="/w/b.md", offered=True)
SAYS = Injection(3, "a-rule", "text")

LISTS = [
    ("pendingPreloads", Facts(injections=(WAITS,)), Facts(injections=(OFFERED, SAYS))),
    ("pendingInjections", Facts(injections=(SAYS,)), Facts(injections=(OFFERED,))),
    ("discoveredDirectives", effort(directives=("/w/AGENTS.md",)), effort()),
    ("loadedFiles", window(loaded_files=("/w/a",)), window(preloaded_files=("/w/a",))),
    ("preloadedFiles", window(preloaded_files=("/w/a",)), window(loaded_files=("/w/a",))),
]


@parametrize_all(("field", "holds", "empty"), LISTS, ids=lambda value: str(value)[:30])
def test_a_discovery_is_a_list_that_holds_something(field: str, holds: Facts, empty: Facts) -> None:
    trigger = {"type": "discovery", "condition": {"field": field, "nonEmpty": True}}
    assert fires(holds, trigger=trigger)
    assert not fires(empty, trigger=trigger)
    assert not fires(Facts(), trigger=trigger)


def test_a_condition_and_a_trigger_must_both_hold() -> None:
    trigger = {"type": "toolCount", "condition": {"gte": 5}}
    condition = {"field": "heartbeat_counter", "op": "gte", "value": 3}
    both = {"trigger": trigger, "condition": condition}
    assert fires(window(tool_calls=5, heartbeat_counter=3), **both)
    assert not fires(window(tool_calls=4, heartbeat_counter=3), **both)
    assert not fires(window(tool_calls=5, heartbeat_counter=2), **both)


WRONG = [
    ("x", ""),
    ([], ""),
    ({}, ".type"),
    ({"type": "time", "condition": {"gte": 1}}, ".type"),
    ({"type": 7}, ".type"),
    ({"type": "contextThreshold"}, ".condition"),
    ({"type": "contextThreshold", "condition": {}}, ".condition"),
    ({"type": "contextThreshold", "condition": []}, ".condition"),
    ({"type": "contextThreshold", "condition": {"gte": 1.5}}, ".condition.gte"),
    ({"type": "contextThreshold", "condition": {"gte": -0.1}}, ".condition.gte"),
    ({"type": "contextThreshold", "condition": {"gte": "0.9"}}, ".condition.gte"),
    ({"type": "contextThreshold", "condition": {"lt": float("nan")}}, ".condition.lt"),
    ({"type": "contextThreshold", "condition": {"ge": 0.9}}, ".condition.ge"),
    ({"type": "toolCount", "condition": {"gte": 1.5}}, ".condition.gte"),
    ({"type": "toolCount", "condition": {"eq": -1}}, ".condition.eq"),
    ({"type": "toolCount", "condition": {"eq": True}}, ".condition.eq"),
    ({"type": "perTranscriptToolCount", "condition": {"over": 3}}, ".condition.over"),
    ({"type": "lifecycle", "condition": {}}, ".condition"),
    ({"type": "lifecycle", "condition": {"eq": ""}}, ".condition.eq"),
    ({"type": "lifecycle", "condition": {"noActiveSession": False}}, ".condition.noActiveSession"),
    ({"type": "lifecycle", "condition": {"eq": "none"}, "matches": "none"}, ".matches"),
    ({"type": "lifecycle"}, ".matches"),
    ({"type": "phase", "condition": {}}, ".condition"),
    ({"type": "phase", "condition": {"matches": 3}}, ".condition.matches"),
    ({"type": "phase", "condition": {"noActiveSession": True}}, ".condition.noActiveSession"),
    ({"type": "discovery", "condition": {"field": "files", "nonEmpty": True}}, ".condition.field"),
    ({"type": "discovery", "condition": {"field": "loadedFiles"}}, ".condition.nonEmpty"),
    (
        {"type": "discovery", "condition": {"field": "loadedFiles", "nonEmpty": False}},
        ".condition.nonEmpty",
    ),
]


@parametrize_all(("trigger", "path"), WRONG, ids=lambda value: str(value)[:60])
def test_what_is_wrong_with_a_trigger_is_told_by_its_path(trigger: Any, path: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Rule.model_validate({"id": "a", "trigger": trigger})
    assert {".".join(map(str, one["loc"])) for one in caught.value.errors()} == {f"trigger{path}"}


@parametrize_all(
    "trigger",
    [
        {"type": "contextThreshold", "condition": {"gte": 0.9, "lt": 1.0}},
        {"type": "toolCount", "condition": {"eq": 3}},
        {"type": "perTranscriptToolCount", "condition": {"gt": 3}},
        {"type": "lifecycle", "condition": {"noActiveSession": True}},
        {"type": "lifecycle", "matches": "active"},
        {"type": "phase", "condition": {"matches": "*b*"}},
        {"type": "phase", "matches": "*b*"},
        {"type": "discovery", "condition": {"field": "loadedFiles", "nonEmpty": True}},
    ],
    ids=str,
)
def test_a_trigger_is_kept_as_it_was_given(trigger: dict[str, Any]) -> None:
    rule = Rule.model_validate({"id": "a", "trigger": trigger})
    kept = json.loads(rule.model_dump_json(by_alias=True, exclude_none=True))
    assert kept["trigger"] == trigger
    assert Rule.model_validate(kept) == rule
