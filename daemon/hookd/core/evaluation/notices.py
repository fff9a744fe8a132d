"""Notices: messages to the user, not the model, that are added to an answer.

Most are sent once in a session. `policy_state` records which were sent.
"""

from hookd.core.evaluation.pause import minutes_left
from hookd.core.evaluation.unjudged import report
from hookd.core.model.effects.messages import ReportMissedEvents
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS

OPENINGS = ("SessionStart", "UserPromptSubmit")
"""Events before the first tool call of a session or a turn."""


def shows_message(event: HookInput) -> bool:
    """Return whether the client shows the user a message in the answer to this event."""
    spec = EVENTS.get(event.hook_event_name)
    shown = spec is not None and spec.engine and not event.agent_id
    return shown and event.hook_event_name != "MessageDisplay"


def pause_notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell the user that hookd is paused and for how long."""
    if event.hook_event_name not in OPENINGS:
        return None
    count = minutes_left(facts)
    by = f" by the {facts.daemon.paused_by}" if facts.daemon.paused_by else ""
    text = (
        f"hookd is paused{by} for {count} more minute{'' if count == 1 else 's'}: no guards and"
        " none of your hooks run. To end the pause: hookd resume"
    )
    return _once(facts, "pause", facts.daemon.paused_until, text)


def damaged_database_notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell the user that a damaged database was replaced by an empty one."""
    aside = facts.daemon.replaced
    if not aside or not shows_message(event):
        return None
    # Without a session there is no record that the message was sent.
    if facts.session is None and event.hook_event_name not in OPENINGS:
        return None
    text = (
        f"hookd found its database damaged, moved it to {aside} and started an empty one. Guard"
        " rules, efforts and trusted projects are only in the old one. Next: hookd status"
    )
    return _once(facts, "replaced", aside, text)


def missed_events_notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell the user which events hookd missed, or evaluated without its daemon."""
    missed = facts.daemon.unjudged
    if not missed or not event.session_id or not shows_message(event):
        return None
    text = f"{report(missed)} Details: hookd daemon logs -n 20"
    return Opinion(
        system_message=text, rule="unjudged", effects=(ReportMissedEvents(facts.next.event),)
    )


def unread_rules_notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell the user that the guard rules cannot be read from the database."""
    if not facts.daemon.rules_unread or event.hook_event_name not in OPENINGS:
        return None
    text = (
        "hookd cannot read its database: your own guard rules are not in force, the built-in"
        " guards are. Next: hookd status"
    )
    return Opinion(system_message=text, rule="unread")


def rule_files_notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell the user at the start of a session which rules files do not apply as they are."""
    text = facts.daemon.rules_notice
    if not text or event.hook_event_name != "SessionStart":
        return None
    if getattr(event, "source", "") == "compact":
        return None
    return Opinion(system_message=text, rule="rules-file")


def _once(facts: Facts, rule: str, cause: str, text: str) -> Opinion | None:
    """Return a message for the user; None if this session received it for the same cause."""
    if facts.policy_state.get(rule) == cause:
        return None
    session = facts.session
    effects = (Remember(session.id, rule, cause),) if session else ()
    return Opinion(system_message=text, rule=rule, effects=effects)
