"""The home of the judging itself: policies are asked in their order, and none can break another."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hookd.core.events import HookInput
from hookd.core.facts import Facts
from hookd.core.options import PolicyOptions
from hookd.core.outcome import Opinion, Verdict
from hookd.core.policy import Policy
from hookd.core.wants import Unseen, Want

SLOW = 0.05
"""Seconds from which on a policy is reported. It is never skipped."""


_GOES_ON: Mapping[Verdict, str] = {
    "deny": "goes on, but outside of mode `warn` it would be denied:",
    "ask": "goes on, but outside of mode `warn` the user would be asked:",
}


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
    is silent. Raise Unseen with all that any of them lacks, so that it is looked up at once.
    """
    lacks: dict[Want, None] = {}
    for policy in policies:
        if event.hook_event_name not in policy.events:
            continue
        options = facts.options.get(policy.name) or policy.options()
        if options.mode != "off":
            began = clock()
            try:
                opinion, fault = _ask(policy, event, facts, options)
            except Unseen as lack:
                lacks |= dict.fromkeys(lack.wants)
                continue
            if opinion is not None and opinion.tells:
                facts = replace(facts, told={**facts.told, **opinion.tells})
            if not lacks:  # else all is judged anew
                yield Heard(policy.name, opinion, fault, clock() - began)
    if lacks:
        raise Unseen(*lacks)


def _ask(
    policy: Policy, event: HookInput, facts: Facts, options: PolicyOptions
) -> tuple[Opinion | None, Exception | None]:
    fault: Exception | None = None
    try:
        opinion = policy.opine(event, facts, options)
        if not isinstance(opinion, Opinion | None):
            raise TypeError(f"a policy says an Opinion or None, not {type(opinion).__name__}")
    except Unseen:
        raise  # no fault: what it wants is looked up, and all is judged anew
    except Exception as error:  # noqa: BLE001 - one rule's fault must not silence the others
        fault = error
        if policy.on_error == "silence":
            return None, fault
        why = f"{policy.name} failed and could not judge this call."
        opinion = Opinion("ask", why)
    if opinion is None:
        return None, None
    named = opinion if opinion.rule else replace(opinion, rule=policy.name)
    return (_advice(named, event) if options.mode == "warn" else named), fault


def _advice(opinion: Opinion, event: HookInput) -> Opinion:
    """Return the opinion without its power: the model reads what would have been decided.

    It also reads that this was not: a reason by itself would say that the call is held.
    """
    if opinion.verdict is None:
        return replace(opinion, updated_input=None, also={})
    why = opinion.reason.removeprefix(f"{opinion.rule}: ").removeprefix("Blocked: ")
    if opinion.verdict in _GOES_ON:
        what = "The call" if event.hook_event_name == "PreToolUse" else "This"
        why = f"{what} {_GOES_ON[opinion.verdict]} {why}"
    warning = f"[hookd:{opinion.rule}] {why}"
    context = f"{opinion.context}\n\n{warning}" if opinion.context else warning
    return replace(opinion, verdict=None, reason="", context=context, updated_input=None, also={})
