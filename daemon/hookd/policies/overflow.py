"""A word in time before the context window is full.

Once the window is in use beyond `at`, the model is told, once per window, to finish the step at
hand and to leave a handover for the next window. With mode `enforce` it says so; it never denies a
call.
"""

from pydantic import Field

from hookd.core.effects import Remember
from hookd.core.events import PreToolUse
from hookd.core.facts import Facts, Session
from hookd.core.options import PolicyOptions
from hookd.core.outcome import Opinion
from hookd.core.policy import Policy, PolicyExample


class Options(PolicyOptions):
    """From which share of the window on the model is told."""

    at: float = Field(0.90, gt=0, le=1, description="Share of the window in use, 0.0 to 1.0.")


def overflows(facts: Facts) -> bool:
    """Whether the window is in use beyond the limit."""
    options = facts.options.get(POLICY.name)
    limit = (options if isinstance(options, Options) else Options()).at
    usage = facts.session.context_usage if facts.session else None
    return usage is not None and usage >= limit


def opine(_event: PreToolUse, facts: Facts, _options: Options) -> Opinion | None:
    """Tell the model once per window, unless it has handed over; a subagent is left alone."""
    session = facts.session
    told = facts.policy_state.get("overflow")
    if session is None or session.agent_id or session.handover or told or not overflows(facts):
        return None
    return Opinion(
        context=(
            f"[hookd:overflow] The context window is {session.context_usage or 0:.0%} full. Once "
            "the step at hand is done, a handover lets the next window go on from there: "
            "hookd handover save <<'JSON' with summary, lastAction, nextSteps and requiredFiles "
            "(the paths that the next window has to read, at most eight)."
        ),
        effects=(Remember(session.id, "overflow", {"warned": True}),),
    )


def _facts(usage: float | None, **more: object) -> Facts:
    return Facts(session=Session(1, "s", context_usage=usage), **more)  # type: ignore[arg-type]


_EVENT = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})

POLICY = Policy(
    name="overflow",
    priority=20,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="ask",
    opine=opine,
    examples=(
        PolicyExample(_EVENT, _facts(None), says=""),
        PolicyExample(_EVENT, _facts(0.89), says=""),
        PolicyExample(_EVENT, _facts(0.91), says="context"),
        PolicyExample(_EVENT, _facts(0.91, policy_state={"overflow": {"warned": True}}), says=""),
    ),
)
