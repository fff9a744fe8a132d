"""Run the policies in their order; a fault of one does not affect the others."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from hookd.config.models import PolicyOptions
from hookd.core.model.fact_requests import FactRequest, MissingFacts
from hookd.core.model.facts import Facts
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion, Verdict
from hookd.events.model import HookInput
from hookd.lazy_dataclass import dataclass

SLOW_S = 0.05
"""A policy that takes more seconds is logged; it is never skipped."""


_WARN_TEXTS: Mapping[Verdict, str] = {
    "deny": "Allowed; in mode `enforce` this would be denied:",
    "ask": "Allowed; in mode `enforce` the user would be asked:",
}


class TimeUp(BaseException):
    """The running policy has exceeded its time limit; the text is the place in its code."""


Within = Callable[[str, Callable[[], Opinion | None]], Opinion | None]
"""Runs the policy with this name. Raises TimeUp if it takes too long."""


def _unlimited(_policy: str, work: Callable[[], Opinion | None]) -> Opinion | None:
    return work()


@dataclass(frozen=True, slots=True)
class PolicyLimits:
    """Limits of policies in the daemon: names of suspended ones, and how a policy is run."""

    suspended: Collection[str] = ()
    within: Within = _unlimited


_NO_LIMITS = PolicyLimits()


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """The result of one policy: its opinion or None, its fault if it failed, and seconds."""

    policy: str
    opinion: Opinion | None
    fault: Exception | TimeUp | None
    seconds: float


def applicable_policies(
    policies: Iterable[Policy], event: str, facts: Facts
) -> tuple[tuple[Policy, PolicyOptions], ...]:
    """Return the policies for an event that are not off, with their options."""
    with_options = (
        (policy, facts.options.get(policy.name) or policy.options())
        for policy in policies
        if event in policy.events
    )
    return tuple((policy, options) for policy, options in with_options if options.mode != "off")


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
    for policy, options in applicable_policies(policies, event.hook_event_name, facts):
        began = clock()
        try:
            if policy.name in limits.suspended:
                opinion, fault = _fallback(policy, _SUSPENDED, event, options), None
            else:
                opinion, fault = _ask(policy, event, facts, options, limits.within)
        except MissingFacts as lack:
            lacks |= dict.fromkeys(lack.requests)
            continue
        if opinion is not None and opinion.shared_facts:
            facts = replace(facts, shared={**facts.shared, **opinion.shared_facts})
        if not lacks:  # else all policies run again
            yield PolicyAnswer(policy.name, opinion, fault, clock() - began)
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
        opinion = within(policy.name, lambda: policy.opine(event, facts, options))
        if not isinstance(opinion, Opinion | None):
            raise TypeError(f"a policy returns an Opinion or None, not {type(opinion).__name__}")
    except MissingFacts:
        raise  # no fault: the facts are loaded, and all policies run again
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
