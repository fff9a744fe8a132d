"""Factories of hook event handlers: by decision, by effects alone, or by the agent's new status."""

from collections.abc import Callable
from typing import TypeVar

from hookd.core.model.effects.messages import Status
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, HookResult, StatusResult
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.agent_status import becomes
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS

E = TypeVar("E", bound=HookInput)
R = TypeVar("R", bound=HookResult)


def hook_event(
    event: str,
    params: type[E],
    decide: Callable[[E, Facts], Decision],
    report: Callable[[E, Facts], R],
    result: type[R],
    *examples: Example,
) -> HookMethod[E]:
    """Return the handler that decides an event and reports without regard to the verdict."""

    def answer(given: E, facts: Facts, _outcome: Outcome) -> R:
        return report(given, facts)

    return HookMethod(EVENTS[event].method, event, params, result, decide, answer, examples)


def effects_event(
    event: str,
    params: type[E],
    effects: Callable[[E, Facts], tuple[Effect, ...]],
    report: Callable[[E, Facts], R],
    result: type[R],
    *examples: Example,
) -> HookMethod[E]:
    """Return the handler that causes effects, and neither changes the facts nor decides."""

    def decide(given: E, facts: Facts) -> Decision:
        return Decision(facts, effects(given, facts))

    return hook_event(event, params, decide, report, result, *examples)


def status_event(
    event: str,
    params: type[E],
    status: Callable[[E], Status | None],
    *examples: Example,
    more: Callable[[E, Facts], tuple[Effect, ...]] = lambda _event, _facts: (),
) -> HookMethod[E]:
    """Return the handler that sets the agent's status; None leaves it. `more` are other effects."""

    def changes(given: E, facts: Facts) -> tuple[Effect, ...]:
        new = status(given)
        return becomes(new, facts) if new is not None else ()

    def effects(given: E, facts: Facts) -> tuple[Effect, ...]:
        return (*changes(given, facts), *more(given, facts))

    def report(given: E, facts: Facts) -> StatusResult:
        return StatusResult(agent_updated=bool(changes(given, facts)))

    return effects_event(event, params, effects, report, StatusResult, *examples)
