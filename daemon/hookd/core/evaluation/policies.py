"""Run the policies in their order; a fault of one does not affect the others."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

from hookd.config.models import PolicyOptions
from hookd.core.model.client_names import CLIENTS
from hookd.core.model.fact_requests import FactRequest, MissingFacts
from hookd.core.model.facts import Facts
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion, Verdict
from hookd.events.model import HookInput
from hookd.lazy_dataclass import dataclass

_WARN_TEXTS: Mapping[Verdict, str] = {
    "deny": "Allowed; in mode `enforce` this would be denied:",
    "ask": "Allowed; in mode `enforce` the user would be asked:",
}


class TimeUp(BaseException):
    """The running policy has exceeded its time limit; the text is the place in its code."""


Within = Callable[[Policy, HookInput, Facts, PolicyOptions], Opinion | None]
"""Runs a policy. Raises TimeUp if it takes too long."""


def _unlimited(
    policy: Policy, event: HookInput, facts: Facts, options: PolicyOptions
) -> Opinion | None:
    return policy.opine(event, facts, options)


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """The result of one policy: its opinion or None, its fault if it failed, and seconds."""

    policy: str
    opinion: Opinion | None
    fault: Exception | TimeUp | None
    seconds: float


_OTHER_FACTS = attrgetter(*(one.name for one in fields(Facts) if one.name != "resolved"))


class FactComparison:
    """Compares facts with earlier ones; the latest result is kept, as most policies share it.

    `others` returns the facts that must be equal, without the resolved ones.
    """

    def __init__(self, others: Callable[[Facts], Any]) -> None:
        self._others = others
        self._latest: tuple[Facts, Facts, bool] | None = None

    def extends(self, facts: Facts, before: Facts) -> bool:
        """Return whether `facts` are those of `before`, perhaps with more resolved ones."""
        known = self._latest
        if known is None or known[0] is not facts or known[1] is not before:
            same = self._others(facts) == self._others(before)
            same = same and before.resolved.items() <= facts.resolved.items()
            self._latest = known = facts, before, same
        return known[2]


class EarlierAnswers:
    """Answers to one event in attempts that ended with MissingFacts, for the next attempt.

    Policies are pure, and read a resolved fact only by a request. So an answer is valid again if
    the other facts are equal, and the resolved ones of that attempt are among those of this one.
    """

    def __init__(self) -> None:
        self._answers: dict[str, tuple[Facts, PolicyAnswer]] = {}
        self._comparison = FactComparison(_OTHER_FACTS)

    def find(self, policy: str, facts: Facts) -> PolicyAnswer | None:
        """Return the answer of a policy that is valid with these facts, None if there is none."""
        before, answer = self._answers.get(policy, (None, None))
        valid = before is not None and self._comparison.extends(facts, before)
        return answer if valid else None

    def keep(self, answer: PolicyAnswer, facts: Facts) -> None:
        """Keep an answer, and the facts that the policy had. A policy that failed runs again."""
        if answer.fault is None:
            self._answers[answer.policy] = facts, answer


@dataclass(frozen=True, slots=True)
class PolicyLimits:
    """How the daemon runs policies: which are suspended, how one is run, answers known before."""

    suspended: Collection[str] = ()
    within: Within = _unlimited
    earlier: EarlierAnswers | None = None


_NO_LIMITS = PolicyLimits()


def applicable_policies(
    policies: Iterable[Policy], event: str, facts: Facts
) -> tuple[tuple[Policy, PolicyOptions], ...]:
    """Return the policies for an event that are not off in the client, with their options."""
    known, found = facts.options, []
    for policy in policies:
        if event in policy.events:
            options = known.get(policy.name) or policy.options()
            if options.mode != "off" and (
                not options.clients or _serves(policy, options.clients, facts.client)
            ):
                found.append((policy, options))
    return tuple(found)


def _serves(policy: Policy, clients: Collection[str], client: str) -> bool:
    """Return whether a policy for some clients is in force in one: a guard is in unknown ones."""
    return client in clients or (policy.on_error == "ask" and client not in CLIENTS)


def ask_policies(
    policies: Iterable[Policy],
    event: HookInput,
    facts: Facts,
    clock: Callable[[], float],
    limits: PolicyLimits = _NO_LIMITS,
) -> Iterator[PolicyAnswer]:
    """Run the policies that apply to this event. `clock` returns seconds.

    With mode `warn` a verdict becomes advice. A guard that fails, exceeds its time or is suspended
    asks the user; other policies are silent then. Raise MissingFacts with the requests of all
    policies together.
    """
    lacks: dict[FactRequest, None] = {}
    earlier = limits.earlier
    for policy, options in applicable_policies(policies, event.hook_event_name, facts):
        answer = earlier.find(policy.name, facts) if earlier else None
        if answer is None:
            began = clock()
            try:
                if policy.name in limits.suspended:
                    opinion, fault = _fallback(policy, _SUSPENDED, event, options), None
                else:
                    opinion, fault = _ask(policy, event, facts, options, limits.within)
            except MissingFacts as lack:
                lacks |= dict.fromkeys(lack.requests)
                continue
            answer = PolicyAnswer(policy.name, opinion, fault, clock() - began)
            if earlier:
                earlier.keep(answer, facts)
        if answer.opinion is not None and answer.opinion.shared_facts:
            facts = replace(facts, shared={**facts.shared, **answer.opinion.shared_facts})
        if not lacks:  # else the event is evaluated again
            yield answer
    if lacks:
        raise MissingFacts(*lacks)


_SUSPENDED = (
    "was suspended because it exceeded its time limit repeatedly, so it did not evaluate this call."
    " To turn it on again: hookd restart"
)


def _ask(
    policy: Policy, event: HookInput, facts: Facts, options: PolicyOptions, within: Within
) -> tuple[Opinion | None, Exception | TimeUp | None]:
    try:
        opinion = within(policy, event, facts, options)
        if not isinstance(opinion, Opinion | None):
            raise TypeError(f"a policy returns an Opinion or None, not {type(opinion).__name__}")
    except MissingFacts:
        raise  # no fault: the facts are loaded, and the policy runs again
    except TimeUp as fault:
        why = "took too long and could not evaluate this call."
        return _fallback(policy, why, event, options), fault
    except Exception as fault:  # noqa: BLE001 - one rule's fault must not silence the others
        return _fallback(policy, "failed and could not evaluate this call.", event, options), fault
    return (None if opinion is None else _named(policy, opinion, event, options)), None


def _fallback(policy: Policy, why: str, event: HookInput, options: PolicyOptions) -> Opinion | None:
    """Return the opinion for a policy that did not run: a guard asks."""
    if policy.on_error == "silence":
        return None
    return _named(policy, Opinion("ask", f"{policy.name} {why}"), event, options)


def _named(policy: Policy, opinion: Opinion, event: HookInput, options: PolicyOptions) -> Opinion:
    named = opinion if opinion.rule else replace(opinion, rule=policy.name)
    return _advice(named) if options.mode == "warn" else named


def _advice(opinion: Opinion) -> Opinion:
    """Return the opinion as advice: the model reads what would have been decided.

    It also reads that the call is allowed, because a reason alone sounds like a block.
    """
    if opinion.verdict is None:
        return replace(opinion, updated_input=None, event_fields={})
    why = opinion.reason.removeprefix(f"{opinion.rule}: ").removeprefix("Blocked: ")
    if opinion.verdict in _WARN_TEXTS:
        why = f"{_WARN_TEXTS[opinion.verdict]} {why}"
    warning = f"[hookd:{opinion.rule}] {why}"
    context = f"{opinion.context}\n\n{warning}" if opinion.context else warning
    return replace(
        opinion, verdict=None, reason="", context=context, updated_input=None, event_fields={}
    )
