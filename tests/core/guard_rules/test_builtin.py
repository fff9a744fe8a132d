"""Every built-in rule can be added, has its effect, and keeps its exceptions."""

import json
from typing import Any

from hookd.core.guard_rules.builtin import BUILTIN, POLICIES
from hookd.core.guard_rules.rule import Rule
from hookd.core.model.facts import Effort, Facts, Guard, Injection, Session
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.events.tool_pattern import ToolCall
from hookd.policies.guard_rules import POLICY
from support.parametrize import parametrize_all


def said(name: str, call: ToolCall, *more: str, **known: Any) -> Opinion:
    made = [Rule.model_validate({"id": one, **BUILTIN[one]}) for one in (name, *more)]
    texts = [rule.model_dump_json(by_alias=True, exclude_none=True) for rule in made]
    guards = tuple(Guard(at, name, "user", text) for at, text in enumerate(texts, 1))
    event = PreToolUse(tool_name=call.name, tool_input=dict(call.input))
    return POLICY.opine(event, Facts(guards=guards, **known), POLICY.options()) or Opinion()


def bash(command: str) -> ToolCall:
    return ToolCall("Bash", {"command": command})


LS, LOG = bash("ls"), bash('hookd log "done"')
SAVE = bash("hookd handover save /tmp/handover.json")
START = bash("hookd effort start tasks/x implement")
READ = ToolCall("Read", {"file_path": "/w/a"})
WRITE = ToolCall("Write", {"file_path": "/w/handover.json"})
EDIT = ToolCall("Edit", {"file_path": "/w/a"})
GREP = ToolCall("Grep", {"pattern": "x"})
GLOB = ToolCall("Glob", {"pattern": "*"})
SKILL = ToolCall("Skill", {"skill": "implement"})
ASKS = ToolCall("AskUserQuestion", {})

FULL = {"session": Session(1, "s", context_usage=0.9)}
ROOM = {"session": Session(1, "s", context_usage=0.89)}
UNKNOWN = {"session": Session(1, "s")}
WORKS = {"effort": Effort(1, "/w/t", "implement", phase="4: Synthesis")}
BUILDS = {"effort": Effort(1, "/w/t", "implement", phase="3: Build")}
DONE = {"effort": Effort(1, "/w/t", "implement", lifecycle="finished")}
WAITS = {"injections": (Injection(1, "p", "text", path="/w/a.md"),)}

GATES = [
    ("overflow-dehydration", FULL, [LS, READ, EDIT, SKILL], [LOG, SAVE, WRITE, ASKS]),
    ("session-gate", {}, [LS, EDIT, WRITE], [READ, GREP, GLOB, SKILL, ASKS, START]),
    ("session-gate", DONE, [LS, EDIT, WRITE], [READ, GREP, GLOB, SKILL, ASKS, START]),
    ("idle-gate", {}, [LS, EDIT, WRITE, READ, GREP, GLOB], [SKILL, ASKS, START]),
    ("read-throttle", FULL, [READ], [LS, EDIT, GREP, GLOB, SAVE, bash("head -50 a")]),
]


def ids(value: object) -> str:
    return value if isinstance(value, str) else ""


@parametrize_all(("name", "known", "denied", "open_"), GATES, ids=ids)
def test_a_gate_denies_and_leaves_its_ways_out_open(
    name: str, known: Any, denied: list[ToolCall], open_: list[ToolCall]
) -> None:
    for call in denied:
        opinion = said(name, call, **known)
        assert (opinion.verdict, opinion.rule) == ("deny", name), call
        assert "$" not in opinion.reason
    for call in open_:
        assert said(name, call, **known) == Opinion(), call


