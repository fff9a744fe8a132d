"""What the house says of one event: its handler, its policies, and the guards once more."""

import traceback
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from hookd.config.models import Section
from hookd.core.evaluation.allow_rules import apply_allow_rules
from hookd.core.evaluation.notices import (
    damaged_database_notice,
    missed_events_notice,
    pause_notice,
    unread_rules_notice,
)
from hookd.core.evaluation.pause import paused, recording, without_sending
from hookd.core.evaluation.policies import SLOW_S, PolicyAnswer, TimeUp, ask_policies
from hookd.core.evaluation.stop_limit import apply_stop_limit
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, HookMethod, HookResult
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion, Outcome, merge
from hookd.events.model import HookInput, PreToolUse
from hookd.log.incidents import OVERRUNS, Incidents
from hookd.log.logger import LOG
from hookd.pipeline.time_limit import TimeLimit
from hookd.policies import POLICIES, configured

_HANDLER = 2.0
"""Seconds of CPU time that the handler of an event may use."""

_SUSPENDED = (
    "hookd: the policy {} exceeded its time limit repeatedly and is suspended until"
    " `hookd restart`. `hookd doctor` says more."
)

_MOST = 500
"""Projects for which the house is remembered; for one that comes again it is made again."""


@dataclass
class PolicyEngine:
    """What holds for every event, and who is asked; the daemon replaces `standing` at a reload.

    `spill` is the folder for what is too long for an answer. `limit` interrupts policies that
    compute for too long, `incidents` counts them, and those that fail. `overdue` are the policies
    that exceeded their time for the last events, and where they were.
    """

    config: RuntimeConfig
    policies: tuple[Policy, ...] = POLICIES
    spill: str = ""
    incidents: Incidents = field(default_factory=Incidents)
    limit: TimeLimit = field(default_factory=TimeLimit)
    overdue: deque[tuple[HookInput, str, str]] = field(default_factory=lambda: deque(maxlen=16))
    _here: dict[str | None, "_ProjectEngine"] = field(default_factory=dict)

    def for_project(self, page: ProjectConfig | None) -> "PolicyEngine":
        """Return the house as it is in a project, where that has a word on policies of its own."""
        if page is None or not page.sections:
            return self
        known, standing = self._here.get(page.root), self.config  # a reload is another thread's
        if known is None or known.standing is not standing or known.page is not page:
            known = _ProjectEngine(standing, page, self._with(standing, page.sections))
            if len(self._here) >= _MOST:
                self._here.clear()
            self._here[page.root] = known
        return known.house

    def _with(self, standing: RuntimeConfig, sections: tuple[Section, ...]) -> "PolicyEngine":
        own = Section(standing.settings.policies, standing.daemon.settings)
        final = [one for one in sections if one.final]
        # Each is good, and together they may not be: what is managed is the last to go.
        for said in ([own, *sections], [own, *final], final):
            try:
                options = configured(said)
            except ValueError as error:
                LOG.error("settings of policies do not go together: %s", error)
            else:
                return replace(self, config=replace(standing, options=options), _here={})
        return replace(self, config=standing, _here={})


class _ProjectEngine(NamedTuple):
    """The house in a project, and what it was made from."""

    standing: RuntimeConfig
    page: ProjectConfig
    house: PolicyEngine


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One event, decided: what it rests on, what all said of it, and what it causes."""

    facts: Facts
    opinions: tuple[Opinion, ...]
    outcome: Outcome
    result: HookResult
    effects: tuple[Effect, ...]


def evaluate_event(
    house: PolicyEngine, event: HookInput, method: HookMethod[Any] | None, facts: Facts
) -> Evaluation:
    """Decide one event: its handler first, then the policies in their order."""
    if paused(facts):
        return _recorded(event, method, facts)
    decision = _decided(house, method, event, facts)
    facts = decision.facts
    heard = _ask_policies(house, house.policies, event, facts)
    notices = (
        missed_events_notice(event, facts),
        damaged_database_notice(event, facts),
        unread_rules_notice(event, facts),
    )
    said = tuple(one for one in (*notices, decision.opinion, *heard) if one)
    outcome = merge(said, event.hook_event_name)
    if outcome.updated_input is not None:
        # What they cause, they have caused when they first spoke.
        # The call stays the one that the model made: who lets it pass has read that one.
        judged = recheck_guards(house, event, outcome, facts, made=event)
        again = (replace(one, effects=()) for one in judged)
        said = (*said, *again)
        outcome = merge(said, event.hook_event_name)
    outcome, counted = apply_stop_limit(event, outcome, facts)
    result = method.answer(event, facts, outcome) if method else HookResult()
    moved = tuple(effect for opinion in said for effect in opinion.effects)
    return Evaluation(facts, said, outcome, result, (*decision.effects, *moved, *counted))


def _decided(
    house: PolicyEngine, method: HookMethod[Any] | None, event: HookInput, facts: Facts
) -> Decision:
    """Return what the event's handler decides. Raise RuntimeError where that takes too long."""
    if method is None:
        return Decision(facts)
    try:
        with house.limit:
            return house.limit.call(_HANDLER, lambda: method.decide(event, facts))
    except TimeUp as fault:
        raise RuntimeError(f"{method.name} took more than {_HANDLER:g} s at {fault}") from fault


