"""Payloads of the real client, and what an answer to one decides and tells."""

import json
from typing import Any

from support.paths import TESTS

PAYLOADS = TESTS / "payloads"


def payload(name: str, **more: Any) -> dict[str, Any]:
    """Return what the real client sent for an event, with `more` added."""
    value: dict[str, Any] = json.loads((PAYLOADS / f"{name}.json").read_text())
    return value | more


def header(name: str, env: Any = None, client: str = "", **more: Any) -> bytes:
    """Return the line that goes before an event's payload; "" is Claude Code.

    `more` are further params, such as the deadline of the shim.
    """
    named = {"client": client} if client else {}
    params = {"body": True, **named, "event": name, "env": env or {}, **more}
    request = {"jsonrpc": "2.0", "id": 1, "method": "hooks.dispatch", "params": params}
    return json.dumps(request).encode() + b"\n"


def verdict(answer: Any) -> tuple[str, str]:
    """Return the decision and its reason; both are empty where the answer decides nothing."""
    said = (answer or {}).get("hookSpecificOutput", {})
    return said.get("permissionDecision", ""), said.get("permissionDecisionReason", "")


def context(answer: Any) -> str:
    """Return what the answer tells the model."""
    text: str = (answer or {}).get("hookSpecificOutput", {}).get("additionalContext", "")
    return text
