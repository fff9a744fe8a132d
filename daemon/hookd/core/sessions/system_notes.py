"""The home of notes: what happened to a session, kept as a message of the role `system`."""

import json
from collections.abc import Mapping
from typing import Any

from hookd.core.model.effects.messages import AddMessage
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts


def note(
    event: str,
    told: Mapping[str, Any],
    facts: Facts,
    *,
    tool: str | None = None,
    ref: str | None = None,
) -> tuple[Effect, ...]:
    """Return the effect that keeps a note; with `ref` it is kept once in a session."""
    session, effort = facts.session, facts.effort
    if session is None:
        return ()
    said = {"event": event} | {key: value for key, value in told.items() if value is not None}
    text = json.dumps(said, ensure_ascii=False, default=str)
    return (AddMessage(session.id, effort.id if effort else None, "system", text, tool, ref),)
