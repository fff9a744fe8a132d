"""The user has added a folder to the session: it becomes a root for directive files.

All open windows of the conversation use it, those of its subagents too.
"""

from hookd.core.model.effects.sessions import AddDir
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import DirListing
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.events.model import DirectoryAdded
from hookd.methods.hook_event import effects_event
from hookd.redaction.redact import redact


class Result(HookResult):
    """Whether the folder is new to the window."""

    added: bool = False


def effects(event: DirectoryAdded, facts: Facts) -> tuple[Effect, ...]:
    """Store the folder by its real path."""
    added = _added(event, facts)
    if facts.session is None or added is None:
        return ()
    return (AddDir(facts.session.id, added),)


def _added(event: DirectoryAdded, facts: Facts) -> str | None:
    """Return the folder to store, or None if there is none."""
    if facts.session is None or not event.directory.startswith("/"):
        return None
    # Only a folder that is there can have a real name, and files to look for.
    there = facts.require(DirListing(event.directory, "/"))
    path = redact(there.path) if there else None
    return None if path in facts.session.added_dirs else path


def report(event: DirectoryAdded, facts: Facts) -> Result:
    """Report whether it was added."""
    return Result(added=_added(event, facts) is not None)


METHOD = effects_event(
    "DirectoryAdded",
    DirectoryAdded,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "DirectoryAdded",
            "directory": "/work/lib",
            "source": "slash_command",
        },
        says="keeps the folder among the window's",
    ),
)
