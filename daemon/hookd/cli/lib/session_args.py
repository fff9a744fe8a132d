"""The home of which session is meant: a row's number, a Claude session id, or how one begins."""

from typing import Any

from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem

_SHOWN = 3


def chosen(key: str, name: str = "sessionId") -> dict[str, Any]:
    """Return the param of a list that means this session; `name` is the param for a number.

    Raise Problem where there is none, or more than one.
    """
    if key.isdecimal() and len(key) < 19 and int(key) and _rows(id=int(key), limit=1):
        return {name: int(key)}
    if _rows(claudeSessionId=key, limit=1):
        return {"claudeSessionId": key}
    found = _rows(beginning=key, limit=100) if key else []
    ids = list(dict.fromkeys(one["claudeSessionId"] for one in found))
    if not ids:
        raise Problem(f"There is no session {key}.", "hookd session list")
    if len(ids) > 1:
        shown = ", ".join(ids[:_SHOWN]) + (", ..." if len(ids) > _SHOWN else "")
        raise Problem(f"Several sessions begin with {key}: {shown}.", "give more of its id")
    return {"claudeSessionId": ids[0]}


def _rows(**params: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call("session.list", params)["sessions"]
    return found
