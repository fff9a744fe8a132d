"""Banners: guards that are off are named on every page, with the next step."""

from typing import Any

from hookd.socket_client.client import Connection, Status
from hookd.web.banners import banners
from support.parametrize import parametrize_all

UP = Connection(Status.CONNECTED)
DOWN = Connection(Status.RECONNECTING, "No daemon is running.", "hookd start")
OLDER = Connection(Status.OLDER, "The daemon is older.", "hookd restart")

CASES: dict[str, tuple[Connection, dict[str, Any], bool, list[tuple[str, str]]]] = {
    "all is well": (UP, {"pausedUntil": None, "suspended": [], "unkept": None}, False, []),
    "no status": (UP, {}, False, []),
    "stopped": (DOWN, {"pausedUntil": "9"}, True, [("alarm", "hookd start")]),
    "paused": (UP, {"pausedUntil": "09:00"}, False, [("alarm", "hookd resume")]),
    "down": (DOWN, {}, False, [("notice", "hookd start")]),
    "older": (OLDER, {}, False, [("notice", "hookd restart")]),
    "suspended": (UP, {"suspended": ["a", "b"]}, False, [("alarm", "hookd restart")] * 2),
    "full disk": (UP, {"unkept": "the disk is full"}, False, [("notice", "hookd status")]),
}


@parametrize_all("case", CASES)
def test_banners(case: str) -> None:
    connection, status, stopped, wanted = CASES[case]
    found = banners(connection, status, stopped=stopped)
    assert [(banner.level, banner.step) for banner in found] == wanted
