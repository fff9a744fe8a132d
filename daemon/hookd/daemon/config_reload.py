"""Config reload: read the settings again when their file has changed, or on request."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hookd.core.model.daemon_state import RuntimeConfig
from hookd.log.file import adjust_log
from hookd.log.logger import LOG
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.runtime_config import configured

_POLL_INTERVAL_S = 1.0
"""Time between two checks of the settings file."""


def reload(path: Path, engine: PolicyEngine) -> None:
    """Apply the settings at `path` from the next event on; if they are invalid, keep the last ones.

    The configuration is replaced as a whole, and only here: an event is judged by one or the other.
    """
    chosen, held = configured(path), engine.config
    if chosen.problem:
        problem = f"{chosen.problem}; the last valid ones apply"
        LOG.error(problem)
        engine.config = replace(held, daemon=replace(held.daemon, problem=problem))
        return
    daemon = replace(held.daemon, problem="")
    engine.config = RuntimeConfig(daemon, chosen.options, chosen.settings)
    adjust_log(chosen.settings.log)
    for notice in chosen.deprecations:
        LOG.warning(notice)
    LOG.info("settings reloaded")


class Reloads:
    """Reloads the settings when their file has changed, and on request; then calls `reloaded`."""

    def __init__(self, path: Path, engine: PolicyEngine, reloaded: Callable[[], None]) -> None:
        self._path = path
        self._engine = engine
        self._reloaded = reloaded
        self._reading = asyncio.Lock()

    async def now(self) -> None:
        """Reload them; of two concurrent requests the later one reads last."""
        async with self._reading:
            await asyncio.to_thread(reload, self._path, self._engine)
        self._reloaded()

    async def run(self) -> None:
        """Check the file periodically, until cancelled. It need not exist."""
        known = await asyncio.to_thread(_stamp, self._path)
        fresh, held = await asyncio.to_thread(configured, self._path), self._engine.config
        if (fresh.settings, bool(fresh.problem)) != (held.settings, bool(held.daemon.problem)):
            await self.now()  # they have changed since the daemon read them at its start
        while True:
            await asyncio.sleep(_POLL_INTERVAL_S)
            found = await asyncio.to_thread(_stamp, self._path)
            if found != known:
                known = found
                await self.now()


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Return what changes with a file, None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
