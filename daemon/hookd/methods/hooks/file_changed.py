"""A watched file has changed: what the model was given of it is old, and it may be given again.

It leaves the files of the conversation's open windows, and what is kept of a skill that stands in
it is read anew. A file that is gone is dealt with alike.
"""

from hookd.core.context_window.touched_paths import path_aliases
from hookd.core.model.effects.efforts import DropSkills
from hookd.core.model.effects.sessions import ForgetFile
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, HookResult
from hookd.core.model.verdict import Outcome
from hookd.events.model import FileChanged
from hookd.redaction.redact import redact


class Result(HookResult):
    """Whether the window had been given the file."""

    forgotten: bool = False


def decide(event: FileChanged, facts: Facts) -> Decision:
    """Forget the file, by each of its names."""
    if not event.file_path:
        return Decision(facts)
    names = path_aliases(event.file_path, facts)
    skills = names if event.file_path.endswith(".md") else ()
    effects: tuple[Effect, ...] = (
        *(ForgetFile(facts.session.id, redact(name)) for name in names if facts.session),
        *(DropSkills(None, name) for name in skills),
    )
    return Decision(facts, effects)


def answer(event: FileChanged, facts: Facts, _outcome: Outcome) -> Result:
    """Report it."""
    session = facts.session
    if session is None or not event.file_path:
        return Result()
    had = {*session.loaded_files, *session.preloaded_files}
    return Result(forgotten=any(redact(one) in had for one in path_aliases(event.file_path, facts)))


METHOD = HookMethod(
    name="hooks.fileChanged",
    event="FileChanged",
    params=FileChanged,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b",
                "hook_event_name": "FileChanged",
                "file_path": "/work/orders/AGENTS.md",
                "event": "change",
            },
            says="the file may be given again",
        ),
    ),
)
