"""The agent works in another folder: the window's row stores it, and its git branch.

The window's project and effort stay those of the folder in which the client was started.
"""

from hookd.core.model.effects.sessions import SetCwd
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.core.sessions.open_session import update_branch
from hookd.events.model import CwdChanged
from hookd.methods.hook_event import effects_event


class Result(HookResult):
    """The new folder."""

    folder: str | None = None


def effects(event: CwdChanged, facts: Facts) -> tuple[Effect, ...]:
    """Store the folder and the branch."""
    if facts.session is None or not event.cwd:
        return ()
    return (SetCwd(facts.session.id, event.cwd), *update_branch(event, facts))


def report(event: CwdChanged, _facts: Facts) -> Result:
    """Report the folder."""
    return Result(folder=event.cwd)


METHOD = effects_event(
    "CwdChanged",
    CwdChanged,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "CwdChanged",
            "cwd": "/work/orders/web",
            "old_cwd": "/work/orders",
            "new_cwd": "/work/orders/web",
        },
        says="keeps the folder",
    ),
)
