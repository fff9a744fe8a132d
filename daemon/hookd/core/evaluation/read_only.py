"""Evaluation without a writable database: which rules hold where nothing is stored."""

from dataclasses import replace

from hookd.core.evaluation import user_notice
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion, Outcome
from hookd.events.model import HookInput

UNREAD_RULE = (
    '{"ruleId":"hookd","payload":{"text":"hookd cannot read its database, so it does not know your'
    ' guard rules. hookd status says why."},"urgency":"ask"}'
)
"""The guard rule that stands for all rules of a database that cannot be read: it asks."""

_TOLD = "hookd let the agent stop: nothing can be kept, so nobody counts how often it was held up."
_UNREAD = (
    "hookd cannot read its database: your own guard rules are not in force, the built-in guards"
    " are. Next: hookd status"
)


def without_heartbeat(facts: Facts) -> Facts:
    """Return the facts without what only a stored row could end.

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


def unread(facts: Facts) -> bool:
    """Return whether the facts come from a database that could not be read."""
    return any(guard.rule == UNREAD_RULE for guard in facts.guards)


def by_builtin_guards(facts: Facts) -> Facts:
    """Return the facts without what denies or asks only because the database cannot be read.

    The rule that asks about every call is dropped, and so is `session-gate`, which would wait for
    an effort that nobody can start.
    """
    options = dict(facts.options)
    gate = options.get("session-gate")
    if gate is not None:
        options["session-gate"] = gate.model_copy(update={"mode": "off"})
    guards = tuple(guard for guard in facts.guards if guard.rule != UNREAD_RULE)
    daemon = replace(facts.daemon, rules_unread=True)
    return replace(facts, guards=guards, options=options, daemon=daemon)


def notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell the user, before a window's work, that the guard rules could not be read."""
    if not facts.daemon.rules_unread or event.hook_event_name not in user_notice.OPENINGS:
        return None
    return Opinion(system_message=_UNREAD, rule="unread")


def release_stop(event: HookInput, outcome: Outcome) -> Outcome:
    """Return the outcome, let go where the client says that this stop was held up before."""
    stops = event.hook_event_name in ("Stop", "SubagentStop") and outcome.verdict == "deny"
    if stops and getattr(event, "stop_hook_active", False):
        return Outcome(system_message=_TOLD)
    return outcome
