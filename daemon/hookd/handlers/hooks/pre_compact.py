"""The conversation is about to be compacted: where the client does it by itself, the window ends.

Its row is closed, and the SessionStart that follows opens the next one, which is given the handover
that was left, or what the effort's own files tell. With the setting `precompact.action` at `block`
the client is kept from compacting; at `restart` it is kept from it, too, and the `hookd run` that
started it is asked to start it anew. What a person asks for (`/compact`) changes nothing. Nothing
of the handover is made here: it would be too late for it.
"""

from hookd.core.effects import AskRestart, Effect, EndSession, ReadTranscript
from hookd.core.events import PreCompact
from hookd.core.facts import Facts
from hookd.core.method import Decision, Example, HookMethod, HookResult
from hookd.core.outcome import Opinion, Outcome
from hookd.core.telling.handover import restart_prompt

_WHY = (
    "hookd is set to keep this window from being compacted (precompact.action). A handover lets"
    " the next window go on: hookd handover save, then /clear."
)


_ANEW = "hookd starts the client anew, in an empty window (precompact.action)."


class Result(HookResult):
    """Whether the window's row was closed, and whether the client is to be started anew."""

    session_ended: bool = False
    restarting: bool = False


def _blocks(facts: Facts) -> bool:
    return facts.settings.precompact.action == "block"


def _ends(event: PreCompact, facts: Facts) -> bool:
    known = facts.session is not None and facts.session.agent_id is None
    return event.trigger == "auto" and known and not _blocks(facts)


def _restarts(event: PreCompact, facts: Facts) -> bool:
    wanted = facts.settings.precompact.action == "restart"
    return wanted and facts.identity.supervised and _ends(event, facts)


def decide(event: PreCompact, facts: Facts) -> Decision:
    """Close the row, or block, or both where the client is started anew."""
    if event.trigger == "auto" and _blocks(facts):
        return Decision(facts, (), Opinion("deny", _WHY, rule="precompact"))
    session, run = facts.session, facts.identity.run
    if session is None or not _ends(event, facts):
        return Decision(facts)
    restarts = run is not None and _restarts(event, facts)
    effects: tuple[Effect, ...] = (EndSession(session.id, "restart" if restarts else "compact"),)
    if event.transcript_path:
        effects += (ReadTranscript(session.id, event.transcript_path),)
    if run is None or not restarts:
        return Decision(facts, effects)
    effort = facts.effort if facts.effort and facts.effort.active else None
    effects += (AskRestart(run, restart_prompt(effort), "the context window is full"),)
    return Decision(facts, effects, Opinion("deny", _ANEW, rule="precompact"))


def answer(event: PreCompact, facts: Facts, _outcome: Outcome) -> Result:
    """Report it."""
    return Result(session_ended=_ends(event, facts), restarting=_restarts(event, facts))


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
