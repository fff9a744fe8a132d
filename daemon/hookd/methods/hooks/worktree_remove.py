"""The client removes a worktree: the event is recorded.

Windows that work in the folder stay open and the project stays registered: the client continues, or
ends its sessions itself. The event may come after that, so it opens no window.
"""

from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.events.model import WorktreeRemove
from hookd.methods.hook_event import effects_event


class Result(HookResult):
    """No fields: the answer is silence."""


def effects(_event: WorktreeRemove, facts: Facts) -> tuple[Effect, ...]:
    """Return no effects: the event is recorded anyway."""
    return ()


def report(_event: WorktreeRemove, _facts: Facts) -> Result:
    """Report nothing."""
    return Result()


METHOD = effects_event(
    "WorktreeRemove",
    WorktreeRemove,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "WorktreeRemove",
            "worktree_path": "/work/orders/.claude/worktrees/search",
        },
        says="silent; windows and project stay",
    ),
)
