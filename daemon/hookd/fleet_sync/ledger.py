"""Ledger of a host: its daemon, by JSON-RPC. Only the daemon writes the database."""

from typing import Any

from hookd.core.model.membership import Position, Stream
from hookd.fleet_sync.store import LedgerError, NotMemberError, Report
from hookd.paths import Paths
from hookd.socket_client.client import SocketClient
from hookd.socket_client.errors import RefusedError, SocketError

_TEXT = 900
"""Characters of a sentence that the daemon takes."""


class DaemonLedger:
    """The daemon of this host."""

    def __init__(self, places: Paths) -> None:
        self._client = SocketClient(places)

    async def shipped(self, epoch: str, sent: Position) -> bool:
        """Note what was sent, and drop it; return whether the epoch is current."""
        params = {"epoch": epoch, "through": sent["changes"], "events": sent["events"]}
        return bool((await self._call("fleet.shipped", params))["current"])

    async def reject(self, stream: Stream, seq: int, reason: str) -> None:
        """Keep a row that the central store refuses."""
        params = {"stream": stream, "seq": seq, "reason": reason[:_TEXT] or "no reason"}
        await self._call("fleet.reject", params)

    async def restart(self, epoch: str, sent: Position, known: list[int]) -> None:
        """Begin another epoch; `known` are rows that the central store has, of those that wait."""
        params = {"epoch": epoch, "above": sent["changes"], "events": sent["events"]}
        await self._call("fleet.restart", params | {"known": known})

    async def report(self, report: Report) -> None:
        """Store how sending goes."""
        params = {
            "contact": report.contact,
            "problem": report.problem and report.problem[:_TEXT],
            "next": report.step and report.step[:_TEXT],
            "clockMs": report.clock_ms,
        }
        await self._call("fleet.synced", params)

    async def _call(self, method: str, params: dict[str, Any]) -> Any:
        try:
            return await self._client.call(method, params)
        except RefusedError as error:
            if error.code == "NOT_JOINED":
                raise NotMemberError from None
            raise LedgerError(error.sentence) from None
        except SocketError as error:
            raise LedgerError(error.sentence) from None
