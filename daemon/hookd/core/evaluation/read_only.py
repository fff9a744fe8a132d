"""Evaluation without a writable database: which limits and rules apply if nothing is stored."""

from dataclasses import replace

from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput

UNREAD_RULE = (
    '{"ruleId":"hookd","payload":{"text":"hookd cannot read its database, so it does not know your'
    ' guard rules. hookd status says why."},"urgency":"ask"}'
)
"""The guard rule that replaces all rules of an unreadable database: it asks about every call."""

_STOP_ALLOWED = (
    "hookd allowed the stop: its database is not writable, so it cannot count blocked stops."
    " Next: hookd status"
)


def without_heartbeat(facts: Facts) -> Facts:
    """Return the facts without any limit that only a stored row could end.

    No call waits for a log entry, no call is denied once to pass at the second attempt, and no
    message is sent that could not be marked as sent.
    """
    daemon = replace(facts.daemon, unjudged=())
    options = dict(facts.options)
    strikes = options.get("destructive-guard")
    if strikes is not None and getattr(strikes, "one_strike", False):
        options["destructive-guard"] = strikes.model_copy(update={"one_strike": False})
    session = facts.session and replace(facts.session, heartbeat_counter=0)
    return replace(facts, session=session, daemon=daemon, options=options)


def rules_unread(facts: Facts) -> bool:
    """Return whether the facts come from a database that could not be read."""
    return any(guard.rule == UNREAD_RULE for guard in facts.guards)


def by_builtin_guards(facts: Facts) -> Facts:
    """Return the facts without rules that deny or ask only because the database is unreadable.

    The rule that asks about every call is dropped, and so is `session-gate`, which would wait for
    an effort that cannot be started.
    """
    options = dict(facts.options)
    gate = options.get("session-gate")
    if gate is not None:
        options["session-gate"] = gate.model_copy(update={"mode": "off"})
    guards = tuple(guard for guard in facts.guards if guard.rule != UNREAD_RULE)
    daemon = replace(facts.daemon, rules_unread=True)
    return replace(facts, guards=guards, options=options, daemon=daemon)


def release_stop(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome; a stop that the client reports as blocked before is allowed."""
    blocks = event.hook_event_name in ("Stop", "SubagentStop") and outcome.verdict == "deny"
    if blocks and getattr(event, "stop_hook_active", False):
        return Outcome(system_message=_STOP_ALLOWED)
    return outcome
