"""The conversation is about to be compacted: where the client does it by itself, the window ends.

Its row is closed, and the SessionStart that follows opens the next one, which is given the handover
that was left, or what the effort's own files tell. With the setting `precompact.action` at `block`
the client is kept from compacting. What a person asks for (`/compact`) changes nothing. Nothing of
the handover is made here: it would be too late for it.
"""

from hookd.core.effects import Effect, EndSession, ReadTranscript
from hookd.core.events import PreCompact
from hookd.core.facts import Facts
from hookd.core.method import Decision, Example, HookMethod, HookResult
from hookd.core.outcome import Opinion, Outcome

_WHY = (
    "hookd is set to keep this window from being compacted (precompact.action). A handover lets"
    " the next window go on: hookd handover save, then /clear."
)


class Result(HookResult):
    """Whether the window's row was closed."""

    session_ended: bool = False


def _blocks(facts: Facts) -> bool:
    return facts.settings.precompact.action == "block"


def _ends(event: PreCompact, facts: Facts) -> bool:
    known = facts.session is not None and facts.session.agent_id is None
    return event.trigger == "auto" and known and not _blocks(facts)


def decide(event: PreCompact, facts: Facts) -> Decision:
    """Close the row, or block."""
    if event.trigger == "auto" and _blocks(facts):
        return Decision(facts, (), Opinion("deny", _WHY, rule="precompact"))
    session = facts.session
    if session is None or not _ends(event, facts):
        return Decision(facts)
    effects: tuple[Effect, ...] = (EndSession(session.id, "compact"),)
    if event.transcript_path:
        effects += (ReadTranscript(session.id, event.transcript_path),)
    return Decision(facts, effects)


def answer(event: PreCompact, facts: Facts, _outcome: Outcome) -> Result:
    """Report it."""
    return Result(session_ended=_ends(event, facts))


METHOD = HookMethod(
    name="hooks.preCompact",
    event="PreCompact",
    params=PreCompact,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {"session_id": "11c8d28b", "hook_event_name": "PreCompact", "trigger": "auto"},
            says="closes the window's row",
        ),
    ),
)
