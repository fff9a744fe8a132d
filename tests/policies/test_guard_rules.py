"""A fired rule says its text, its command and its files as its mode and urgency say."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hookd.config.models import Settings
from hookd.core.evaluation.policies import ask_policies
from hookd.core.guard_rules.rule import Rule, fired, payloads
from hookd.core.guard_rules.rule import _fired as found_now
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.effects.messages import AddInjection
from hookd.core.model.effects.sessions import AddSeen, Remember
from hookd.core.model.fact_requests import FactRequest, File, FileText, MissingFacts
from hookd.core.model.facts import Effort, Facts, Guard, Injection, Project, Session
from hookd.core.model.verdict import Opinion, Outcome
from hookd.events.model import PreToolUse
from hookd.methods.hooks.pre_tool_use import METHOD
from hookd.policies.guard_rules import POLICY
from support.parametrize import parametrize_all

DISK = {
    "/w/docs/a.md": "alpha\n",
    "/w/docs/b.md": "beta\n",
    "/w/long.md": "line\n" * 3000,
    "/home/u/.claude/rules/style.md": "rules\n",
    "/etc/passwd": "root\n",
}


def looked_up(want: FactRequest) -> File | None:
    """Return what is on the disk of these tests, links aside as system/file_reader.py sees it."""
    assert isinstance(want, FileText)
    inside = want.path.startswith(want.root.rstrip("/") + "/")
    text = DISK.get(want.path) if inside else None
    return None if text is None else File(want.path, text, f"1-2-{want.path}")


def decided(facts: Facts, decide: Callable[[Facts], Opinion | None]) -> Opinion | None:
    """Decide as the dispatcher does: what is lacking is looked up, at once, and asked again."""
    try:
        return decide(facts)
    except MissingFacts as lack:
        found = {want: looked_up(want) for want in lack.requests}
        return decide(facts.with_facts(found))


def guards(*rules: dict[str, Any]) -> tuple[Guard, ...]:
    made = [Rule.model_validate(rule) for rule in rules]
    return tuple(
        Guard(number, rule.id, "user", rule.model_dump_json(by_alias=True, exclude_none=True))
        for number, rule in enumerate(made, 1)
    )


def facts(*rules: dict[str, Any], **more: Any) -> Facts:
    known: dict[str, Any] = {
        "session": Session(1, "s", context_usage=0.5),
        "project": Project(1, "/w"),
        "daemon": DaemonState(claude="/home/u/.claude"),
        "guards": guards(*rules),
    }
    return Facts(**(known | more))


def bash(command: str) -> PreToolUse:
    given = {"tool_name": "Bash", "tool_input": {"command": command}}
    return PreToolUse.model_validate({"hook_event_name": "PreToolUse", **given})


EVENT, UNREADABLE = bash("ls"), bash("if (")


def said(*rules: dict[str, Any], event: PreToolUse = EVENT, **more: Any) -> Opinion:
    """Return what the policy says, heard through the judging itself."""

    def decide(known: Facts) -> Opinion | None:
        (heard,) = ask_policies([POLICY], event, known, lambda: 0.0)
        assert heard.fault is None
        return heard.opinion

    return decided(facts(*rules, **more), decide) or Opinion()


URGENCIES = [
    ("allow", None, "", "[hookd:a] Careful in 2: Build.\nRun: make check"),
    (
        "ask",
        "ask",
        "guard a: Careful in 2: Build.",
        "[hookd:a] Run: make check",
    ),
    ("block", "deny", "guard a: Careful in 2: Build.\nRun: make check", ""),
    (
        "interrupt",
        "deny",
        "guard a: Careful in 2: Build.\nStop here and tell the user why.\nRun: make check",
        "",
    ),
]


@parametrize_all(("urgency", "verdict", "reason", "context"), URGENCIES)
def test_an_urgency_says_who_is_told_and_whether_the_call_goes_on(
    urgency: str, verdict: Any, reason: str, context: str
) -> None:
    payload = {"text": "Careful in $phase.", "command": "make check"}
    effort = Effort(1, "/w/t", "implement", phase="2: Build")
    opinion = said({"id": "a", "urgency": urgency, "payload": payload}, effort=effort)
    assert (opinion.verdict, opinion.reason, opinion.context) == (verdict, reason, context)


@parametrize_all("urgency", ["allow", "ask", "block", "interrupt"])
def test_a_call_that_cannot_be_read_is_asked_about_by_who_does_more_than_tell(
    urgency: str,
) -> None:
    rule = {"id": "a", "urgency": urgency, "toolFilter": {"include": ["Bash(rm *)"]}}
    assert said(rule, event=UNREADABLE).verdict == (None if urgency == "allow" else "ask")


def test_without_a_text_the_description_is_the_reason() -> None:
    assert said({"id": "a", "urgency": "block", "description": "No."}).reason == "guard a: No."
    assert said({"id": "a", "urgency": "block"}).reason == "guard a: this call is blocked."
    assert said({"id": "a", "urgency": "ask"}).reason == "guard a: this call is blocked."
    assert said({"id": "a"}) == Opinion()


A, B = "[File: /w/docs/a.md]\nalpha", "[File: /w/docs/b.md]\nbeta"
MODES = [
    ("inline", f"[hookd:a] See.\n{A}\n{B}"),
    ("paste", f"[hookd:a] See.\n{A}\n{B}"),
    ("read", "[hookd:a] See.\nRead: /w/docs/a.md\nRead: /w/docs/b.md"),
    (
        "preload",
        "[hookd:a] See.\n\n[Preloaded: /w/docs/a.md]\nalpha\n\n[Preloaded: /w/docs/b.md]\nbeta",
    ),
]


@parametrize_all(("mode", "context"), MODES)
def test_a_mode_says_how_files_come(mode: str, context: str) -> None:
    files = ["docs/a.md", "/w/x/../docs/b.md"]
    assert said({"id": "a", "mode": mode, "payload": {"text": "See.", "files": files}}).context == (
        context
    )


@parametrize_all("mode", ["inline", "read", "preload", "paste"])
def test_what_is_to_be_preloaded_is_so_in_every_mode(mode: str) -> None:
    rule = {"id": "a", "mode": mode, "payload": {"preload": ["docs/a.md"]}}
    opinion = said(rule)
    assert opinion.context == "[Preloaded: /w/docs/a.md]\nalpha"
    assert AddSeen(1, ("/w/docs/a.md",), ()) in opinion.effects
    assert AddInjection(1, "preload", "alpha", "/w/docs/a.md", None, 1) in opinion.effects


def test_a_preloaded_file_comes_once_in_a_window() -> None:
    rule = {"id": "a", "payload": {"text": "See.", "preload": ["docs/a.md"]}}
    session = Session(1, "s", preloaded_files=("/w/docs/a.md",))
    assert said(rule, session=session).context == "[hookd:a] See."
    two = said(rule, rule | {"id": "b"})
    assert two.context.count("alpha") == 1


def test_what_is_put_in_comes_every_time() -> None:
    rule = {"id": "a", "payload": {"files": ["docs/a.md"]}}
    session = Session(1, "s", preloaded_files=("/w/docs/a.md",))
    assert said(rule, session=session).context == f"[hookd:a] {A}"


def test_files_are_put_into_a_denial_and_shown_to_the_model_beside_a_question() -> None:
    rule = {"id": "a", "urgency": "block", "payload": {"text": "No.", "files": ["docs/a.md"]}}
    assert said(rule).reason == f"guard a: No.\n{A}"
    asks = said(rule | {"urgency": "ask"})
    assert (asks.reason, asks.context) == ("guard a: No.", f"[hookd:a] {A}")


OUTSIDE = ["/etc/passwd", "../etc/passwd", "docs/none.md", "~/.ssh/id", "/home/u/.claude2/x"]


@parametrize_all("mode", ["inline", "preload"])
@parametrize_all("path", OUTSIDE)
def test_a_file_that_is_not_there_or_not_to_be_read_is_named_as_such(path: str, mode: str) -> None:
    context = said({"id": "a", "mode": mode, "payload": {"files": [path]}}).context
    assert context.startswith("[hookd:a] Missing: /")
    assert "root" not in context


@parametrize_all("mode", ["inline", "read", "preload", "paste"])
@parametrize_all("key", ["files", "preload"])
def test_a_value_does_not_lead_out_of_the_folder_that_a_rule_names(key: str, mode: str) -> None:
    effort = Effort(1, "/w/t", "implement", phase="../long.md")
    rule = {"id": "a", "mode": mode, "payload": {key: ["docs/$phase"]}}
    opinion = said(rule, effort=effort)
    assert opinion.context == "[hookd:a] Missing: docs/$phase"
    assert opinion.effects == ()
    named = Effort(1, "/w/t", "implement", phase="a.md")
    assert "/w/docs/a.md" in said(rule, effort=named).context


@parametrize_all("urgency", ["ask", "block", "interrupt"])
@parametrize_all("payload", [("inline", "files"), ("preload", "files"), ("read", "preload")])
def test_what_a_rule_brings_is_judged_as_a_read_of_it(
    payload: tuple[str, str], urgency: str
) -> None:
    mode, key = payload
    rule = {"id": "a", "mode": mode, "payload": {key: ["docs/a.md", "docs/b.md"]}}
    include = {"include": ["Read(*/docs/a.md)"]}
    opinion = said(rule, {"id": "quiet", "urgency": urgency, "toolFilter": include})
    assert opinion.verdict is None
    assert "Blocked: /w/docs/a.md (guard quiet)" in opinion.context
    assert "alpha" not in opinion.context
    assert "beta" in opinion.context
    tells = said(rule, {"id": "quiet", "toolFilter": include})
    assert "alpha" in tells.context


def test_a_file_may_stand_in_claude_code_s_own_folder() -> None:
    context = said({"id": "a", "payload": {"files": ["~/.claude/rules/style.md"]}}).context
    assert context == "[hookd:a] [File: /home/u/.claude/rules/style.md]\nrules"


def test_without_a_project_a_relative_path_leads_nowhere() -> None:
    rule = {"id": "a", "payload": {"files": ["docs/a.md"]}}
    assert said(rule, project=None).context == "[hookd:a] Missing: /nowhere/docs/a.md"


def test_what_is_put_in_stays_within_what_an_answer_brings() -> None:
    files = {"files": ["long.md", "docs/a.md"]}
    opinion = said({"id": "a", "payload": files}, {"id": "b", "payload": files})
    assert len(opinion.context) <= Settings().context.budget + 400
    assert "[the rest is in /w/long.md]" in opinion.context
    assert "Read: /w/docs/a.md" in opinion.context


@parametrize_all("mode", ["inline", "preload"])
def test_the_files_that_wait_already_come_first(mode: str) -> None:
    rule = {"id": "a", "mode": mode, "payload": {"text": "See.", "files": ["docs/a.md"]}}
    waits = Injection(1, "preload", "x" * 8_960, path="/w/x")
    opinion = said(rule, injections=(waits,))
    assert "alpha" not in opinion.context
    if mode == "inline":
        assert opinion.context == "[hookd:a] See.\nRead: /w/docs/a.md"
    else:
        assert AddInjection(1, "preload", "alpha", "/w/docs/a.md") in opinion.effects


def test_one_name_stands_for_several_files() -> None:
    effort = Effort(1, "/w/t", "implement", directives=("/w/docs/a.md", "/w/docs/b.md"))
    rule = {"id": "a", "mode": "read", "payload": {"files": "$discoveredDirectives"}}
    assert said(rule, effort=effort).context == ("[hookd:a] Read: /w/docs/a.md\nRead: /w/docs/b.md")


def test_a_file_that_was_not_looked_up_is_asked_for_and_no_fault() -> None:
    rule = {"id": "a", "urgency": "block", "payload": {"files": ["docs/a.md", "docs/b.md"]}}
    with pytest.raises(MissingFacts) as caught:
        list(ask_policies([POLICY], EVENT, facts(rule, rule | {"id": "b"}), lambda: 0.0))
    assert {want.path for want in caught.value.requests} == {"/w/docs/a.md", "/w/docs/b.md"}


ONCE = {"id": "a", "inject": "once", "payload": {"text": "Hello."}}


def test_a_rule_that_tells_once_is_remembered_and_then_silent() -> None:
    opinion = said(ONCE, policy_state={"guard-rules": {"other": True}})
    assert opinion.context == "[hookd:a] Hello."
    assert opinion.effects == (Remember(1, "guard-rules", {"other": True, "a": True}),)
    told = facts(ONCE, policy_state={"guard-rules": {"a": True}})
    assert POLICY.opine(EVENT, told, POLICY.options()) is None
    assert payloads(fired(EVENT.call, told)) == []


@parametrize_all("urgency", ["ask", "block", "interrupt"])
def test_a_rule_that_decides_is_never_done_with(urgency: str) -> None:
    state = {"guard-rules": {"a": True}}
    opinion = said(ONCE | {"urgency": urgency}, policy_state=state)
    assert opinion.verdict is not None
    assert opinion.effects == ()


def test_a_rule_that_tells_always_remembers_nothing() -> None:
    assert said({"id": "a", "payload": {"text": "Hello."}}).effects == ()


def test_a_call_that_cannot_be_read_does_not_use_up_what_is_told_once() -> None:
    rule = ONCE | {"toolFilter": {"include": ["Bash(rm *)"]}}
    assert said(rule, event=UNREADABLE) == Opinion()


def test_a_rule_that_cannot_be_read_asks_and_the_others_hold() -> None:
    denies = {"id": "a", "urgency": "block", "toolFilter": {"include": ["Bash(rm *)"]}}
    tells = {"id": "b", "payload": {"text": "Hello."}}
    odd = Guard(3, "odd", "user", '{"ruleId": "odd", "future": 1}')

    def opinion(command: str, *more: Guard) -> Opinion:
        known = facts(guards=(*guards(denies, tells), *more))
        return POLICY.opine(bash(command), known, POLICY.options()) or Opinion()

    assert opinion("ls") == Opinion(context="[hookd:b] Hello.", rule="b")
    why = "guard odd cannot be read, so it asks about every call. To remove it:"
    why += " hookd guard remove odd"
    asks = opinion("ls", odd)
    assert (asks.verdict, asks.rule) == ("ask", "odd")
    assert (asks.reason, asks.context) == (why, "[hookd:b] Hello.")
    denied = opinion("rm x", odd)
    assert (denied.verdict, denied.rule) == ("deny", "a")
    assert denied.reason == "guard a: this call is blocked."
    there = replace(odd, scope="project")
    assert opinion("ls", there).reason.endswith(" hookd guard remove odd --scope project")
    both = opinion("ls", odd, replace(odd, id=4, rule_id="other"))
    assert "guard odd cannot" in both.reason
    assert "guard other cannot" in both.reason


def test_what_the_policy_and_the_result_ask_is_worked_out_once() -> None:
    known = facts({"id": "a", "payload": {"text": "Hello."}})
    event = bash("ls")
    before = found_now.cache_info()
    assert POLICY.opine(event, known, POLICY.options()) == Opinion(
        context="[hookd:a] Hello.", rule="a"
    )
    result = METHOD.answer(event, known, Outcome())
    assert result.model_dump()["fired_rules"] == [{"ruleId": "a", "payload": {"text": "Hello."}}]
    after = found_now.cache_info()
    assert (after.misses, after.hits) == (before.misses + 1, before.hits + 1)


def test_what_fired_is_reported_as_it_was_set() -> None:
    payload = {"text": "In $phase.", "command": "make", "files": ["a"]}
    reported = payloads(fired(EVENT.call, facts({"id": "a", "payload": payload})))
    assert json.loads(json.dumps(reported)) == [{"ruleId": "a", "payload": payload}]
