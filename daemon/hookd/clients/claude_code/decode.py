"""Decoding of Claude Code's payloads and environment.

The internal model of events has Claude Code's names, so a payload stays as it is, but for keys in
camelCase.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hookd.clients.contract import Json
from hookd.events.model import transform_keys
from hookd.lazy_pattern import lazy_compile

_AGENT = lazy_compile(r"claude-code_([0-9]{1,5})-([0-9]{1,5})-([0-9]{1,5})(?![0-9])")
"""Value of AI_AGENT: `claude-code_2-1-330_harness`."""


def normalize(payload: Mapping[str, Any], registered: str) -> Json:
    """Return the payload with keys in snake_case; without a name, the event is the link's."""
    fields: Json = transform_keys(payload)
    name = fields.get("hook_event_name")
    if isinstance(name, str) and name:
        return fields
    return {**fields, "hook_event_name": registered}


def version(variables: Mapping[str, object]) -> str | None:
    """Return the client's version by AI_AGENT, None if it is not set or names another program.

    >>> version({"AI_AGENT": "claude-code_2-1-330_harness"})
    '2.1.330'
    """
    agent = variables.get("AI_AGENT")
    return _version(agent) if isinstance(agent, str) else None


@lru_cache(maxsize=32)
def _version(agent: str) -> str | None:
    match = _AGENT.match(agent)
    return ".".join(match.groups()) if match else None
