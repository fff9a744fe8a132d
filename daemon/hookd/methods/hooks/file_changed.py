"""A watched file has changed: its content that the model was given is old, and may be given again.

The file is removed from those of the conversation's open windows; a skill in it is read again. A
deleted file is treated alike.
"""

from hookd.core.context_window.touched_paths import path_aliases
from hookd.core.model.effects.efforts import DropSkills
from hookd.core.model.effects.sessions import ForgetFile
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.events.model import FileChanged
from hookd.methods.hook_event import effects_event
from hookd.redaction.redact import redact


class Result(HookResult):
    """Whether the window had been given the file."""

    forgotten: bool = False


def effects(event: FileChanged, facts: Facts) -> tuple[Effect, ...]:
    """Forget the file, by each of its names."""
    if not event.file_path:
        return ()
    names = path_aliases(event.file_path, facts)
    skills = names if event.file_path.endswith(".md") else ()
    changes: tuple[Effect, ...] = (
        *(ForgetFile(facts.session.id, redact(name)) for name in names if facts.session),
        *(DropSkills(None, name) for name in skills),
    )
    return changes


def report(event: FileChanged, facts: Facts) -> Result:
    """Report whether it was forgotten."""
    session = facts.session
    if session is None or not event.file_path:
        return Result()
    had = {*session.loaded_files, *session.preloaded_files}
    return Result(forgotten=any(redact(one) in had for one in path_aliases(event.file_path, facts)))


METHOD = effects_event(
    "FileChanged",
    FileChanged,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "FileChanged",
            "file_path": "/work/orders/AGENTS.md",
            "event": "change",
        },
        says="the file may be given again",
    ),
)
