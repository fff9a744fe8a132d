"""Hashes of files that conversations have read, computed in the background after the answer."""

import asyncio
from collections.abc import Iterable

from hookd.core.model.claim import Stamp
from hookd.log.logger import LOG
from hookd.store.database import Connection, StoreError, Writer
from hookd.store.writes.claims import keep_hash, unhashed
from hookd.system.file_place import hash_of

_BATCH_S = 0.5
"""Time in which conversations are gathered before their files are read."""


class ViewHashes:
    """Computes the hashes of files whose states were stored for a conversation."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._waiting: dict[str, None] = {}
        self._wanted = asyncio.Event()

    def enqueue(self, conversation: str) -> None:
        """Queue a conversation: its files without a hash are read."""
        self._waiting[conversation] = None
        self._wanted.set()

    async def run(self) -> None:
        """Hash the files of queued conversations, until cancelled."""
        while True:
            await self._wanted.wait()
            await asyncio.sleep(_BATCH_S)  # answers come first, and files are read together
            self._wanted.clear()
            queued, self._waiting = list(self._waiting), {}
            for conversation in queued:
                try:
                    await self._store(conversation)
                except StoreError as fault:
                    LOG.warning("hashes of files are not stored", exc_info=fault)

    async def _store(self, conversation: str) -> None:
        files = await self._writer.run(lambda db: unhashed(db, conversation))
        hashes = await asyncio.to_thread(_hashes, files) if files else []
        if hashes:
            await self._writer.run(lambda db: _keep(db, conversation, hashes))


def _hashes(files: Iterable[tuple[str, Stamp]]) -> list[tuple[str, Stamp, str]]:
    """Return the hashes of files that still have the state that was stored."""
    found: list[tuple[str, Stamp, str]] = []
    for path, stamp in files:
        try:
            digest = hash_of(path, stamp)
        except (OSError, ValueError):  # it is gone, or unreadable
            continue
        if digest is not None:
            found.append((path, stamp, digest))
    return found


def _keep(db: Connection, conversation: str, hashes: Iterable[tuple[str, Stamp, str]]) -> None:
    for path, stamp, digest in hashes:
        keep_hash(db, conversation, path, stamp, digest)
