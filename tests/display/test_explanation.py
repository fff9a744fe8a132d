"""An event explained: its title, opinions with their sources, silence, hook runs and texts."""

from typing import Any

import pytest

from hookd.display.explanation import Judges, explain, judges_of, silence, title

OPINION = {
    "rule": "destructive-guard",
    "verdict": "deny",
    "reason": "It deletes all.",
    "ruleIds": ["rm.root"],
    "call": {"tool": "Bash"},
}


def event(**more: Any) -> dict[str, Any]:
    """Return a denied call with the keys of events.list."""
    known = {
        "id": 7,
        "at": "2026-01-31T08:00:00.000Z",
        "sessionId": 5,
        "agent": "orders",
        "agentId": None,
        "event": "PreToolUse",
        "kind": "hook",
        "decision": "deny",
        "rule": "destructive-guard",
        "answer": {"hookSpecificOutput": {"permissionDecisionReason": "No. (hookd #7)"}},
        "facts": {"project": "/work/orders", "effort": 3, "opinions": [OPINION]},
        "project": "/work/now",
        "effortId": 9,
        "payload": {"tool_input": {"command": "rm -rf /"}},
        "stages": {"parse": 5, "policies": 300, "policy": ["destructive-guard", 250]},
        "durationUs": 900,
        "lost": False,
    }
    return known | more


def silent(**more: Any) -> dict[str, Any]:
    return event(**({"decision": None, "rule": None, "answer": None, "facts": None} | more))


def guard(name: str, scope: str = "user", **more: Any) -> dict[str, Any]:
    known = {"ruleId": name, "scope": scope, "project": None, "effortId": None, "source": None}
    return known | more


JUDGES = Judges(("hooks.preToolUse",), ("destructive-guard", "guard-rules", "heartbeat"))


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, "PreToolUse, denied by destructive-guard"),
        ({"decision": "ask"}, "PreToolUse, asked about by destructive-guard"),
        ({"decision": "defer"}, "PreToolUse, defer by destructive-guard"),
        ({"decision": None}, "PreToolUse; only commented on"),
        ({"answer": None, "rule": None}, "PreToolUse; no decision"),
        ({"answer": None, "rule": "allow"}, "PreToolUse, allowed by hookd allow"),
        ({"event": "", "answer": None}, "an event without a name; no decision"),
    ],
)
def test_the_title_says_what_happened(more: dict[str, Any], expected: str) -> None:
    assert title(event(**more)) == expected


def test_it_names_the_agent_and_the_time() -> None:
    found = explain(event(agentId="a1b2c3d4e5"), JUDGES)
    assert (found.who, found.at) == ("orders/a1b2c3d4", "2026-01-31T08:00:00.000Z")


def test_an_answer_that_came_too_late_is_in_the_title() -> None:
    assert "too late" in title(event(lost=True))


def test_an_opinion_has_its_reason_its_source_and_the_command_that_changes_it() -> None:
    found = explain(event(), JUDGES)
    (opinion,) = found.opinions
    assert (opinion.rule, opinion.verdict) == ("destructive-guard", "deny")
    assert (opinion.reason, opinion.rule_ids) == ("It deletes all.", ("rm.root",))
    assert [source.kind for source in opinion.sources] == ["policy"]
    assert opinion.sources[0].change == "hookd policy show destructive-guard"
    assert opinion.steps == (("allow exactly this call", "hookd allow 7"),)
    assert (found.silence, found.steps) == ("", ())


def test_the_call_its_place_and_its_stages_are_there() -> None:
    found = explain(event(), JUDGES)
    assert found.call == {"command": "rm -rf /"}
    assert found.context["project"] == "/work/orders"
    assert found.stages == (("parse", 5), ("policies", 300))
    assert (found.slowest, found.duration_us) == (("destructive-guard", 250), 900)


def test_an_allowed_call_can_be_blocked_again() -> None:
    opinions = [{"rule": "destructive-guard", "allowed": 5}]
    (opinion,) = explain(event(facts={"opinions": opinions}), JUDGES).opinions
    assert opinion.verdict == "allowed"
    assert opinion.steps == (("block it again", "hookd allow remove 5"),)


