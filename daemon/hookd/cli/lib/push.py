"""The home of connections on which the daemon goes on telling: notifications after an answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hookd.cli.lib import client


@dataclass(frozen=True, slots=True)
class Notification:
    """What the daemon tells without being asked."""

    method: str
    params: Any


def subscribe(
    method: str, params: Mapping[str, Any] | None = None
) -> tuple[Any, Iterator[Notification]]:
    """Return a method's result, and what the daemon tells from then on, as it comes.

    Raise Problem where there is no result, as `client.call` does. The iterator ends when the
    connection does, be it that the daemon ended it, or that nobody holds the iterator any more.
    """
    said = client.converse(method, params)
    return next(said), (Notification(str(one["method"]), one.get("params")) for one in said)
