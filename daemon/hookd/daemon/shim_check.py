"""Shim check: whether the programs that hooks start are there, and unchanged.

Without them no event arrives, so nothing else notices it. Hooks whose native shim is damaged start
the shim of bash from then on; the status line shows the problem until `hookd install`.
"""

import asyncio
from contextlib import suppress
from pathlib import Path

from hookd.log.incidents import Incidents
from hookd.log.logger import LOG
from hookd.system import native_shim

_INTERVAL_S = 10.0


class ShimCheck:
    """Looks at the shims' folder periodically, and keeps the problem in `incidents`."""

    def __init__(self, shims: Path, incidents: Incidents) -> None:
        self._shims = shims
        self._incidents = incidents

    async def run(self) -> None:
        """Check, until cancelled."""
        while True:
            try:
                await self.run_once()
            except Exception:  # noqa: BLE001 - it must not end the daemon
                LOG.exception("the programs of hooks were not checked")
            await asyncio.sleep(_INTERVAL_S)

    async def run_once(self) -> None:
        """Check once: log a new problem, and avoid the native shim if it has an old one."""
        known = self._incidents.shim_problem
        found = await asyncio.to_thread(self._check, known)
        if found and found != known:
            about = {"why": found, "next": native_shim.STEP}
            LOG.error("the programs of hooks are damaged", extra={"about": about})
        self._incidents.shim_problem = found

    def _check(self, known: str) -> str:
        found = native_shim.problem(self._shims)
        # Twice the same: in between, an installation may replace the program.
        if not found or found != known or not native_shim.leads_to_native(self._shims):
            return found
        with suppress(OSError, native_shim.BusyError), native_shim.locked(self._shims):
            if found == native_shim.damage(self._shims):
                native_shim.avoid(self._shims, found)
        return native_shim.problem(self._shims)
