"""Warn the model before its context window is full, and ask for a handover.

There are four levels: `notice`, `warn`, `overflow` (the option `at`) and `critical`. When the
window reaches a level, the model is notified, once per window and level; if several are passed at
once, only of the highest. From `overflow` on, the text says how to save a handover for the next
window. No call is denied. Subagents, and windows that saved a handover, are not notified.
"""

from pydantic import Field, model_validator

from hookd.config.models import PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.context_usage import LEVELS, Levels, levels
from hookd.events.model import PreToolUse

_DEFAULTS = Levels()


class Options(PolicyOptions):
    """Levels, as shares of the window in use, 0.0 to 1.0 each."""

    notice: float = Field(_DEFAULTS.notice, gt=0, le=1, description="Share for the first notice.")
    warn: float = Field(
        _DEFAULTS.warn, gt=0, le=1, description="Share at which a handover is due soon."
    )
    at: float = Field(
        _DEFAULTS.overflow, gt=0, le=1, description="Share at which a handover is due (`overflow`)."
    )
    critical: float = Field(
        _DEFAULTS.critical, gt=0, le=1, description="Share for the last warning before it is full."
    )

    @model_validator(mode="after")
    def _in_order(self) -> "Options":
        if not self.notice <= self.warn <= self.at <= self.critical:
            raise ValueError("notice, warn, at and critical must be in ascending order")
        return self

    @property
    def levels(self) -> Levels:
        """The shares at which the levels begin."""
        return Levels(self.notice, self.warn, self.at, self.critical)


_HANDOVER_COMMAND = (
    "hookd handover save <<'JSON' with summary, lastAction, nextSteps and requiredFiles (the paths "
    "that the next window must read, at most eight)."
)
_LEVEL_TEXTS = (
    "Read large files in parts to leave room for the work.",
    "A handover to the next window is due soon: hookd handover save --help",
    f"After the current step, save a handover so that the next window can continue:"
    f" {_HANDOVER_COMMAND}",
    f"It will be compacted soon. Save a handover now, so that nothing is lost: {_HANDOVER_COMMAND}",
)


def limits(facts: Facts) -> Levels:
    """Return the levels that the options set."""
    return levels(facts.options)


def overflows(facts: Facts) -> bool:
    """Whether the window is in use beyond the limit at which a handover is due."""
    usage = facts.session.context_usage if facts.session else None
    return usage is not None and usage >= limits(facts).overflow


def _level(usage: float | None, where: Levels) -> int:
    """Return the number of levels that the window has reached."""
    return 0 if usage is None else sum(usage >= where.at(level) for level in LEVELS)


def opine(_event: PreToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Notify the model, once for each level."""
    session, state = facts.session, facts.policy_state.get("overflow")
    if session is None or session.agent_id or session.handover:
        return None
    level_told = state.get("level") if isinstance(state, dict) else None
    told = level_told if isinstance(level_told, int) else 0
    level = _level(session.context_usage, options.levels)
    if level <= told:
        return None
    full = f"[hookd:overflow] The context window is {session.context_usage or 0:.0%} full."
    return Opinion(
        context=f"{full} {_LEVEL_TEXTS[level - 1]}",
        effects=(Remember(session.id, "overflow", {"level": level}),),
    )


def _facts(usage: float | None, **more: object) -> Facts:
    return Facts(session=Session(1, "s", context_usage=usage), **more)  # type: ignore[arg-type]


_TOLD = {"overflow": {"level": 3}}


def _examples() -> tuple[PolicyExample, ...]:
    event = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
    return (
        PolicyExample(event, _facts(None), says=""),
        PolicyExample(event, _facts(0.69), says=""),
        PolicyExample(event, _facts(0.72), says="context"),
        PolicyExample(event, _facts(0.91), says="context"),
        PolicyExample(event, _facts(0.91, policy_state={"overflow": {"level": 3}}), says=""),
        PolicyExample(event, _facts(0.96, policy_state={"overflow": {"level": 3}}), says="context"),
    )


POLICY = Policy(
    name="overflow",
    priority=20,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="silence",
    opine=opine,
    examples=_examples,
)
