"""The client is about to compact the conversation; it may still cancel.

The window continues: the SessionStart that follows a compaction closes its row and opens the next
one, which receives the handover, or else the content of the effort's own files. Until then the
trigger is remembered: the client, or a person (`/compact`). With the setting `precompact.action` at
`block` automatic compaction is blocked. At `restart` it is blocked, too, the row is closed, and the
`hookd run` that started the client restarts it, if there is a handover or an active effort to
continue with. Codex, Gemini CLI, Copilot CLI and opencode let no hook block a compaction: `block`
is `record` there, and at `restart` the client is restarted while it compacts.
"""

from hookd.core.context_window.client_commands import blocks_compaction, new_window
from hookd.core.context_window.compaction import remember_trigger
from hookd.core.context_window.handover import restart_prompt
from hookd.core.model.effects.after_commit import AskRestart, ReadTranscript
from hookd.core.model.effects.sessions import EndSession
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import RunOfSession
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookResult
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreCompact
from hookd.methods.hook_event import hook_event

_BLOCK = (
    "hookd blocks the compaction of this window (precompact.action). To continue in a new window:"
    " hookd handover save, then {}."
)

_RESTART = "hookd restarts the client with an empty window (precompact.action)."


class Result(HookResult):
    """Whether the window's row was closed because the client is restarted."""

    session_ended: bool = False
    restarting: bool = False


def _blocks(facts: Facts) -> bool:
    return facts.settings.precompact.action == "block" and blocks_compaction(facts.client)


def _by_client(event: PreCompact, facts: Facts) -> bool:
    """Return whether the client compacts a known window automatically, and may."""
    known = facts.session is not None and facts.session.agent_id is None
    return event.trigger == "auto" and known and not _blocks(facts)


def _restarts(event: PreCompact, facts: Facts) -> str | None:
    """Return the run to restart, None if the next window would find nothing to continue with."""
    session = facts.session
    if (
        session is None
        or facts.settings.precompact.action != "restart"
        or not _by_client(event, facts)
    ):
        return None
    works = facts.effort is not None and facts.effort.active
    run = (
        facts.require(RunOfSession(session.id))
        if facts.identity.runs and (session.handover or works)
        else None
    )
    return run if run in facts.identity.runs else None


def decide(event: PreCompact, facts: Facts) -> Decision:
    """Remember the trigger, or block; close the row if the client is restarted."""
    if event.trigger == "auto" and _blocks(facts):
        reason = _BLOCK.format(new_window(facts.client))
        return Decision(facts, (), Opinion("deny", reason, rule="precompact"))
    session = facts.session
    if session is None or not _by_client(event, facts):
        return Decision(facts, remember_trigger(event, facts))
    run = _restarts(event, facts)
    effects: tuple[Effect, ...] = remember_trigger(event, facts)
    if event.transcript_path:
        effects += (ReadTranscript(session.id, event.transcript_path),)
    if run is None:
        return Decision(facts, effects)
    effects += (EndSession(session.id, "restart"),)
    prompt = restart_prompt(facts.effort)
    effects += (AskRestart(run, prompt, "the context window is full"),)
    return Decision(facts, effects, Opinion("deny", _RESTART, rule="precompact"))


def report(event: PreCompact, facts: Facts) -> Result:
    """Report whether the client is restarted."""
    restarting = _restarts(event, facts) is not None
    return Result(session_ended=restarting, restarting=restarting)


METHOD = hook_event(
    "PreCompact",
    PreCompact,
    decide,
    report,
    Result,
    Example(
        {"session_id": "11c8d28b", "hook_event_name": "PreCompact", "trigger": "auto"},
        says="remembers that the client compacts automatically",
    ),
)
