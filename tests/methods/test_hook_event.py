"""Handlers of hook events have the name of their event, decide, and report what they did."""

from dataclasses import replace

from hookd.core.model.effects.messages import SetAgentStatus
from hookd.core.model.effects.sessions import SetBranch
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Agent, Facts
from hookd.core.model.method import Decision, Example, HookResult, StatusResult
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.methods.hook_event import effects_event, hook_event, status_event

EVENT = HookInput(hook_event_name="Stop")
EXAMPLE = Example({"session_id": "s"})
WORKING = Facts(agent=Agent("a", status="working"))
BRANCH: tuple[Effect, ...] = (SetBranch(1, "main"),)


def branch(_event: HookInput, _facts: Facts) -> tuple[Effect, ...]:
    return BRANCH


def silent(_event: HookInput, _facts: Facts) -> HookResult:
    return HookResult()


def test_a_handler_has_the_method_of_its_event_and_its_own_decision() -> None:
    changed = replace(WORKING, agent=None)
    handler = hook_event(
        "UserPromptSubmit",
        HookInput,
        lambda _event, _facts: Decision(changed, BRANCH),
        silent,
        HookResult,
        EXAMPLE,
    )
    assert (handler.name, handler.event) == ("hooks.userPrompt", "UserPromptSubmit")
    assert handler.examples == (EXAMPLE,)
    assert handler.decide(EVENT, WORKING) == Decision(changed, BRANCH)
    assert handler.answer(EVENT, WORKING, Outcome("deny")) == HookResult()


def test_effects_alone_leave_the_facts_and_decide_nothing() -> None:
    handler = effects_event("Stop", HookInput, branch, silent, HookResult, EXAMPLE)
    assert handler.decide(EVENT, WORKING) == Decision(WORKING, BRANCH)


def test_a_status_is_set_and_reported_where_it_is_another_one() -> None:
    handler = status_event("Stop", HookInput, lambda _event: "done", EXAMPLE, more=branch)
    decision = handler.decide(EVENT, WORKING)
    assert [type(effect) for effect in decision.effects] == [SetAgentStatus, SetBranch]
    assert handler.answer(EVENT, WORKING, Outcome()) == StatusResult(agent_updated=True)
    for status in ("working", None):
        handler = status_event("Stop", HookInput, lambda _event, new=status: new, EXAMPLE)
        assert handler.decide(EVENT, WORKING).effects == ()
        assert handler.answer(EVENT, WORKING, Outcome()) == StatusResult(agent_updated=False)
