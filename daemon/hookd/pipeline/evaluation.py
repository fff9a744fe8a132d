"""Evaluation of one event: its handler, its policies, and the guards once more."""

import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from functools import cache, cached_property, partial
from time import perf_counter
from typing import Any, NamedTuple

from hookd.config.models import PolicyOptions, Section
from hookd.core.evaluation.allow_rules import apply_allow_rules
from hookd.core.evaluation.judged_call import JudgedCall, opinion_on_all
from hookd.core.evaluation.notices import (
    damaged_database_notice,
    missed_events_notice,
    pause_notice,
    rule_files_notice,
    unread_rules_notice,
)
from hookd.core.evaluation.pause import paused, recording, without_sending
from hookd.core.evaluation.policies import (
    EarlierAnswers,
    PolicyAnswer,
    PolicyLimits,
    TimeUp,
    ask_policies,
)
from hookd.core.evaluation.stop_limit import apply_stop_limit
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Session
from hookd.core.model.method import Decision, HookMethod, HookResult
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion, Outcome, merge
from hookd.events.model import HookInput, PreToolUse
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass
from hookd.log.incidents import OVERRUNS, Incidents
from hookd.log.logger import LOG
from hookd.log.slow import SLOW_S, SlowLog
from hookd.pipeline.latency import Trace
from hookd.pipeline.time_limit import TimeLimit
from hookd.policies import POLICIES, configured
from hookd.policy_support.judged_calls import judged_calls, may_have_parts

_HANDLER_LIMIT_S = 2.0
"""CPU time that the handler of an event may use."""

_SUSPENDED = (
    "hookd: the policy {} exceeded its time limit repeatedly and is suspended until"
    " `hookd restart`. `hookd doctor` says more."
)

_MAX_COMPANY = 10_000
"""Conversations in company that are remembered; of others, files are looked at later."""

_MAX_PROJECTS = 500
"""Projects whose engine is cached."""


class _Policies(NamedTuple):
    """The policies for an event: all, those that are always asked, and when the others are."""

    every: tuple[Policy, ...]
    always: tuple[Policy, ...]
    sometimes: tuple[tuple[Policy, Callable[[Any, Facts], bool]], ...]


@dataclass
class PolicyEngine:
    """The policies and their configuration, which the daemon replaces at a reload.

    `spill` is the folder for texts too long for an answer. `limit` interrupts policies that
    compute for too long, `incidents` counts them, and those that fail. `slow` logs slow ones,
    `overdue` are those that exceeded their time for the last events, and where they were. `company`
    are the conversations that were not alone in their repository at their last event.
    """

    config: RuntimeConfig
    policies: tuple[Policy, ...] = POLICIES
    spill: str = ""
    incidents: Incidents = field(default_factory=Incidents)
    limit: TimeLimit = field(default_factory=TimeLimit)
    slow: SlowLog = field(default_factory=lambda: SlowLog("policy"))
    company: set[str] = field(default_factory=set)
    overdue: deque[tuple[HookInput, str, str]] = field(default_factory=lambda: deque(maxlen=16))
    _by_project: dict[str | None, "_ProjectEngine"] = field(init=False, default_factory=dict)
    _by_event: dict[str, "_Policies"] = field(init=False, default_factory=dict)

    def note_company(self, session: Session | None) -> None:
        """Remember whether a session's conversation is alone in its repository."""
        if session is None:
            return
        if not session.company:
            self.company.discard(session.claude_session_id)
        elif len(self.company) < _MAX_COMPANY:
            self.company.add(session.claude_session_id)

    @cached_property
    def allowable(self) -> frozenset[str]:
        """The names of the policies whose verdict an allow rule can lift."""
        return frozenset(one.name for one in self.policies if one.allowable)

    def policies_for(self, event: str) -> tuple[Policy, ...]:
        """Return the policies for an event, cached for the events that the client has."""
        return self._known(event).every

    def policies_about(self, event: HookInput, facts: Facts) -> tuple[Policy, ...]:
        """Return the policies for an event, without those that cannot have an opinion on it."""
        known = self._known(event.hook_event_name)
        apply = [one for one, applies in known.sometimes if applies(event, facts)]
        if not apply:  # as for nearly every event of a session that is alone
            return known.always
        return tuple([one for one in known.every if one.applies is None or one in apply])

    def _known(self, event: str) -> "_Policies":
        found = self._by_event.get(event)
        if found is None:
            every = tuple(one for one in self.policies if event in one.events)
            always = tuple(one for one in every if one.applies is None)
            sometimes = tuple((one, one.applies) for one in every if one.applies)
            found = _Policies(every, always, sometimes)
            if event in EVENTS:
                self._by_event[event] = found
        return found

    def for_project(self, page: ProjectConfig | None) -> "PolicyEngine":
        """Return the engine with the project's own settings of policies, if it has any.

        The line about its rules files is among the facts of the daemon.
        """
        if page is None or not (page.sections or page.rules_notice):
            return self
        known, config = self._by_project.get(page.root), self.config  # another thread reloads
        if known is None or known.config is not config or known.page is not page:
            known = _ProjectEngine(config, page, self._with(_noticed(config, page), page.sections))
            if len(self._by_project) >= _MAX_PROJECTS:
                self._by_project.clear()
            self._by_project[page.root] = known
        return known.engine

    def _with(self, config: RuntimeConfig, sections: tuple[Section, ...]) -> "PolicyEngine":
        own = Section(config.settings.policies, config.daemon.settings)
        final = [section for section in sections if section.final]
        # Each is valid, but together they may not be: managed settings are dropped last.
        for chosen in ([own, *sections], [own, *final], final):
            try:
                options = configured(chosen)
            except ValueError as error:
                LOG.error("settings of policies contradict each other: %s", error)
            else:
                known = replace(config, options=options)
                return replace(self, config=known)
        return replace(self, config=config)


