"""Held context: text that a client drops from an answer waits for an answer in which it is read.

Some clients take no context before a call, but with its result.
"""

from hookd.clients.contract import Adapter
from hookd.core.context_window.injections import NewText, queue_texts
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS

_RULE = "hookd"
"""The author of a text that waits; the policies that wrote it are named in the text itself."""

_NEXT = "PostToolUse"


def hold_context(
    client: Adapter, event: HookInput, outcome: Outcome, facts: Facts
) -> tuple[Effect, ...]:
    """Return the effects that queue an outcome's context, () if the client reads the answer's."""
    if not outcome.context or facts.session is None:
        return ()
    spec = EVENTS.get(event.hook_event_name)
    intentions = client.capabilities.intentions
    if spec is None or not spec.context or "add context" in intentions(spec.name):
        return ()
    if "add context" not in intentions(_NEXT):
        return ()
    return queue_texts(facts.session.id, (NewText(_RULE, outcome.context),), facts)
