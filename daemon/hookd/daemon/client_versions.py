"""Versions of clients, read in the background from the packages that their processes run."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from hookd.log.logger import LOG
from hookd.store.database import StoreError, Writer
from hookd.store.writes import set_client_version
from hookd.system.client_package import client_version

_MAX_QUEUED = 1_000
_MAX_KNOWN = 200
"""Processes whose versions are remembered: a process runs one version as long as it lives."""


class ClientVersions:
    """Reads the versions of queued processes; `changed` is called after each that was stored."""

    def __init__(self, writer: Writer, changed: Callable[[], None]) -> None:
        self._writer = writer
        self._changed = changed
        self._waiting: asyncio.Queue[tuple[int, str]] = asyncio.Queue(_MAX_QUEUED)
        self._known: OrderedDict[str, str | None] = OrderedDict()

    def enqueue(self, session_id: int, process: str) -> None:
        """Queue the client's process of a session; if too many wait, its version stays unknown."""
        if not self._waiting.full():
            self._waiting.put_nowait((session_id, process))

    async def run(self) -> None:
        """Read the versions of queued processes, until cancelled."""
        while True:
            session_id, process = await self._waiting.get()
            try:
                await self._store(session_id, process)
            except StoreError as fault:
                LOG.warning("the version of a client is not stored", exc_info=fault)

    async def _store(self, session_id: int, process: str) -> None:
        if process not in self._known:
            self._known[process] = await asyncio.to_thread(client_version, process)
            if len(self._known) > _MAX_KNOWN:
                self._known.popitem(last=False)
        version = self._known[process]
        if version is None:
            return
        await self._writer.run(lambda db: set_client_version(db, session_id, version))
        self._changed()
