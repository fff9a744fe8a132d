"""Payloads that no guard can judge, for the live tests."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from support.payloads import payload

MIB = 1024 * 1024
DEEP = b"[" * 10_000 + b"]" * 10_000
UNJUDGED = "event could not be judged"


def of(**more: Any) -> dict[str, Any]:
    """Return a call of Bash that is new; a field given as `...` is left out."""
    fresh = {"session_id": str(uuid4()), "tool_use_id": uuid4().hex}
    event = payload("PreToolUse.Bash", **(fresh | more))
    return {key: value for key, value in event.items() if value is not ...}


def _but(**more: Any) -> Callable[[], bytes]:
    return lambda: json.dumps(of(**more)).encode() + b"\n"


BAD: dict[str, Callable[[], bytes]] = {
    "not JSON": lambda: b"rm -rf x\n",
    "nothing": lambda: b"",
    "a newline": lambda: b"\n",
    "a list": lambda: json.dumps([of()]).encode(),
    "a text": lambda: b'"rm -rf x"',
    "null": lambda: b"null",
    "half an object": lambda: json.dumps(of()).encode()[:-20],
    "two objects": lambda: json.dumps(of()).encode() * 2,
    "NaN": lambda: json.dumps(of(n=float("nan"))).encode(),
    "brackets alone": lambda: b"[" * 100_000,
    "brackets that do not match": lambda: b'{"deep":' + b"[" * 300 + b"}",
    "no tool_input": _but(tool_input=...),
    "tool_input is null": _but(tool_input=None),
    "tool_input is a text": _but(tool_input="rm -rf x"),
    "tool_input is a list": _but(tool_input=["rm", "-rf", "x"]),
    "no tool_name": _but(tool_name=...),
    "tool_name is a number": _but(tool_name=7),
    "session_id is an object": _but(session_id={"a": 1}),
    "cwd is a huge number": _but(cwd=10**400),
    "an empty object": lambda: b"{}",
}
"""Why a payload cannot be judged, and how to make one."""
