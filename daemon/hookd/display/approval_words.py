"""Permission requests in words: the call, the risk, and how a request stands."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

_SEVERITY = {"deny": "severe", "ask": "to check"}

Row = Mapping[str, Any]
"""A row of approvals.list."""


def call_words(row: Row) -> str:
    """Return the call that a request is about."""
    return f"{row['tool']}: {row['text']}"


def risk_words(risk: Row | None) -> str:
    """Return the kind and the severity of a command's risk, "none known" without one."""
    if not risk:
        return "none known"
    return f"{risk['kind']}, {_SEVERITY.get(risk['severity'], risk['severity'])}"


def agent_words(row: Row) -> str:
    """Return the agent of a request, or its session."""
    return str(row["agent"] or f"session {row['sessionId']}")


def state_words(row: Row) -> str:
    """Return how a request ended, by whom, and after how many seconds; or that it waits."""
    if row["status"] == "pending":
        return "waits"
    by = f" by {row['answeredBy']}" if row["answeredBy"] else ""
    said = f": {row['message']}" if row["message"] else ""
    return f"{row['status']}{by} after {seconds(row):.1f} s{said}"


def seconds(row: Row) -> float:
    """Return how long a request has waited that has ended."""
    asked, ended = (datetime.fromisoformat(row[key]) for key in ("askedAt", "answeredAt"))
    return (ended - asked).total_seconds()
