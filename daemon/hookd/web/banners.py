"""Banners of every page: whether guards are in force, and whether the page is live.

Pure.
"""

from collections.abc import Mapping
from typing import Any

from hookd.lazy_dataclass import dataclass
from hookd.socket_client.client import Connection, Status


@dataclass(frozen=True, slots=True)
class Banner:
    """One sentence and the next step; `level` is alarm (guards are off) or notice."""

    level: str
    sentence: str
    step: str = ""


def banners(
    connection: Connection, status: Mapping[str, Any], *, stopped: bool
) -> tuple[Banner, ...]:
    """Return the banners for the daemon's connection, its last status, and a stop by a person."""
    if stopped:
        sentence = "hookd is stopped: every call runs unchecked."
        return (Banner("alarm", sentence, "hookd start"),)
    found = []
    if until := status.get("pausedUntil"):
        sentence = f"hookd is paused until {until}: every call runs unchecked."
        found.append(Banner("alarm", sentence, "hookd resume"))
    if connection.status is Status.RECONNECTING:
        sentence = (
            f"{connection.reason} Calls are judged without the daemon, and are not recorded."
            " This page continues when it is back."
        )
        found.append(Banner("notice", sentence, connection.step))
    elif connection.status is Status.OLDER:
        sentence = f"{connection.reason} So parts of this page are not live."
        found.append(Banner("notice", sentence, connection.step))
    found += [
        Banner("alarm", f"Policy {name} is suspended: it exceeded its time.", "hookd restart")
        for name in status.get("suspended", ())
    ]
    if unkept := status.get("unkept"):
        found.append(Banner("notice", f"Events cannot be stored: {unkept}.", "hookd status"))
    return tuple(found)
