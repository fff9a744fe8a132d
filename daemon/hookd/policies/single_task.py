"""A word to each subagent that begins: it is there for one task; it is off by default.

Several tasks in one prompt are rarely all done well. The subagent reads that it can refuse such a
prompt and name the tasks instead, so that each is delegated by itself.
"""

from pydantic import Field

from hookd.config.models import Mode, PolicyOptions
from hookd.core.model.facts import Facts
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput
from hookd.shell.globs import text_fits


class Options(PolicyOptions):
    """Which subagents are told."""

    mode: Mode = Field("off", description="How it holds: `off`, `warn` or `enforce`.")
    types: tuple[str, ...] = Field(
        ("*",), description="Types of subagents, or globs of them, that are told."
    )


def opine(event: HookInput, _facts: Facts, options: Options) -> Opinion | None:
    """Tell the subagent that it has one task."""
    kind = event.agent_type or ""
    if not event.agent_id or not any(text_fits(glob, kind) for glob in options.types):
        return None
    return Opinion(
        context="[hookd:single-task] This subagent is there for one task. Steps of one task belong"
        " together. A prompt with several tasks that do not can be refused: where the answer names"
        " them, each can be delegated by itself."
    )


def _event(kind: str, agent: str | None = "a1") -> HookInput:
    return HookInput(agent_id=agent, agent_type=kind)


_PLANNERS = Facts(options={"single-task": Options(types=("Plan*",))})

POLICY = Policy(
    name="single-task",
    priority=141,
    events=frozenset({"SubagentStart"}),
    options=Options,
    on_error="silence",
    profiles=BY_NAME,
    opine=opine,
    examples=(
        PolicyExample(_event("general-purpose"), Facts(), says="context"),
        PolicyExample(_event("Planner"), _PLANNERS, says="context"),
        PolicyExample(_event("Explore"), _PLANNERS, says=""),
        PolicyExample(_event("Explore", None), Facts(), says=""),
    ),
)