@parametrize_all(
    ("name", "known"),
    [
        ("overflow-dehydration", ROOM),
        ("overflow-dehydration", UNKNOWN),
        ("read-throttle", ROOM),
        ("read-throttle", UNKNOWN),
        ("session-gate", WORKS),
        ("idle-gate", WORKS),
        ("idle-gate", DONE),
        ("preload", {}),
        ("synthesis-commands", BUILDS),
        ("synthesis-commands", {}),
    ],
    ids=ids,
)
def test_a_built_in_rule_is_silent_where_it_has_no_cause(name: str, known: Any) -> None:
    for call in (LS, READ, EDIT):
        assert said(name, call, **known) == Opinion()


def test_what_tells_says_what_it_knows() -> None:
    assert said("preload", LS, **WAITS).context.endswith("next answers: /w/a.md")
    told = said("synthesis-commands", LS, **WORKS).context
    assert "4: Synthesis" in told and "/w/t/1_IMPLEMENT_LOG.md" in told
    assert told.endswith("Run: hookd effort finish")


CHANGES = [
    "hookd guard add mine Bash --tell x",
    "hookd guard remove mine --scope project",
    "cd /tmp && hookd stop",
    "hookd restart",
    "hookd install --local",
    "hookd uninstall",
    'hookd rpc guards.remove \'{"ruleId": "mine"}\'',
    "hookd dialogue export -o FILE --force",
    "~/.hookd/bin/hookd stop",
    "bash -c 'hookd stop'",
    "python3 -m hookd stop",
    "/usr/bin/python3.12 -I -m hookd stop",
]
"""Commands that change hookd itself, or write where it is told to."""

HARMLESS = [
    "ls",
    "echo hookd stop",
    "hookd guard list",
    "hookd guard builtin",
    "hookd log stop",
    "hookd effort finish",
    "hookd handover save /tmp/handover.json",
    "hookd status",
    "hookd start",
    "python3 -m pytest",
]


@parametrize_all("command", CHANGES)
def test_what_changes_hookd_itself_is_asked_about(command: str) -> None:
    opinion = said("hookd-self", bash(command))
    assert (opinion.verdict, opinion.rule) == ("ask", "hookd-self")


@parametrize_all("command", [one for one in CHANGES if one.startswith("hookd ")])
def test_what_a_gate_leaves_open_is_asked_about_if_it_changes_hookd_itself(command: str) -> None:
    gates = ("overflow-dehydration", "session-gate", "idle-gate")
    assert said(gates[0], bash(command), *gates[1:], **FULL) == Opinion()
    opinion = said("hookd-self", bash(command), *gates, **FULL)
    assert (opinion.verdict, opinion.rule) == ("ask", "hookd-self")


@parametrize_all("command", HARMLESS)
def test_what_leaves_hookd_as_it_is_is_not_asked_about(command: str) -> None:
    assert said("hookd-self", bash(command)) == Opinion()


def test_all_gates_at_once_lock_nobody_in() -> None:
    gates = ("overflow-dehydration", "session-gate", "idle-gate")
    for call in (LOG, SAVE, START, ASKS, WRITE):
        assert said(*gates[:1], call, *gates[1:], **FULL) == Opinion(), call
    denied = said("session-gate", LS, "overflow-dehydration", **FULL)
    assert "90% full" in denied.reason
    assert "no effort is active" not in denied.reason


def test_the_gates_speak_in_their_order() -> None:
    numbers = {name: rule.get("priority") for name, rule in BUILTIN.items()}
    assert [name for name, number in numbers.items() if number is not None] == [
        "overflow-dehydration",
        "session-gate",
        "idle-gate",
        "read-throttle",
    ]
    assert [number for number in numbers.values() if number] == [1, 2, 3, 4]


@parametrize_all("name", BUILTIN)
def test_a_built_in_rule_says_what_it_is_for_and_can_be_kept(name: str) -> None:
    rule = Rule.model_validate({"id": name, **json.loads(json.dumps(BUILTIN[name]))})
    assert rule.description.endswith(".")
    assert rule.payload.text
    assert name not in POLICIES
