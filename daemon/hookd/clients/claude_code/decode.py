"""Decoding of Claude Code's payloads and environment.

Payload in, event of `events/` out: the internal model has Claude Code's field names, so this is the
check of a payload by its event's model. Unknown fields are kept.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from hookd.events.model import HookInput, transform_keys
from hookd.lazy_pattern import lazy_compile

E = TypeVar("E", bound=HookInput)

_IDENTIFYING = ("session_id", "agent_id", "prompt_id", "tool_use_id", "tool_name")
_AGENT = lazy_compile(r"claude-code_([0-9]{1,5})-([0-9]{1,5})-([0-9]{1,5})(?![0-9])")
"""Value of AI_AGENT: `claude-code_2-1-330_harness`."""


def event_name(payload: Mapping[str, Any], registered: str) -> str:
    """Return the name of the event: the payload's own, else that of the registered link."""
    name = transform_keys(payload).get("hook_event_name")
    return name if isinstance(name, str) and name else registered


def event(payload: Mapping[str, Any], name: str, model: type[E]) -> E:
    """Return a payload as the event of this name. Raise ValidationError."""
    return model.model_validate(transform_keys(payload) | {"hook_event_name": name})


def salvage(payload: Mapping[str, Any], name: str) -> HookInput:
    """Return the fields that identify a malformed payload: its session, prompt and call."""
    fields = transform_keys(payload)
    texts = {key: fields[key] for key in _IDENTIFYING if isinstance(fields.get(key), str)}
    return HookInput(hook_event_name=name, **texts)


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
