"""Fleet status: published to subscribers after a change, and painted into terminals.

It is read when a commit may have changed it, after the answer that caused it.
"""

from collections.abc import Mapping, Set
from typing import Any

from hookd.core.model.identity import Identity
from hookd.core.model.method import Rows, View
from hookd.core.model.row_shapes import row_objects, without_idle_heartbeats
from hookd.core.sessions.tmux import is_fleet_socket, panes
from hookd.daemon.publisher import Publisher
from hookd.rpc.subscriptions import Subscriber, Subscriptions
from hookd.store.reader import Reader
from hookd.system.tmux import Painter

_MIN_INTERVAL_S = 0.1
"""Time between two reads: all changes in between are published as one."""

_MAX_INTERVAL_S = 30
"""Time after which it is read again for subscribers: a session becomes idle without an event."""

# Agents come first: an agent that has waited long for a person must be within the limit.
_ROWS = View("fleet_status", order="kind, last_seen DESC", limit=2000)

Row = Mapping[str, Any]


class FleetPublisher(Publisher):
    """Reads the fleet after a change, and publishes the difference.

    After the first read nothing is read without a subscriber and without a fleet in a terminal.
    """

    def __init__(self, reader: Reader, subscriptions: Subscriptions, painter: Painter) -> None:
        super().__init__(subscriptions, "fleet", _MIN_INTERVAL_S, _MAX_INTERVAL_S)
        self._reader = reader
        self._painter = painter
        self._wanted.set()  # terminals of a fleet that existed before are painted at once
        self._known: Mapping[str, Row] = {}
        self._told: set[Subscriber] = set()

    def mark_changed(self, who: Identity | None = None) -> None:
        """Note that a commit may have changed the fleet; `who` sent the event, if any."""
        arrives = who is not None and is_fleet_socket(who.tmux_socket or "")
        if arrives or self._painter.paints or self._subscriptions.any(self.topic):
            self._wanted.set()

    async def publish(self) -> None:
        """Read the fleet; send new subscribers all of it, and the others the difference."""
        found = await self._reader.rows(_ROWS)
        self._painter.show(panes(_named(found)))
        rows: dict[str, Row] = {
            str(row["agent"]): row for row in without_idle_heartbeats(row_objects(found), "skill")
        }
        links = set(self.links)
        self._say(links - self._told, {}, rows)
        self._say(links & self._told, self._known, rows)
        self._known, self._told = rows, links

    def _say(
        self, links: Set[Subscriber], before: Mapping[str, Row], now: Mapping[str, Row]
    ) -> None:
        changed = [row for name, row in now.items() if before.get(name) != row]
        gone = [name for name in before if name not in now]
        if links and (changed or gone or not before):
            self._subscriptions.send(links, "fleet.changed", {"agents": changed, "gone": gone})


def _named(found: Rows) -> tuple[Row, ...]:
    return tuple(dict(zip(found.columns, row, strict=True)) for row in found.rows)
