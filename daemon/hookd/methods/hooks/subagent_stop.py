"""A subagent is about to finish: its row is ended, and its loaded files are added to the effort.

Its transcript is ingested in the background, and the context usage that the event reports is its
own. The parent's window stays open. An unknown subagent, as the nameless one of compaction, is
ignored.
"""

from hookd.core.context_window.context_events import usage_at_stop
from hookd.core.model.effects.after_commit import ReadTranscript
from hookd.core.model.effects.efforts import SetMetadata
from hookd.core.model.effects.sessions import EndSession
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.events.model import SubagentStop
from hookd.methods.hook_event import effects_event

_MOST = 300
"""Files that an effort remembers its subagents by, the last ones."""


class Result(HookResult):
    """Whether a row was open."""

    session_ended: bool = False


def _ends(event: SubagentStop, facts: Facts) -> bool:
    return bool(event.agent_id) and facts.session is not None


def effects(event: SubagentStop, facts: Facts) -> tuple[Effect, ...]:
    """End exactly the row of this subagent."""
    session, effort = facts.session, facts.effort
    if session is None or not _ends(event, facts):
        return ()
    changes: tuple[Effect, ...] = (EndSession(session.id, "finished"),)
    changes += usage_at_stop(event, facts)
    if event.agent_transcript_path:
        changes += (ReadTranscript(session.id, event.agent_transcript_path),)
    if effort is not None and session.loaded_files:
        read = effort.metadata.get("loadedFiles")
        known = read if isinstance(read, list) else []
        files = list(dict.fromkeys((*known, *session.loaded_files)))[-_MOST:]
        changes += (SetMetadata(effort.id, {**effort.metadata, "loadedFiles": files}),)
    return changes


def report(event: SubagentStop, facts: Facts) -> Result:
    """Report whether a row was ended."""
    return Result(session_ended=_ends(event, facts))


METHOD = effects_event(
    "SubagentStop",
    SubagentStop,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "SubagentStop",
            "agent_id": "a3f80ee08b1849471",
            "agent_type": "general-purpose",
        },
        says="closes the subagent's row",
    ),
)