def _recorded(event: HookInput, method: HookMethod[Any] | None, facts: Facts) -> Evaluation:
    """Let the handler keep its records, and nobody decide anything: hookd is paused."""
    decision = method.decide(event, recording(facts)) if method else Decision(facts)
    facts = decision.facts
    notices = (missed_events_notice(event, facts), pause_notice(event, facts))
    said = tuple(notice for notice in notices if notice)
    outcome = replace(merge(said, event.hook_event_name), rule="pause")
    result = method.answer(event, facts, outcome) if method else HookResult()
    kept = (*without_sending(decision.effects), *(effect for one in said for effect in one.effects))
    return Evaluation(facts, said, outcome, result, kept)


def with_rewritten_input(event: HookInput, outcome: Outcome) -> HookInput:
    """Return the event as the house's rules have left it."""
    if outcome.updated_input is None:
        return event
    return type(event).model_validate(event.model_dump() | {"tool_input": outcome.updated_input})


def ignore_defer_under_ask(outcome: Outcome, spoken: Iterable[Opinion]) -> tuple[Opinion, ...]:
    """Return what hooks said, but none puts off what the house asks the user.

    A client with somebody in front of it ignores a defer, and the call would run unasked.
    """
    asks = outcome.verdict == "ask"
    return tuple(
        replace(one, verdict=None, reason="") if asks and one.verdict == "defer" else one
        for one in spoken
    )


def _ask_policies(
    house: PolicyEngine,
    policies: tuple[Policy, ...],
    event: HookInput,
    facts: Facts,
    made: HookInput | None = None,
) -> list[Opinion]:
    """Return the opinions of policies; their faults are logged and counted."""
    seconds = facts.settings.limits.policy_ms / 1000
    incidents, limit = house.incidents, house.limit

    def within(policy: str, work: Callable[[], Opinion | None]) -> Opinion | None:
        for known, name, where in house.overdue:
            if known is event and name == policy:  # the decision is repeated with more facts
                raise TimeUp(where)
        try:
            return limit.call(seconds, work)
        except TimeUp as fault:
            house.overdue.append((event, policy, str(fault)))
            raise

    with limit:
        # As a list: a pass that ends by Unseen is repeated, and reports nothing.
        reports = list(
            ask_policies(
                policies, event, facts, perf_counter, suspended=incidents.suspended, within=within
            )
        )
    allowable = {one.name for one in policies if one.allowable} - set(incidents.suspended)
    weigh = partial(_weighed, allowable=allowable, event=made or event, facts=facts)
    reports = list(map(weigh, reports))
    return [one for report in reports for one in _reported(incidents, report, seconds)]


def _weighed(
    one: PolicyAnswer, allowable: Container[str], event: HookInput, facts: Facts
) -> PolicyAnswer:
    """Return what a guard said, without its verdict where the user lets the call pass it."""
    if one.opinion is None or one.fault is not None or one.policy not in allowable:
        return one
    return replace(one, opinion=apply_allow_rules(one.policy, one.opinion, event, facts))


def _reported(incidents: Incidents, one: PolicyAnswer, limit: float) -> Iterator[Opinion]:
    """Log and count what went wrong with a policy; yield its opinion."""
    if one.opinion is not None:
        yield one.opinion
    about = {"policy": one.policy, "milliseconds": round(one.seconds * 1000, 1)}
    if isinstance(one.fault, TimeUp):
        text = f"it used more than {limit * 1000:.0f} ms of CPU time at {one.fault}"
        count = incidents.note("policy over time", one.policy, text)
        LOG.error("a policy took too long", extra={"about": about | {"why": text, "count": count}})
        if count == OVERRUNS:
            LOG.error("a policy was suspended", extra={"about": about})
            yield Opinion(system_message=_SUSPENDED.format(one.policy), rule=one.policy)
    elif one.fault is not None:
        LOG.error("a policy failed", exc_info=one.fault, extra={"about": about})
        fault = traceback.format_exception_only(one.fault)[-1].strip()
        incidents.note("policy failed", one.policy, fault)
    elif one.seconds > SLOW_S:
        LOG.warning("a policy was slow", extra={"about": about})


def recheck_guards(
    house: PolicyEngine,
    event: HookInput,
    outcome: Outcome,
    facts: Facts,
    *,
    made: HookInput | None = None,
) -> list[Opinion]:
    """Let the guards judge what the call has become: who rewrites it must not get by them.

    An allow rule is looked up for the call that was `made`, by default for what it has become.
    """
    final = with_rewritten_input(event, outcome)
    if event.hook_event_name == "PermissionRequest":  # the guards listen where the call is made
        call = event.model_dump() | {"tool_input": outcome.updated_input}
        final = PreToolUse.model_validate(call | {"hook_event_name": "PreToolUse"})
    guards = tuple(policy for policy in house.policies if policy.on_error == "ask")
    return _ask_policies(house, guards, final, facts, made)
