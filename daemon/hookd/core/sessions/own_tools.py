"""Tools of hookd's own MCP server: their names in hook events, and who calls one."""

import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any

from hookd.core.model.effects.own_calls import AddOwnCall
from hookd.core.model.facts import Facts, iso
from hookd.events.model import PreToolUse
from hookd.lazy_pattern import lazy_compile

CALL_SECONDS = 30
"""Seconds after its PreToolUse event in which a tool call names its caller."""

LOG = "log"
"""Tool that writes a log entry."""

WITHOUT_EFFORT = frozenset(
    {
        *("log", "fleet", "why", "task_list", "effort_start", "effort_resume", "effort_phase"),
        *("effort_list", "effort_finish", "handover_save", "handover_list", "send", "inbox"),
        *("claim", "release", "work_add", "work_take", "work_done", "work_block"),
        *("work_release", "work_list", "guard_explain"),
    }
)
"""Tools that only report, or share work: they are allowed without an effort, and not counted."""

_OWN = lazy_compile(r"mcp__(?:plugin_hookd_)?hookd__(?P<tool>[a-z]+(?:_[a-z]+)*)")


def own_tool(names: Iterable[str]) -> str:
    """Return the tool of hookd's MCP server that one of these names means, "" for any other.

    >>> own_tool(["mcp__hookd__log"]), own_tool(["mcp__plugin_hookd_hookd__fleet"])
    ('log', 'fleet')
    >>> own_tool(["mcp__other__log", "Bash"])
    ''
    """
    for name in names:
        if name.startswith("mcp__") and (found := _OWN.fullmatch(name)):
            return found["tool"]
    return ""


def input_digest(arguments: Mapping[str, Any]) -> str:
    """Return the digest of a tool's input; the order of keys does not count.

    A lone surrogate counts as `?`, which an event has in its place.

    >>> input_digest({"a": 1, "b": "x"}) == input_digest({"b": "x", "a": 1})
    True
    """
    text = json.dumps(arguments, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def own_call(event: PreToolUse, facts: Facts) -> tuple[AddOwnCall, ...]:
    """Return the effect that stores who calls an own tool; none for another tool."""
    if not event.tool_name.startswith("mcp"):  # nearly every call: the names cost more
        return ()
    tool = own_tool(event.call.names)
    if not tool or facts.session is None or not event.session_id:
        return ()
    call = AddOwnCall(
        facts.next.event,
        facts.session.id,
        event.session_id,
        facts.session.agent_id,
        event.tool_use_id,
        tool,
        input_digest(event.tool_input),
        iso(facts.now - timedelta(seconds=CALL_SECONDS)),
    )
    return (call,)
