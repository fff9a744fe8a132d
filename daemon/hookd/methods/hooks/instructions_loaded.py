"""The client has loaded an instructions file: hookd does not give it to the model again."""

from hookd.core.model.effects.sessions import AddSeen
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.events.model import InstructionsLoaded
from hookd.methods.hook_event import effects_event
from hookd.redaction.redact import redact


class Result(HookResult):
    """Whether the file was remembered."""

    remembered: bool = False


def effects(event: InstructionsLoaded, facts: Facts) -> tuple[Effect, ...]:
    """Remember the file among those that the model was given."""
    if facts.session is None or not event.file_path:
        return ()
    seen: Effect = AddSeen(facts.session.id, (redact(event.file_path),), ())
    return (seen,)


def report(event: InstructionsLoaded, facts: Facts) -> Result:
    """Report whether it was remembered."""
    return Result(remembered=facts.session is not None and bool(event.file_path))


METHOD = effects_event(
    "InstructionsLoaded",
    InstructionsLoaded,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "InstructionsLoaded",
            "file_path": "/work/orders/CLAUDE.md",
        },
        says="the file counts as given",
    ),
)
