"""The client removes a worktree: it is recorded.

Windows that work in the folder stay open and the project stays known: the client goes on, or says
itself that a session has ended. It may come after that, so it opens no window.
"""

from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, HookResult
from hookd.core.model.verdict import Outcome
from hookd.events.model import WorktreeRemove


class Result(HookResult):
    """Nothing but silence."""


def decide(_event: WorktreeRemove, facts: Facts) -> Decision:
    """Cause nothing: the record is all."""
    return Decision(facts)


def answer(_event: WorktreeRemove, _facts: Facts, _outcome: Outcome) -> Result:
    """Report nothing."""
    return Result()


METHOD = HookMethod(
    name="hooks.worktreeRemove",
    event="WorktreeRemove",
    params=WorktreeRemove,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b",
                "hook_event_name": "WorktreeRemove",
                "worktree_path": "/work/orders/.claude/worktrees/search",
            },
            says="silent; windows and project stay",
        ),
    ),
)
