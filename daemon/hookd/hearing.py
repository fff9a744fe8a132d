"""What the house says of one event: its handler, its policies, and the guards once more."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, NamedTuple

from hookd.core.commands.page import Page
from hookd.core.effects import Effect
from hookd.core.events import HookInput, PreToolUse
from hookd.core.facts import Facts
from hookd.core.judging import SLOW, Heard, judge
from hookd.core.method import Decision, HookMethod, HookResult
from hookd.core.options import Section
from hookd.core.outcome import Opinion, Outcome, merge
from hookd.core.pausing import notice, paused, put_by, recording
from hookd.core.policy import Policy
from hookd.core.replaced import notice as replaced
from hookd.core.standing import Standing
from hookd.core.stopping import released
from hookd.core.telling import unjudged
from hookd.journal import LOG
from hookd.policies import POLICIES, configured

_MOST = 500
"""Projects for which the house is remembered; for one that comes again it is made again."""


@dataclass
class House:
    """What holds for every event, and who is asked; the daemon replaces `standing` at a reload.

    `spill` is the folder for what is too long for an answer.
    """

    standing: Standing
    policies: tuple[Policy, ...] = POLICIES
    spill: str = ""
    _here: dict[str | None, "_Here"] = field(default_factory=dict)

    def here(self, page: Page | None) -> "House":
        """Return the house as it is in a project, where that has a word on policies of its own."""
        if page is None or not page.sections:
            return self
        known, standing = self._here.get(page.root), self.standing  # a reload is another thread's
        if known is None or known.standing is not standing or known.page is not page:
            known = _Here(standing, page, self._with(standing, page.sections))
            if len(self._here) >= _MOST:
                self._here.clear()
            self._here[page.root] = known
        return known.house

    def _with(self, standing: Standing, sections: tuple[Section, ...]) -> "House":
        own = Section(standing.settings.policies, standing.daemon.settings)
        final = [one for one in sections if one.final]
        # Each is good, and together they may not be: what is managed is the last to go.
        for said in ([own, *sections], [own, *final], final):
            try:
                options = configured(said)
            except ValueError as error:
                LOG.error("settings of policies do not go together: %s", error)
            else:
                return House(replace(standing, options=options), self.policies, self.spill)
        return House(standing, self.policies, self.spill)


class _Here(NamedTuple):
    """The house in a project, and what it was made from."""

    standing: Standing
    page: Page
    house: House


@dataclass(frozen=True, slots=True)
class Judged:
    """One event, decided: what it rests on, what all said of it, and what it causes."""

    facts: Facts
    said: tuple[Opinion, ...]
    outcome: Outcome
    result: HookResult
    effects: tuple[Effect, ...]


def judge_event(
    house: House, event: HookInput, method: HookMethod[Any] | None, facts: Facts
) -> Judged:
    """Decide one event: its handler first, then the policies in their order."""
    if paused(facts):
        return _recorded(event, method, facts)
    decision = method.decide(event, facts) if method else Decision(facts)
    facts = decision.facts
    heard = _heard(house.policies, event, facts)
    news = (unjudged.notice(event, facts), replaced(event, facts))
    said = tuple(one for one in (*news, decision.opinion, *heard) if one)
    outcome = merge(said, event.hook_event_name)
    if outcome.updated_input is not None:
        # What they cause, they have caused when they first spoke.
        again = (replace(one, effects=()) for one in rejudged(house, event, outcome, facts))
        said = (*said, *again)
        outcome = merge(said, event.hook_event_name)
    outcome, counted = released(event, outcome, facts)
    result = method.answer(event, facts, outcome) if method else HookResult()
    moved = tuple(effect for opinion in said for effect in opinion.effects)
    return Judged(facts, said, outcome, result, (*decision.effects, *moved, *counted))


def _recorded(event: HookInput, method: HookMethod[Any] | None, facts: Facts) -> Judged:
    """Let the handler keep its records, and nobody decide anything: hookd is paused."""
    decision = method.decide(event, recording(facts)) if method else Decision(facts)
    facts = decision.facts
    said = tuple(one for one in (unjudged.notice(event, facts), notice(event, facts)) if one)
    outcome = replace(merge(said, event.hook_event_name), rule="pause")
    result = method.answer(event, facts, outcome) if method else HookResult()
    kept = (*put_by(decision.effects), *(effect for one in said for effect in one.effects))
    return Judged(facts, said, outcome, result, kept)


def final_of(event: HookInput, outcome: Outcome) -> HookInput:
    """Return the event as the house's rules have left it."""
    if outcome.updated_input is None:
        return event
    return type(event).model_validate(event.model_dump() | {"tool_input": outcome.updated_input})


def heeding(outcome: Outcome, spoken: Iterable[Opinion]) -> tuple[Opinion, ...]:
    """Return what hooks said, but none puts off what the house asks the user.

    A client with somebody in front of it ignores a defer, and the call would run unasked.
    """
    asks = outcome.verdict == "ask"
    return tuple(
        replace(one, verdict=None, reason="") if asks and one.verdict == "defer" else one
        for one in spoken
    )


def _heard(policies: tuple[Policy, ...], event: HookInput, facts: Facts) -> list[Opinion]:
    reports = judge(policies, event, facts, perf_counter)
    return [one.opinion for one in map(_reported, reports) if one.opinion is not None]


def _reported(one: Heard) -> Heard:
    if one.fault is None and one.seconds <= SLOW:
        return one
    about = {"policy": one.policy, "milliseconds": round(one.seconds * 1000, 1)}
    if one.fault is not None:
        LOG.error("a policy failed", exc_info=one.fault, extra={"about": about})
    else:
        LOG.warning("a policy was slow", extra={"about": about})
    return one


def rejudged(house: House, event: HookInput, outcome: Outcome, facts: Facts) -> list[Opinion]:
    """Let the guards judge what the call has become: who rewrites it must not get by them."""
    final = final_of(event, outcome)
    if event.hook_event_name == "PermissionRequest":  # the guards listen where the call is made
        call = event.model_dump() | {"tool_input": outcome.updated_input}
        final = PreToolUse.model_validate(call | {"hook_event_name": "PreToolUse"})
    guards = tuple(policy for policy in house.policies if policy.on_error == "ask")
    return _heard(guards, final, facts)
