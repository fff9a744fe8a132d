"""Notifications of the daemon as topics of pages."""

from typing import Any

from hookd.socket_client.messages import Notification
from hookd.web.upstream import topics
from support.parametrize import parametrize_all

CASES: dict[str, tuple[str, Any, set[str]]] = {
    "the fleet": ("fleet.changed", {"agents": [], "gone": []}, {"fleet"}),
    "approvals": ("approvals.changed", {"pending": []}, {"approvals"}),
    "a silent event": (
        "events.added",
        {"events": [{"sessionId": 7, "decision": None}], "skipped": 0},
        {"events", "session:7"},
    ),
    "a denied call": (
        "events.added",
        {"events": [{"sessionId": None, "decision": "deny"}]},
        {"events", "decisions"},
    ),
    "events that were left out": (
        "events.added",
        {"events": [], "skipped": 3},
        {"events", "decisions"},
    ),
    "another one": ("daemon.news", {}, set()),
    "without params": ("events.added", None, {"events"}),
}


@parametrize_all("case", CASES)
def test_topics(case: str) -> None:
    method, params, wanted = CASES[case]
    assert set(topics(Notification(method, params))) == wanted
