"""The agent works in another folder: the window's row has it, and its git branch.

The project of the window, and with it its effort, stays the one that the client was started in.
"""

from hookd.core.model.effects.sessions import SetCwd
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, HookResult
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.open_session import update_branch
from hookd.events.model import CwdChanged


class Result(HookResult):
    """The folder from now on."""

    folder: str | None = None


def decide(event: CwdChanged, facts: Facts) -> Decision:
    """Keep the folder."""
    if facts.session is None or not event.cwd:
        return Decision(facts)
    return Decision(facts, (SetCwd(facts.session.id, event.cwd), *update_branch(event, facts)))


def answer(event: CwdChanged, _facts: Facts, _outcome: Outcome) -> Result:
    """Report it."""
    return Result(folder=event.cwd)


METHOD = HookMethod(
    name="hooks.cwdChanged",
    event="CwdChanged",
    params=CwdChanged,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
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
    ),
)
