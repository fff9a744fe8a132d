"""Link: a connection of this host to the central store, as the shipper uses it."""

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Any

from hookd import __version__
from hookd.central import sent_events, shipping
from hookd.central.connection import ANSWER_S, connect_async, limited
from hookd.central.errors import RejectedError
from hookd.central.items import host_keys
from hookd.core.fleet.credential import Credential
from hookd.core.model.facts import iso
from hookd.core.model.membership import Position, Stream
from hookd.fleet_sync.outgoing import recipients, signed_lines, signer_of
from hookd.fleet_sync.store import Beat

_RENEWED_S = 6 * 3600
"""Seconds after which the partitions of the next days are made again."""


class Link:
    """A connection; its methods raise CentralError."""

    def __init__(
        self,
        connected: Any,
        now: Callable[[], datetime],
        credential: Credential,
        answer_s: float = ANSWER_S,
    ) -> None:
        self._db = connected
        self._now = now
        self._credential = credential
        self._answer_s = answer_s
        self._opened = now()
        self.clock_ms: int | None = None

    async def hello(self, epoch: str, beat: Beat) -> Position:
        """Report that the host lives; return what the store has of the epoch."""
        if (self._now() - self._opened).total_seconds() > _RENEWED_S:
            with limited(self._db, self._answer_s):
                await shipping.open_store(self._db)
            self._opened = self._now()
        with limited(self._db, self._answer_s):
            state = await shipping.hello(self._db, epoch, heartbeat(beat, self._now()))
        self.clock_ms = state["clock_offset_ms"]
        return {"changes": int(state["last_change"]), "events": int(state["last_event"])}

    async def ship(self, epoch: str, stream: Stream, lines: bytes) -> int:
        """Apply rows, each once, in one transaction; return the last number of the stream."""
        signer = signer_of(self._credential, epoch)
        with limited(self._db, self._answer_s):
            await self._expect_recipients(lines)
            signed = signed_lines(lines, signer, self._now)
            return await shipping.ship(self._db, epoch, stream, signed)

    async def _expect_recipients(self, lines: bytes) -> None:
        """Raise RejectedError for the first mail to a host that is not in the fleet."""
        hosts = recipients(lines)
        known = await host_keys(self._db, hosts.values()) if hosts else {}
        for seq, host in hosts.items():
            if host not in known:
                raise RejectedError(f"there is no host {host} in the fleet", seq)

    async def sent(self, events: list[tuple[int, str]]) -> list[int]:
        """Return which events, by number and time, the store has."""
        with limited(self._db, self._answer_s):
            return await sent_events.sent_events(self._db, events)

    async def close(self) -> None:
        """Close the connection."""
        with suppress(OSError):
            await self._db.close()


def heartbeat(beat: Beat, now: datetime) -> dict[str, Any]:
    """Return a heartbeat as it is sent."""
    return {
        "at": iso(now),
        "mode": beat.mode,
        "accepts": beat.accepts,
        "leaving": beat.leaving,
        "version": __version__,
        "sessions": json.loads(beat.sessions),
    }


async def connect(
    credential: Credential, now: Callable[[], datetime], answer_s: float = ANSWER_S
) -> Link:
    """Connect as the credential says. Raise CentralError."""
    connected = await connect_async(credential.address, credential.password)
    try:
        with limited(connected, answer_s):
            await shipping.open_store(connected)
    except BaseException:
        await connected.close()
        raise
    return Link(connected, now, credential, answer_s)
