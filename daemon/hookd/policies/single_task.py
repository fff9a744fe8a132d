"""Tell each new subagent that it has a single task; off by default.

Several tasks in one prompt are rarely all done well. The subagent reads that it can refuse such a
prompt and list the tasks, so that each is delegated separately.
"""

from pydantic import Field

from hookd.config.models import Mode, PolicyOptions
from hookd.core.model.facts import Facts
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput
from hookd.shell.globs import text_fits


class Options(PolicyOptions):
    """Subagents that receive the text."""

    mode: Mode = Field("off", description="Off by default: `off`, `warn` or `enforce`.")
    types: tuple[str, ...] = Field(
        ("*",), description="Types of subagents that receive the text, or globs of types."
    )


def opine(event: HookInput, _facts: Facts, options: Options) -> Opinion | None:
    """Tell the subagent that it has a single task."""
    kind = event.agent_type or ""
    if not event.agent_id or not any(text_fits(glob, kind) for glob in options.types):
        return None
    return Opinion(
        context="[hookd:single-task] This subagent is for a single task, with all of its steps. If"
        " the prompt has several unrelated tasks, it can be refused: answer with a list of them, so"
        " that each can be delegated separately."
    )


def _event(kind: str, agent: str | None = "a1") -> HookInput:
    return HookInput(agent_id=agent, agent_type=kind)


def _examples() -> tuple[PolicyExample, ...]:
    planners = Facts(options={"single-task": Options(types=("Plan*",))})
    return (
        PolicyExample(_event("general-purpose"), Facts(), says="context"),
        PolicyExample(_event("Planner"), planners, says="context"),
        PolicyExample(_event("Explore"), planners, says=""),
        PolicyExample(_event("Explore", None), Facts(), says=""),
    )


POLICY = Policy(
    name="single-task",
    priority=141,
    events=frozenset({"SubagentStart"}),
    options=Options,
    on_error="silence",
    profiles=BY_NAME,
    opine=opine,
    examples=_examples,
)
