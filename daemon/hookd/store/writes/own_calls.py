"""Writing calls of hookd's own MCP tools."""

from typing import assert_never

from hookd.core.model.effects.own_calls import AddOwnCall, UseOwnCall
from hookd.core.model.effects.union import OwnCallEffect
from hookd.store.writes.statements import Statement, clean, columns


def statements(effect: OwnCallEffect, at: str) -> tuple[Statement, ...]:
    """Return what writes one effect."""
    match effect:
        case AddOwnCall():
            values = {
                "at": at,
                "event_id": effect.event_id,
                "session_id": effect.session_id,
                "conversation": effect.conversation,
                "agent_id": effect.agent_id,
                "tool_use_id": clean(effect.tool_use_id),
                "tool": effect.tool,
                "digest": effect.digest,
            }
            drop = ("DELETE FROM own_calls WHERE at < ?", (effect.drop_before,))
            # A second registration of the hook sends the same call again: it names its caller once.
            return (drop, columns("own_calls", values, "INSERT OR IGNORE"))
        case UseOwnCall():
            return (("UPDATE own_calls SET used_at = ? WHERE id = ?", (at, effect.id)),)
        case _:
            assert_never(effect)
