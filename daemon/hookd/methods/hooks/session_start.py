"""A context window begins: at startup, after /clear, after compaction, on resume or on a fork.

Always opens a new session row, linked to the previous window, whose row is closed. Finds the effort
of the agent (AGENT_ID), or without one the project's latest active effort, if the setting
`efforts.join` permits: by default, if that was started in the same terminal or by the same client
process. The model receives the context line, then the previous window's handover, or else the
content of the effort's own files, then the skill's templates and the directive files found so far,
with their content as far as the budget allows and by their path beyond it. After `/compact` the
heartbeat continues; after an automatic compaction it begins at zero. After a resume or a fork the
conversation is still there, so nothing is recovered, and a text that is in the transcript is not
given again; the event has the share of the window in use. Without an effort and a handover it is
silent.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hookd.core.context_window.compaction import carry_heartbeat
from hookd.core.context_window.context_events import session_started
from hookd.core.context_window.session_start import brief_session, carry_over, pending_handover
from hookd.core.efforts.joining import without_unjoined_effort
from hookd.core.efforts.skill_lookup import find_skill, skill_config, templates
from hookd.core.evaluation.texts import context_line
from hookd.core.mail.delivery import move_mail
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Session
from hookd.core.model.method import Decision, Example, HookResult
from hookd.core.model.verdict import Opinion
from hookd.core.sessions.open_session import open_session, update_repository
from hookd.events.model import SessionStart
from hookd.methods.hook_event import hook_event
from hookd.policies.heartbeat import limits


class Result(HookResult):
    """The window's effort; `found` is false without an effort."""

    found: bool = False
    effort_id: int | None = None
    session_id: int | None = None
    task_dir: str | None = None
    skill: str | None = None
    phase: str | None = None
    files_to_preload: list[str] = []
    dehydrated_context: Any = None
    skill_config: dict[str, Any] | None = None
    session_context: str = ""


def decide(event: SessionStart, facts: Facts) -> Decision:
    """Open the window's row; give the context line, the handover and files."""
    if not event.session_id:
        return Decision(facts)
    facts = without_unjoined_effort(facts)
    handover = pending_handover(event.source, facts)
    if handover and facts.previous is None and not handover.open:
        facts = replace(facts, previous=Session(handover.session_id, ""))
    before, state = facts.previous, facts.policy_state
    facts, opened = open_session(event, replace(facts, handover=handover), event.source)
    facts, counted = session_started(event, before, facts)
    facts, kept = carry_over(event, before, facts)
    facts, heartbeat = _compacted(event, before, state, facts)
    given = brief_session(event.source, facts, context_line(facts, limits(facts)[1]))
    told = (*heartbeat, *update_repository(event, facts), *given.effects)
    moved = move_mail(before, facts.session)
    effects: tuple[Effect, ...] = (*opened, *counted, *kept, *moved, *told)
    return Decision(facts, effects, Opinion(context=given.text) if given.text else None)


def _compacted(
    event: SessionStart, before: Session | None, state: Mapping[str, Any], facts: Facts
) -> tuple[Facts, tuple[Effect, ...]]:
    """Return the facts with the heartbeat that continues after a compaction, and its effects."""
    if facts.session is None or before is None or event.source != "compact":
        return facts, ()
    session, effects = carry_heartbeat(state, before, facts.session)
    return replace(facts, session=session), effects


def report(_event: SessionStart, facts: Facts) -> Result:
    """Report the effort that was found, and the texts that its window was given."""
    session_id = facts.session.id if facts.session else None
    payload = dict(facts.handover.payload) if facts.handover else None
    effort = facts.effort
    if effort is None:
        return Result(session_id=session_id, dehydrated_context=payload)
    known = find_skill(effort.skill, facts).known
    return Result(
        found=True,
        effort_id=effort.id,
        session_id=session_id,
        task_dir=effort.task_dir,
        skill=effort.skill,
        phase=effort.phase,
        files_to_preload=[*(templates(known, facts) if known else ()), *effort.directives],
        dehydrated_context=payload,
        skill_config=skill_config(known.skill) if known else None,
        session_context=context_line(facts, limits(facts)[1]),
    )


METHOD = hook_event(
    "SessionStart",
    SessionStart,
    decide,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b-c95a-42d8-86b9-1f4e8aa7a4b7",
            "cwd": "/work/orders",
            "hook_event_name": "SessionStart",
            "source": "startup",
        },
        says="opens a session row; silent until an effort is active or a handover was left",
    ),
)
