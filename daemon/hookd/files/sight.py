"""Look at files beside the event loop: a disk that does not answer holds up no verdict."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from threading import Thread

from hookd.core.wants import BranchOf, Entries, FileWant, Names, Want
from hookd.files.look import Found, look
from hookd.journal import LOG


class Sight:
    """Looks at files beside everything else: a disk that does not answer holds up no verdict.

    Each look has a thread of its own, which ends with the process even if it never comes back. What
    is not seen within `patience` seconds counts as not there; so does everything while `most` looks
    are still out.
    """

    def __init__(self, patience: float = 1.0, most: int = 16) -> None:
        self._patience = patience
        self._most = most
        self._out = 0

    async def look(self, wanted: Iterable[Want]) -> dict[Want, Found | None]:
        """Return what is there, as `look` does."""
        files = tuple(want for want in wanted if isinstance(want, FileWant))
        unseen: dict[Want, Found | None] = dict.fromkeys(files)
        if self._out >= self._most:
            LOG.warning("files are not looked at: the disk does not answer")
            return unseen
        loop = asyncio.get_running_loop()
        future: asyncio.Future[dict[Want, Found | None]] = loop.create_future()

        def come_back(found: dict[Want, Found | None]) -> None:
            self._out -= 1
            if not future.done():
                future.set_result(found)

        def go() -> None:
            found = unseen
            try:
                found = look(files)
            except Exception:  # noqa: BLE001 - the place of this look must be given back
                LOG.exception("a look at files failed")
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(come_back, found)

        self._out += 1
        Thread(target=go, name="hookd-sight", daemon=True).start()
        try:
            return await asyncio.wait_for(future, self._patience)
        except TimeoutError:
            LOG.warning("files were not seen in time", extra={"about": {"first": _name(files)}})
            return unseen


def _name(files: tuple[FileWant, ...]) -> str:
    first = files[0]
    return first.folder if isinstance(first, Names | Entries | BranchOf) else first.path
