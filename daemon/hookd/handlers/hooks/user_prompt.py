"""A prompt was submitted: the model learns where the work stands, and the prompt is kept.

With an active effort the context line (time, task, skill, phase, heartbeat) is added to the prompt.
Serves the client's UserPromptSubmit.
"""

from hookd.core.effects import AddMessage, Effect
from hookd.core.events import UserPrompt
from hookd.core.facts import Facts
from hookd.core.method import Decision, Example, HookMethod, HookResult
from hookd.core.outcome import Opinion, Outcome
from hookd.core.windows import working
from hookd.core.wording import context_line
from hookd.policies.heartbeat import limits


class Result(HookResult):
    """What the session works on; null without an effort."""

    session_context: str = ""
    effort_id: int | None = None
    session_id: int | None = None
    task_dir: str | None = None
    skill: str | None = None
    phase: str | None = None
    heartbeat: str = "0/10"


def decide(event: UserPrompt, facts: Facts) -> Decision:
    """Keep the prompt, once by its prompt_id, and say the context line."""
    effects: list[Effect] = list(working(facts))
    if facts.session and event.prompt:
        effort_id = facts.effort.id if facts.effort else None
        effects.append(
            AddMessage(facts.session.id, effort_id, "user", event.prompt, ref=event.prompt_id)
        )
    line = context_line(facts, limits(facts)[1])
    return Decision(facts, tuple(effects), Opinion(context=line) if line else None)


def answer(_event: UserPrompt, facts: Facts, _outcome: Outcome) -> Result:
    """Report the context line and its parts."""
    effort, limit = facts.effort, limits(facts)[1]
    if effort is None or facts.session is None:
        return Result(heartbeat=f"0/{limit}")
    return Result(
        session_context=context_line(facts, limit),
        effort_id=effort.id,
        session_id=facts.session.id,
        task_dir=effort.task_dir,
        skill=effort.skill,
        phase=effort.phase,
        heartbeat=f"{facts.session.heartbeat_counter}/{limit}",
    )


METHOD = HookMethod(
    name="hooks.userPrompt",
    event="UserPromptSubmit",
    params=UserPrompt,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b-c95a-42d8-86b9-1f4e8aa7a4b7",
                "hook_event_name": "UserPromptSubmit",
                "prompt": "Add pagination to the orders endpoint",
                "prompt_id": "0a5e3de9",
            },
            says="keeps the prompt; adds the context line where an effort is active",
        ),
    ),
)