def _noticed(config: RuntimeConfig, page: ProjectConfig) -> RuntimeConfig:
    if not page.rules_notice:
        return config
    return replace(config, daemon=replace(config.daemon, rules_notice=page.rules_notice))


class _ProjectEngine(NamedTuple):
    """The engine of a project, and what it was made from."""

    config: RuntimeConfig
    page: ProjectConfig
    engine: PolicyEngine


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluated event: its facts, opinions and outcome, the method's result, the effects."""

    facts: Facts
    opinions: tuple[Opinion, ...]
    outcome: Outcome
    result: HookResult
    effects: tuple[Effect, ...]


class Attempts(NamedTuple):
    """What all attempts at one decision share: the times of its stages, answers of policies."""

    trace: Trace
    earlier: EarlierAnswers


def evaluate_event(
    engine: PolicyEngine,
    event: HookInput,
    method: HookMethod[Any] | None,
    facts: Facts,
    attempts: Attempts | None = None,
) -> Evaluation:
    """Evaluate one event: its handler first, then the policies in their order.

    `attempts` are the earlier ones at the same event; their trace learns the slowest policy.
    """
    if paused(facts):
        return _recorded(event, method, facts)
    decision = _decided(engine, method, event, facts)
    facts = decision.facts
    asked = engine.policies_about(event, facts)
    earlier = attempts.earlier if attempts else None
    answers = _weighed(engine, _ask_policies(engine, asked, event, facts, earlier), event, facts)
    if attempts:
        attempts.trace.asked(answers)
    heard = _opinions(engine, answers, facts)
    notices = (
        missed_events_notice(event, facts),
        damaged_database_notice(event, facts),
        unread_rules_notice(event, facts),
        rule_files_notice(event, facts),
    )
    said = tuple(one for one in (*notices, decision.opinion, *heard) if one)
    outcome = merge(said, event.hook_event_name)
    if outcome.updated_input is not None:
        # Their effects are those of the first evaluation. An allow rule names the call that the
        # model made: the user has read that one.
        judged = recheck_guards(engine, event, outcome, facts, made=event)
        again = (replace(one, effects=()) for one in judged)
        said = (*said, *again)
        outcome = merge(said, event.hook_event_name)
    outcome, counted = apply_stop_limit(event, outcome, facts)
    result = method.answer(event, facts, outcome) if method else HookResult()
    moved = tuple(effect for opinion in said for effect in opinion.effects)
    return Evaluation(facts, said, outcome, result, (*decision.effects, *moved, *counted))


def _decided(
    engine: PolicyEngine, method: HookMethod[Any] | None, event: HookInput, facts: Facts
) -> Decision:
    """Return what the event's handler decides. Raise RuntimeError if that takes too long."""
    if method is None:
        return Decision(facts)
    try:
        with engine.limit:
            return engine.limit.call(_HANDLER_LIMIT_S, method.decide, event, facts)
    except TimeUp as fault:
        raise RuntimeError(
            f"{method.name} took more than {_HANDLER_LIMIT_S:g} s at {fault}"
        ) from fault


def _recorded(event: HookInput, method: HookMethod[Any] | None, facts: Facts) -> Evaluation:
    """Let the handler record the event, without any decision: hookd is paused."""
    decision = method.decide(event, recording(facts)) if method else Decision(facts)
    facts = decision.facts
    notices = (missed_events_notice(event, facts), pause_notice(event, facts))
    said = tuple(notice for notice in notices if notice)
    outcome = replace(merge(said, event.hook_event_name), rule="pause")
    result = method.answer(event, facts, outcome) if method else HookResult()
    kept = (*without_sending(decision.effects), *(effect for one in said for effect in one.effects))
    return Evaluation(facts, said, outcome, result, kept)


def with_rewritten_input(event: HookInput, outcome: Outcome) -> HookInput:
    """Return the event as policies have rewritten it."""
    if outcome.updated_input is None:
        return event
    return type(event).model_validate(event.model_dump() | {"tool_input": outcome.updated_input})


