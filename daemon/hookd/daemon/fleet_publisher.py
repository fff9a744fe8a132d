"""The board: who is doing what, told to those who watch and painted into their terminals.

It is read when something was committed that may have changed it, off the road of any answer. Also
here: who listens, and how one that reads too slowly is let go.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from hookd.core.model.identity import Identity
from hookd.core.model.method import Rows, View
from hookd.core.model.row_shapes import row_objects, without_idle_heartbeats
from hookd.core.sessions.tmux import is_fleet_socket, panes
from hookd.log.logger import LOG
from hookd.rpc.subscriptions import Subscriber, Subscriptions
from hookd.store.reader import Reader
from hookd.system.tmux import Painter

_PAUSE = 0.1
"""Seconds between two readings: what happens meanwhile is one change."""

_AFTER = 30
"""Seconds after which it is read again for those who watch: a session is idle by the clock."""

# Agents come first: one that waits for a person long is not to go under among many sessions.
_ROWS = View("fleet_status", order="kind, last_seen DESC", limit=2000)

Row = Mapping[str, Any]


class FleetPublisher:
    """Reads the fleet after a change, and says what of it is new.

    After its first look nothing is read while nobody looks: no watcher, and no fleet in a terminal.
    """

    def __init__(self, reader: Reader, listeners: Subscriptions, painter: Painter) -> None:
        self._reader = reader
        self._listeners = listeners
        self._painter = painter
        self._wanted = asyncio.Event()
        self._wanted.set()  # the terminals of a fleet that was there before are painted at once
        self._known: Mapping[str, Row] = {}
        self._told: set[Subscriber] = set()

    def mark_changed(self, who: Identity | None = None) -> None:
        """Say that something was committed, perhaps in an event of this asker."""
        arrives = who is not None and is_fleet_socket(who.tmux_socket or "")
        if arrives or self._painter.paints or self._listeners.of("fleet"):
            self._wanted.set()

    def subscriber_added(self) -> None:
        """Say that somebody listens who has heard nothing yet."""
        self._wanted.set()

    async def run(self) -> None:
        """Look when there is something new, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_AFTER if self._listeners.of("fleet") else None):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                await self._look()
            except Exception:  # noqa: BLE001 - a board that cannot be read must not end the daemon
                LOG.exception("the board cannot be read")
            await asyncio.sleep(_PAUSE)

    async def _look(self) -> None:
        found = await self._reader.rows(_ROWS)
        self._painter.show(panes(_named(found)))
        rows: dict[str, Row] = {
            str(row["agent"]): row for row in without_idle_heartbeats(row_objects(found), "skill")
        }
        links = set(self._listeners.of("fleet"))
        for link in links - self._told:
            self._say(link, {}, rows)
        for link in links & self._told:
            self._say(link, self._known, rows)
        self._known, self._told = rows, links

    def _say(self, link: Subscriber, before: Mapping[str, Row], now: Mapping[str, Row]) -> None:
        changed = [row for name, row in now.items() if before.get(name) != row]
        gone = [name for name in before if name not in now]
        if changed or gone or not before:
            self._listeners.send(link, "fleet.changed", {"agents": changed, "gone": gone})


def _named(found: Rows) -> tuple[Row, ...]:
    return tuple(dict(zip(found.columns, row, strict=True)) for row in found.rows)
