"""The conversation was compacted: its summary is stored as a message of the role `system`."""

from hookd.core.model.effects.messages import AddMessage
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.events.model import PostCompact
from hookd.methods.hook_event import effects_event

_MOST = 20_000
"""Characters of a summary that are kept."""


class Result(HookResult):
    """Whether the summary was stored."""

    message_logged: bool = False


def effects(event: PostCompact, facts: Facts) -> tuple[Effect, ...]:
    """Store the summary with its window, whose row may be closed already."""
    window = facts.session or facts.previous
    if window is None or not event.compact_summary:
        return ()
    text = event.compact_summary[:_MOST]
    return (AddMessage(window.id, window.effort_id, "system", text, "compact"),)


def report(event: PostCompact, facts: Facts) -> Result:
    """Report whether it was stored."""
    known = facts.session is not None or facts.previous is not None
    return Result(message_logged=known and bool(event.compact_summary))


METHOD = effects_event(
    "PostCompact",
    PostCompact,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "PostCompact",
            "compact_summary": "Pages are in.",
        },
        says="keeps the summary",
    ),
)
