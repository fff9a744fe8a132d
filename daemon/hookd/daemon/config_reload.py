"""Config reload: read the settings again when their file has changed, or on request."""

import asyncio
from dataclasses import replace
from pathlib import Path

from hookd.core.model.daemon_state import RuntimeConfig
from hookd.log.file import adjust_log
from hookd.log.logger import LOG
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.runtime_config import configured

_LOOK = 1.0
"""Seconds between two looks at the settings' file."""


def reload(path: Path, house: PolicyEngine) -> None:
    """Let the settings at `path` hold from the next event on; if they cannot, the last ones do.

    Here alone is what holds replaced, as a whole: each event is judged by one or the other.
    """
    chosen, held = configured(path), house.config
    if chosen.problem:
        problem = f"{chosen.problem}; the last good ones hold"
        LOG.error(problem)
        house.config = replace(held, daemon=replace(held.daemon, problem=problem))
        return
    daemon = replace(held.daemon, problem="")
    house.config = RuntimeConfig(daemon, chosen.options, chosen.settings)
    adjust_log(chosen.settings.log)
    for notice in chosen.deprecations:
        LOG.warning(notice)
    LOG.info("the settings were read again")


class Reloads:
    """Reads the settings again: when their file has changed, and when that is asked for."""

    def __init__(self, path: Path, house: PolicyEngine) -> None:
        self._path = path
        self._house = house
        self._reading = asyncio.Lock()

    async def now(self) -> None:
        """Read them; of two who ask at once the later reads last."""
        async with self._reading:
            await asyncio.to_thread(reload, self._path, self._house)

    async def run(self) -> None:
        """Look at the file now and then, until cancelled. It need not be there."""
        known = await asyncio.to_thread(_stamp, self._path)
        fresh, held = await asyncio.to_thread(configured, self._path), self._house.config
        if (fresh.settings, bool(fresh.problem)) != (held.settings, bool(held.daemon.problem)):
            await self.now()  # they have changed since the daemon read them at its start
        while True:
            await asyncio.sleep(_LOOK)
            found = await asyncio.to_thread(_stamp, self._path)
            if found != known:
                known = found
                await self.now()


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Return what changes with a file, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
