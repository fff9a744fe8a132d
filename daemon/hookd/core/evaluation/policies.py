"""Asking the policies in their order: the fault of one does not affect the others."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hookd.config.models import PolicyOptions
from hookd.core.model.fact_requests import FactRequest, MissingFacts
from hookd.core.model.facts import Facts
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion, Verdict
from hookd.events.model import HookInput

SLOW_S = 0.05
"""Seconds from which on a policy is reported. It is never skipped."""


_WARN_TEXTS: Mapping[Verdict, str] = {
    "deny": "goes on, but outside of mode `warn` it would be denied:",
    "ask": "goes on, but outside of mode `warn` the user would be asked:",
}


class TimeUp(BaseException):
    """The running policy has exceeded its time limit; the text says where it was."""


Within = Callable[[str, Callable[[], Opinion | None]], Opinion | None]
"""Calls the policy of this name. Raises TimeUp where that takes too long."""


def _unlimited(_policy: str, work: Callable[[], Opinion | None]) -> Opinion | None:
    return work()


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """What came of asking one policy: an opinion or None, the fault if it failed, and seconds."""

    policy: str
    opinion: Opinion | None
    fault: Exception | TimeUp | None
    seconds: float


def applicable_policies(
    policies: Iterable[Policy], event: str, facts: Facts
) -> tuple[tuple[Policy, PolicyOptions], ...]:
    """Return the policies that evaluate an event, with their options: those that are not off."""
    with_options = (
        (policy, facts.options.get(policy.name) or policy.options())
        for policy in policies
        if event in policy.events
    )
    return tuple((policy, options) for policy, options in with_options if options.mode != "off")


def ask_policies(  # noqa: PLR0913 - the last two only in the daemon
    policies: Iterable[Policy],
    event: HookInput,
    facts: Facts,
    clock: Callable[[], float],
    *,
    suspended: Collection[str] = (),
    within: Within = _unlimited,
) -> Iterator[PolicyAnswer]:
    """Ask the policies that apply to this event. `clock` counts seconds.

    With mode `warn` a verdict becomes advice. A guard that fails, exceeds its time or is suspended
    asks the user; other policies are silent then. Raise MissingFacts with the requests of all
    policies together.
    """
    lacks: dict[FactRequest, None] = {}
    for policy, options in applicable_policies(policies, event.hook_event_name, facts):
        began = clock()
        try:
            if policy.name in suspended:
                opinion, fault = _fallback(policy, _SUSPENDED, event, options), None
            else:
                opinion, fault = _ask(policy, event, facts, options, within)
        except MissingFacts as lack:
            lacks |= dict.fromkeys(lack.requests)
            continue
        if opinion is not None and opinion.shared_facts:
            facts = replace(facts, shared={**facts.shared, **opinion.shared_facts})
        if not lacks:  # else all is judged anew
            yield PolicyAnswer(policy.name, opinion, fault, clock() - began)
    if lacks:
        raise MissingFacts(*lacks)


_SUSPENDED = (
    "was suspended because it exceeded its time limit repeatedly, so it did not judge this call."
    " `hookd restart` turns it on again."
)


def _ask(
    policy: Policy, event: HookInput, facts: Facts, options: PolicyOptions, within: Within
) -> tuple[Opinion | None, Exception | TimeUp | None]:
    try:
        opinion = within(policy.name, lambda: policy.opine(event, facts, options))
        if not isinstance(opinion, Opinion | None):
            raise TypeError(f"a policy says an Opinion or None, not {type(opinion).__name__}")
    except MissingFacts:
        raise  # no fault: what it wants is looked up, and all is judged anew
    except TimeUp as fault:
        why = "took too long and could not judge this call."
        return _fallback(policy, why, event, options), fault
    except Exception as fault:  # noqa: BLE001 - one rule's fault must not silence the others
        return _fallback(policy, "failed and could not judge this call.", event, options), fault
    return (None if opinion is None else _named(policy, opinion, event, options)), None


def _fallback(policy: Policy, why: str, event: HookInput, options: PolicyOptions) -> Opinion | None:
    """Return what stands for a policy that has no opinion of its own: a guard asks."""
    if policy.on_error == "silence":
        return None
    return _named(policy, Opinion("ask", f"{policy.name} {why}"), event, options)


def _named(policy: Policy, opinion: Opinion, event: HookInput, options: PolicyOptions) -> Opinion:
    named = opinion if opinion.rule else replace(opinion, rule=policy.name)
    return _advice(named, event) if options.mode == "warn" else named


def _advice(opinion: Opinion, event: HookInput) -> Opinion:
    """Return the opinion without its power: the model reads what would have been decided.

    It also reads that this was not: a reason by itself would say that the call is held.
    """
    if opinion.verdict is None:
        return replace(opinion, updated_input=None, event_fields={})
    why = opinion.reason.removeprefix(f"{opinion.rule}: ").removeprefix("Blocked: ")
    if opinion.verdict in _WARN_TEXTS:
        what = "The call" if event.hook_event_name == "PreToolUse" else "This"
        why = f"{what} {_WARN_TEXTS[opinion.verdict]} {why}"
    warning = f"[hookd:{opinion.rule}] {why}"
    context = f"{opinion.context}\n\n{warning}" if opinion.context else warning
    return replace(
        opinion, verdict=None, reason="", context=context, updated_input=None, event_fields={}
    )
