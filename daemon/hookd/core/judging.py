"""The home of the judging itself: policies are asked in their order, and none can break another."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from hookd.core.events import HookInput
from hookd.core.facts import Facts
from hookd.core.options import PolicyOptions
from hookd.core.outcome import Opinion
from hookd.core.policy import Policy

SLOW = 0.05
"""Seconds from which on a policy is reported. It is never skipped."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of asking one policy: an opinion or None, the fault if it failed, and seconds."""

    policy: str
    opinion: Opinion | None
    fault: Exception | None
    seconds: float


def judge(
    policies: Iterable[Policy], event: HookInput, facts: Facts, clock: Callable[[], float]
) -> Iterator[Heard]:
    """Ask the policies that hold for this event. `clock` counts seconds.

    With mode `warn` a verdict becomes advice. A guard that fails asks the user; advice that fails
    is silent.
    """
    for policy in policies:
        options = facts.options.get(policy.name) or policy.options()
        if options.mode != "off" and event.hook_event_name in policy.events:
            began = clock()
            opinion, fault = _ask(policy, event, facts, options)
            yield Heard(policy.name, opinion, fault, clock() - began)


def _ask(
    policy: Policy, event: HookInput, facts: Facts, options: PolicyOptions
) -> tuple[Opinion | None, Exception | None]:
    try:
        opinion = policy.opine(event, facts, options)
    except Exception as fault:  # noqa: BLE001 - one rule's fault must not silence the others
        if policy.on_error == "silence":
            return None, fault
        opinion = Opinion("ask", f"{policy.name} failed and could not judge this call.")
        return replace(opinion, rule=policy.name), fault
    if opinion is None:
        return None, None
    named = opinion if opinion.rule else replace(opinion, rule=policy.name)
    return (_advice(named) if options.mode == "warn" else named), None


def _advice(opinion: Opinion) -> Opinion:
    """Return the opinion without its power: the model reads what would have been decided."""
    if opinion.verdict is None:
        return opinion
    warning = f"[hookd:{opinion.rule}] {opinion.reason}"
    context = f"{opinion.context}\n\n{warning}" if opinion.context else warning
    return replace(opinion, verdict=None, reason="", context=context, updated_input=None)
