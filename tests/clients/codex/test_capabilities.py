"""What Codex cannot express is done in another way, and nothing of it is lost."""

from typing import Any

import pytest

from hookd.clients.codex.capabilities import denial_template, feasible, intentions
from hookd.clients.substitutes import NO_REASON
from hookd.core.model.fail_policy import CLOSABLE
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS
from support.parametrize import parametrize_all


def reduced(event: str, outcome: Outcome, **more: Any) -> Outcome:
    return feasible(HookInput(hook_event_name=event, **more), outcome)


@pytest.mark.parametrize("verdict", ["ask", "defer"])
def test_a_question_before_a_call_denies_it_and_leaves_it_to_the_user(verdict: Any) -> None:
    asked = Outcome(verdict, "path-guard: .env has secrets.", allowable=True)
    found = reduced("PreToolUse", asked)
    assert (found.verdict, found.allowable) == ("deny", True)
    assert found.reason.startswith("path-guard: .env has secrets. hookd would ask the user")
    assert "let the user decide" in found.reason


def test_a_permission_before_a_call_is_silence_but_for_another_input() -> None:
    assert reduced("PreToolUse", Outcome("allow", "as asked")).verdict is None
    changed = {"command": "ls"}
    for verdict in ("allow", None):
        found = reduced("PreToolUse", Outcome(verdict, updated_input=changed))
        assert (found.verdict, found.updated_input) == ("allow", changed)
    asked = reduced("PreToolUse", Outcome("ask", "why", updated_input=changed))
    assert (asked.verdict, asked.updated_input) == ("deny", None)


@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest", "UserPromptSubmit"])
def test_the_end_of_a_turn_is_a_denial_where_codex_ignores_it(event: str) -> None:
    found = reduced(event, Outcome(stops_turn=True, stop_reason="the budget is spent"))
    assert (found.verdict, found.reason) == ("deny", "the budget is spent")
    assert not found.stops_turn
    assert reduced(event, Outcome(stops_turn=True)).reason


def test_a_turn_ends_at_its_start() -> None:
    found = reduced("SessionStart", Outcome(stops_turn=True, stop_reason="not here"))
    assert (found.stops_turn, found.stop_reason) == (True, "not here")


def test_a_permission_request_is_answered_by_a_decision_alone() -> None:
    fields = {"interrupt": True, "permission_updates": [{}]}
    denied = reduced("PermissionRequest", Outcome("deny", "no", event_fields=fields))
    assert denied == Outcome("deny", "no")
    assert reduced("PermissionRequest", Outcome("allow")) == Outcome("allow")
    assert reduced("PermissionRequest", Outcome("ask", "why")) == Outcome()
    changed = Outcome("allow", updated_input={"command": "ls -l"})
    safe = reduced("PermissionRequest", changed)
    assert safe.verdict == "deny"
    assert '{"command": "ls -l"}' in safe.reason


def test_a_warning_after_a_call_does_not_hide_the_result() -> None:
    found = reduced("PostToolUse", Outcome("deny", "the tests fail", context="see log"))
    assert found == Outcome(context="the tests fail\n\nsee log")
    ended = reduced("PostToolUse", Outcome(stops_turn=True, stop_reason="the budget is spent"))
    assert "the budget is spent. Stop here" in ended.context
    assert ended.system_message == "the budget is spent"


def test_only_another_result_replaces_a_result() -> None:
    fields = {"tool_output": "short", "classifier_context": "x"}
    found = reduced("PostToolUse", Outcome("deny", "why", event_fields=fields))
    assert found == Outcome(context="why", event_fields={"tool_output": "short"})


@pytest.mark.parametrize("event", ["Stop", "SubagentStop"])
def test_feedback_at_a_stop_continues_once(event: str) -> None:
    told = Outcome(event_fields={"stop_feedback": "run the tests"})
    first = reduced(event, told, stop_hook_active=False)
    assert first == Outcome("deny", "run the tests")
    assert reduced(event, told, stop_hook_active=True) == Outcome(system_message="run the tests")
    both = Outcome("deny", "not yet", event_fields={"stop_feedback": "run the tests"})
    assert reduced(event, both, stop_hook_active=True).reason == "not yet\n\nrun the tests"
    ended = Outcome("deny", "go on", stops_turn=True, stop_reason="enough")
    assert reduced(event, ended) == Outcome(system_message="enough")


@pytest.mark.parametrize("event", ["PreCompact", "PostCompact"])
def test_a_compaction_is_never_kept_from_happening(event: str) -> None:
    found = reduced(event, Outcome("deny", "not now", stops_turn=True, stop_reason="wait"))
    assert found.verdict is None
    assert not found.stops_turn
    assert "not now" in found.system_message
    assert "wait" in found.system_message
    told = reduced(event, Outcome(event_fields={"compact_message": "kept 3"}))
    assert told == Outcome(system_message="kept 3")


@parametrize_all("event", sorted(EVENTS))
def test_a_denial_always_has_a_reason(event: str) -> None:
    for reason in ("", " \n"):
        found = reduced(event, Outcome("deny", reason))
        assert (found.verdict == "deny") == ("deny" in intentions(event))
        assert found.reason == (NO_REASON if found.verdict else "")


def test_the_shim_denies_what_can_be_denied() -> None:
    assert [event for event in CLOSABLE if denial_template(event)] == [
        "PreToolUse",
        "PermissionRequest",
        "UserPromptSubmit",
    ]
    assert denial_template("PreToolUse") == (
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse",'
        '"permissionDecision":"deny","permissionDecisionReason":@}}'
    )
    assert denial_template("PermissionRequest") == (
        '{"hookSpecificOutput":{"hookEventName":"PermissionRequest",'
        '"decision":{"behavior":"deny","message":@}}}'
    )
    assert denial_template("UserPromptSubmit") == '{"decision":"block","reason":@}'
    assert denial_template("PostToolUse") == denial_template("PreCompact") == ""