def ignore_defer_under_ask(outcome: Outcome, spoken: Iterable[Opinion]) -> tuple[Opinion, ...]:
    """Return the replies of hooks, without a defer if hookd asks the user.

    An interactive client ignores a defer, and the call would run unasked.
    """
    asks = outcome.verdict == "ask"
    return tuple(
        replace(one, verdict=None, reason="") if asks and one.verdict == "defer" else one
        for one in spoken
    )


def _ask_policies(
    engine: PolicyEngine,
    policies: tuple[Policy, ...],
    event: HookInput,
    facts: Facts,
    earlier: EarlierAnswers | None = None,
) -> list[PolicyAnswer]:
    """Return the answers of policies; those of `earlier` attempts are used again."""
    seconds = facts.settings.limits.policy_ms / 1000
    incidents, limit = engine.incidents, engine.limit
    calls = cache(partial(judged_calls, event, facts)) if may_have_parts(event) else None

    def within(
        policy: Policy, event: HookInput, facts: Facts, options: PolicyOptions
    ) -> Opinion | None:
        for known, name, where in engine.overdue:
            if known is event and name == policy.name:  # the decision is repeated with more facts
                raise TimeUp(where)
        try:
            if calls and policy.by_part:
                return limit.call(seconds, _on_parts, policy, calls, facts, options)
            return limit.call(seconds, policy.opine, event, facts, options)
        except TimeUp as fault:
            engine.overdue.append((event, policy.name, str(fault)))
            raise

    with limit:
        # As a list: an attempt that ends with MissingFacts is repeated, and reports nothing.
        limits = PolicyLimits(incidents.suspended, within, earlier)
        return list(ask_policies(policies, event, facts, perf_counter, limits))


def _on_parts(
    policy: Policy,
    calls: Callable[[], tuple[JudgedCall, ...]],
    facts: Facts,
    options: PolicyOptions,
) -> Opinion | None:
    """Return a policy's opinion on an event by its parts, which the first policy has made."""
    return opinion_on_all(policy, calls(), facts, options)


def _opinions(engine: PolicyEngine, answers: Iterable[PolicyAnswer], facts: Facts) -> list[Opinion]:
    """Return the opinions of policies; their faults are logged and counted."""
    seconds = facts.settings.limits.policy_ms / 1000
    said: list[Opinion] = []
    for one in answers:
        if one.fault is not None or one.seconds >= SLOW_S:
            said += _reported(engine, one, seconds)
        elif one.opinion is not None:
            said.append(one.opinion)
    return said


def _weighed(
    engine: PolicyEngine, answers: Iterable[PolicyAnswer], event: HookInput, facts: Facts
) -> list[PolicyAnswer]:
    """Return answers, those of guards without their verdict if an allow rule matches the call."""
    allowable, suspended = engine.allowable, engine.incidents.suspended

    def weigh(one: PolicyAnswer) -> PolicyAnswer:
        opinion = one.opinion
        if opinion is None or opinion.verdict is None or one.fault is not None:
            return one
        if one.policy not in allowable or one.policy in suspended:
            return one
        return replace(one, opinion=apply_allow_rules(one.policy, opinion, event, facts))

    return [one if one.opinion is None else weigh(one) for one in answers]


def _reported(engine: PolicyEngine, one: PolicyAnswer, limit: float) -> Iterator[Opinion]:
    """Log and count a policy's fault, or that it was slow; yield its opinion."""
    incidents = engine.incidents
    if one.opinion is not None:
        yield one.opinion
    about = {"policy": one.policy, "milliseconds": round(one.seconds * 1000, 1)}
    if isinstance(one.fault, TimeUp):
        text = f"it used more than {limit * 1000:.0f} ms of CPU time at {one.fault}"
        count = incidents.note("policy over time", one.policy, text)
        LOG.error("policy took too long", extra={"about": about | {"why": text, "count": count}})
        if count == OVERRUNS:
            LOG.error("policy suspended", extra={"about": about})
            yield Opinion(system_message=_SUSPENDED.format(one.policy), rule=one.policy)
    elif one.fault is not None:
        LOG.error("policy failed", exc_info=one.fault, extra={"about": about})
        fault = traceback.format_exception_only(one.fault)[-1].strip()
        incidents.note("policy failed", one.policy, fault)
    elif one.seconds >= SLOW_S:
        engine.slow.note(one.policy, one.seconds)


def recheck_guards(
    engine: PolicyEngine,
    event: HookInput,
    outcome: Outcome,
    facts: Facts,
    *,
    made: HookInput | None = None,
) -> list[Opinion]:
    """Let the guards judge a rewritten call: no rewrite must get around them.

    Allow rules are looked up for the call that was `made`, by default for the rewritten one.
    """
    final = with_rewritten_input(event, outcome)
    if event.hook_event_name == "PermissionRequest":  # guards judge calls
        call = event.model_dump() | {"tool_input": outcome.updated_input}
        final = PreToolUse.model_validate(call | {"hook_event_name": "PreToolUse"})
    guards = tuple(policy for policy in engine.policies if policy.on_error == "ask")
    answers = _ask_policies(engine, guards, final, facts)
    return _opinions(engine, _weighed(engine, answers, made or final, facts), facts)
