"""The home of what the user, and not the model, is told beside an answer."""

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS

OPENINGS = ("SessionStart", "UserPromptSubmit")
"""Events that come before a window's work."""


def reads(event: HookInput) -> bool:
    """Whether a person reads what the answer to this event tells the user."""
    spec = EVENTS.get(event.hook_event_name)
    heard = spec is not None and spec.engine and not event.agent_id
    return heard and event.hook_event_name != "MessageDisplay"


def once(facts: Facts, rule: str, about: str, text: str) -> Opinion | None:
    """Return a message for the user, or None where this window was told it of the same thing."""
    if facts.policy_state.get(rule) == about:
        return None
    session = facts.session
    kept = (Remember(session.id, rule, about),) if session else ()
    return Opinion(system_message=text, rule=rule, effects=kept)
