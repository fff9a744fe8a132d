"""Ledger of a host: its daemon, by JSON-RPC. Only the daemon writes the outbox."""

from typing import Any

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

    async def shipped(self, epoch: str, through: int) -> bool:
        """Drop rows that were sent; return whether the epoch is current."""
        result = await self._call("fleet.shipped", {"epoch": epoch, "through": through})
        return bool(result["current"])

    async def reject(self, seq: int, reason: str) -> None:
        """Keep a row that the central store refuses."""
        await self._call("fleet.reject", {"seq": seq, "reason": reason[:_TEXT] or "no reason"})

    async def restart(self, epoch: str, above: int, known: list[int]) -> None:
        """Begin another epoch."""
        await self._call("fleet.restart", {"epoch": epoch, "above": above, "known": known})

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
