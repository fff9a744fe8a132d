"""A context window begins: at startup, after /clear, after compaction, on resume or on a fork.

Always opens a new session row, linked to the window before; the predecessor's row is closed. Finds
the effort of the agent (AGENT_ID), or without one the project's latest active effort, and tells the
model where the work stands. Without an effort it is silent.
"""

from typing import Any

from hookd.core.effects import Effect
from hookd.core.events import SessionStart
from hookd.core.facts import Facts
from hookd.core.method import Decision, Example, HookMethod, HookResult
from hookd.core.outcome import Opinion, Outcome
from hookd.core.windows import open_window
from hookd.core.wording import context_line
from hookd.policies.heartbeat import limits


class Result(HookResult):
    """What the window works on; `found` is false without an effort."""

    found: bool = False
    effort_id: int | None = None
    session_id: int | None = None
    task_dir: str | None = None
    skill: str | None = None
    phase: str | None = None
    files_to_preload: list[str] = []
    dehydrated_context: Any = None
    skill_config: dict[str, Any] | None = None
    session_context: str = ""


def decide(event: SessionStart, facts: Facts) -> Decision:
    """Open the window's row and say the context line."""
    effects: tuple[Effect, ...] = ()
    if event.session_id:
        facts, effects = open_window(event, facts, event.source)
    line = context_line(facts, limits(facts)[1])
    return Decision(facts, effects, Opinion(context=line) if line else None)


def answer(_event: SessionStart, facts: Facts, _outcome: Outcome) -> Result:
    """Report the effort that was found."""
    session_id = facts.session.id if facts.session else None
    effort = facts.effort
    if effort is None:
        return Result(session_id=session_id)
    return Result(
        found=True,
        effort_id=effort.id,
        session_id=session_id,
        task_dir=effort.task_dir,
        skill=effort.skill,
        phase=effort.phase,
        session_context=context_line(facts, limits(facts)[1]),
    )


METHOD = HookMethod(
    name="hooks.sessionStart",
    event="SessionStart",
    params=SessionStart,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b-c95a-42d8-86b9-1f4e8aa7a4b7",
                "cwd": "/work/orders",
                "hook_event_name": "SessionStart",
                "source": "startup",
            },
            says="opens a session row; silent until an effort is active",
        ),
    ),
)
