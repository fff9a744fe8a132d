"""Maintenance loop: ends abandoned sessions, then runs the other steps of maintenance.

The client's SessionEnd is often lost: a terminal is closed, a process is killed.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Protocol

from hookd.core.model.effects.messages import SetAgentStatus, Status
from hookd.core.model.effects.sessions import EndSession, SeeProcess
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import iso
from hookd.daemon.clock import ago
from hookd.log.logger import LOG
from hookd.pipeline.evaluation import PolicyEngine
from hookd.store.database import StoreError, Writer
from hookd.store.maintenance import OpenWindow, left_working, open_windows
from hookd.store.writes import written
from hookd.store.writes.claims import end_overdue
from hookd.system.processes import lives

_INTERVAL_S = 60
"""Time between two rounds."""


class MaintenanceStep(Protocol):
    """A step of maintenance."""

    async def run_once(self) -> None:
        """Do what is due."""


class MaintenanceLoop:
    """Ends sessions whose process is gone, or that sent no event for long.

    A process counts as gone only if it was seen before: the number that a client in a container
    sends may be that of no process here.
    """

    def __init__(
        self,
        writer: Writer,
        now: Callable[[], datetime],
        engine: PolicyEngine,
        changed: Callable[[], None],
        steps: Sequence[MaintenanceStep] = (),
    ) -> None:
        self._writer = writer
        self._steps = steps
        self._changed = changed
        self._now = now
        self._engine = engine
        self._wanted = asyncio.Event()
        self._met: set[int] = set()

    def register_process(self, session_id: int, pid: int) -> None:
        """Remember that a session's process lives here: it may be gone by the next round."""
        if lives(pid, self._now()):
            self._met.add(session_id)

    def trigger(self) -> None:
        """Start the next round at once."""
        self._wanted.set()

    async def run(self) -> None:
        """Run rounds periodically, until cancelled."""
        while True:
            try:
                await self.run_once()
            except StoreError as error:
                about = {"error": str(error)}
                LOG.warning("sessions could not be checked", extra={"about": about})
            except Exception:  # noqa: BLE001 - maintenance must not end the daemon
                LOG.exception("maintenance failed")
            try:
                await asyncio.wait_for(self._wanted.wait(), _INTERVAL_S)
            except TimeoutError:
                continue
            self._wanted.clear()

    async def run_once(self) -> None:
        """End the sessions and claims that are over, then run the steps."""
        await self._end_windows()
        await self._end_work()
        await self._end_claims()
        for step in self._steps:
            await step.run_once()

    async def _end_windows(self) -> None:
        """End the open sessions that are over."""
        windows = await self._writer.run(open_windows)
        now = self._now()
        living = {one.id for one in windows if one.pid and lives(one.pid, one.begun)}
        ended = [(one, why) for one in windows if (why := self._over(one, living, now))]
        self._met &= {one.id for one in windows}
        met = (SeeProcess(one.id) for one in windows if one.id in living and not one.seen)
        effects = (*met, *_effects(ended))
        if effects:
            await self._writer.run(lambda db: written(db, effects, iso(now)))
        if ended:
            self._changed()
            about = {"windows": {str(one.id): why for one, why in ended}}
            LOG.info("sessions ended without SessionEnd", extra={"about": about})

    async def _end_work(self) -> None:
        """Set agents to idle that worked in a session that ended, and opened no other."""
        minutes, now = self._engine.config.settings.sessions.idle_minutes, self._now()
        if minutes:
            before = ago(now, minutes=minutes)
            names = await self._writer.run(lambda db: left_working(db, before))
            effects = tuple(SetAgentStatus(name, "idle", 0) for name in names)
            if effects:
                await self._writer.run(lambda db: written(db, effects, iso(now)))
                self._changed()

    async def _end_claims(self) -> None:
        """End the claims whose time has passed, and those of sessions that ended otherwise."""
        at = iso(self._now())
        if await self._writer.run(lambda db: end_overdue(db, at)):
            self._changed()

    def _over(self, window: OpenWindow, living: Collection[int], now: datetime) -> str:
        """Return why a session is over, "" if it is not."""
        if (window.seen or window.id in self._met) and window.id not in living:
            return "process ended"
        minutes = self._engine.config.settings.sessions.idle_minutes
        return "idle" if minutes and window.heard < ago(now, minutes=minutes) else ""


def _effects(ended: Iterable[tuple[OpenWindow, str]]) -> Iterable[Effect]:
    for window, why in ended:
        yield EndSession(window.id, why)
        if window.owner is not None:
            status: Status = "done" if why == "process ended" else "idle"
            yield SetAgentStatus(window.owner, status, 0)