@pytest.mark.parametrize(
    ("rule", "text", "change"),
    [
        (guard("g"), "guard g applies everywhere", "hookd guard remove g"),
        (
            guard("g", "project", project="/work/o r"),
            "applies in /work/o r;",
            "hookd guard remove g --scope local --project-dir '/work/o r'",
        ),
        (guard("g", "project", project="/work/o r", source="/r.json"), "its file /r.json", ""),
        (guard("g", "effort", effortId=3), "in effort 3", "hookd guard remove g --effort 3"),
    ],
)
def test_a_guard_rule_says_where_it_applies(rule: dict[str, Any], text: str, change: str) -> None:
    facts = {"project": "/work/o r", "effort": 3, "opinions": [{"rule": "g", "verdict": "ask"}]}
    found = explain(event(facts=facts), JUDGES, [rule])
    (source,) = found.opinions[0].sources
    assert text in source.text
    assert source.change == change
    assert found.guards == (source,)


def test_a_guard_rule_of_another_project_does_not_apply() -> None:
    found = explain(event(), JUDGES, [guard("g", "project", project="/other")])
    assert found.guards == ()


def test_a_guard_rule_that_is_gone_is_said_to_be_removed() -> None:
    facts = {"guards": ["old"], "opinions": [{"rule": "old", "verdict": "deny"}]}
    (opinion,) = explain(event(facts=facts), JUDGES).opinions
    assert [source.text for source in opinion.sources] == ["guard old has been removed since"]


def test_a_comment_names_the_guards_in_its_text() -> None:
    facts = {"opinions": [{"rule": "guard-rules", "context": "[hookd:mind] Look."}]}
    (opinion,) = explain(event(facts=facts), JUDGES, [guard("mind")]).opinions
    assert opinion.verdict == "comment"
    assert [source.name for source in opinion.sources] == ["guard-rules", "mind"]


def test_silence_names_who_was_asked_and_offers_to_deny() -> None:
    found = explain(silent(), JUDGES, [guard("g")])
    assert "Evaluated: hooks.preToolUse, destructive-guard, guard-rules, heartbeat" in found.silence
    assert "1 guard rule applies here at present" in found.silence
    assert found.steps == (("deny such calls from now on", "hookd deny 7"),)
    assert found.context == {"project": "/work/now", "effort": 9}


@pytest.mark.parametrize(
    ("more", "judges", "expected"),
    [
        ({"rule": "pause"}, JUDGES, "hookd was paused"),
        ({"rule": "unreadable"}, JUDGES, "could not be read"),
        ({}, Judges(), "no policy applies to this event"),
        ({}, Judges((), ("a", "b"), ("b",)), "Evaluated: a. Off here at present: b."),
        ({"answer": {}}, JUDGES, "The source of the decision is not stored."),
    ],
)
def test_silence_has_a_reason(more: dict[str, Any], judges: Judges, expected: str) -> None:
    assert expected in silence(silent(**more), judges, [])


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ({"fault": None, "exitCode": 0, "decision": None, "background": 0}, "exit 0"),
        ({"fault": None, "exitCode": 2, "decision": "deny", "background": 0}, "exit 2, deny"),
        (
            {"fault": "timed out", "exitCode": None, "decision": None, "background": 1},
            "timed out, in the background",
        ),
        ({"fault": None, "exitCode": None, "decision": None, "background": 0}, "ended"),
    ],
)
def test_a_hook_run_says_how_it_ended(run: dict[str, Any], expected: str) -> None:
    found = explain(event(), JUDGES, runs=[{"hook": "lint"} | run])
    assert [(one.hook, one.result) for one in found.hook_runs] == [("lint", expected)]


def test_the_method_of_an_event_is_asked_first() -> None:
    assert judges_of("PreToolUse", ["a"]).asked == ["hooks.preToolUse", "a"]
    assert judges_of("Unknown", ["a", "b"], ["b"]).asked == ["a"]


def test_a_note_on_a_silent_event_keeps_its_project() -> None:
    note = {"rule": "approvals", "reason": "not held: guard no-rm denies the call"}
    found = explain(silent(event="PermissionRequest", facts={"opinions": [note]}), JUDGES)
    assert (found.context["project"], found.title) == (
        "/work/now",
        "PermissionRequest; no decision",
    )
    ((rule, verdict, reason),) = [(one.rule, one.verdict, one.reason) for one in found.opinions]
    assert (rule, verdict, reason) == ("approvals", "comment", note["reason"])
