"""The conversation is about to be compacted: where the client does it by itself, the window ends.

Its row is closed, and the SessionStart that follows opens the next one, which is given the handover
that was left, or what the effort's own files tell. With the setting `precompact.action` at `block`
the client is kept from compacting. At `restart` it is kept from it, too, and the `hookd run` that
started it is asked to start it anew, where there is a handover or an active effort to go on by; the
client's own summary is better than nothing. What a person asks for (`/compact`) changes nothing
here. Nothing of the handover is made here: it would be too late for it.
"""

from hookd.core.effects import AskRestart, Effect, EndSession, ReadTranscript
from hookd.core.events import PreCompact
from hookd.core.facts import Facts
from hookd.core.method import Decision, Example, HookMethod, HookResult
from hookd.core.outcome import Opinion, Outcome
from hookd.core.telling.handover import restart_prompt
from hookd.core.wants import RunOf

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


def _restarts(event: PreCompact, facts: Facts) -> str | None:
    """Return the run that is started anew: where the next window finds something to go on by."""
    session = facts.session
    if session is None or facts.settings.precompact.action != "restart" or not _ends(event, facts):
        return None
    works = facts.effort is not None and facts.effort.active
    run = (
        facts.see(RunOf(session.id))
        if facts.identity.runs and (session.handover or works)
        else None
    )
    return run if run in facts.identity.runs else None


def decide(event: PreCompact, facts: Facts) -> Decision:
    """Close the row, or block, or both where the client is started anew."""
    if event.trigger == "auto" and _blocks(facts):
        return Decision(facts, (), Opinion("deny", _WHY, rule="precompact"))
    session = facts.session
    if session is None or not _ends(event, facts):
        return Decision(facts)
    run = _restarts(event, facts)
    effects: tuple[Effect, ...] = (EndSession(session.id, "restart" if run else "compact"),)
    if event.transcript_path:
        effects += (ReadTranscript(session.id, event.transcript_path),)
    if run is None:
        return Decision(facts, effects)
    prompt = restart_prompt(facts.effort)
    effects += (AskRestart(run, prompt, "the context window is full"),)
    return Decision(facts, effects, Opinion("deny", _ANEW, rule="precompact"))


def answer(event: PreCompact, facts: Facts, _outcome: Outcome) -> Result:
    """Report it."""
    return Result(session_ended=_ends(event, facts), restarting=_restarts(event, facts) is not None)


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
