"""Leases of work items: once a minute, by the maintenance loop, items of lost owners go back."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from hookd.core.model.effects.after_commit import AnnounceMail
from hookd.core.model.effects.union import Effect
from hookd.core.model.effects.work_items import ReleaseWorkItem
from hookd.core.model.facts import iso
from hookd.core.work_items.announcing import announced
from hookd.core.work_items.texts import went_back
from hookd.log.logger import LOG
from hookd.pipeline.evaluation import PolicyEngine
from hookd.store.database import Connection, Writer
from hookd.store.facts.work_items import listeners, open_owner
from hookd.store.writes import written
from hookd.store.writes.work_items import lapsed

_MAX_GAP = timedelta(minutes=5)
"""Time between two rounds from which the machine is taken to have slept."""


class WorkLeases:
    """Returns the items whose lease has ended, and writes to their owners and coordinators.

    The time in which hookd did not run does not count, nor that in which the machine slept.
    `publish` a topic's subscribers; `changed`: the fleet has changed.
    """

    def __init__(
        self,
        writer: Writer,
        now: Callable[[], datetime],
        engine: PolicyEngine,
        changed: Callable[[], None],
        publish: Callable[[str, str, Mapping[str, Any]], None],
    ) -> None:
        self._writer = writer
        self._now = now
        self._engine = engine
        self._changed = changed
        self._publish = publish
        self._since = self._last_round = now()

    async def run_once(self) -> None:
        """Return the items whose lease has ended."""
        now, settings = self._now(), self._engine.config.settings
        if now - self._last_round > _MAX_GAP:
            self._since = now
        self._last_round, since = now, iso(self._since)

        def work(db: Connection) -> tuple[tuple[int, ...], bool]:
            items, effects = lapsed(db, iso(now), since), list[Effect]()
            for item in items:
                why = f"{item.owner} had it and sent no event for the time of its lease"
                waiting = (*open_owner(db, item), *listeners(db, item.id, item.agent))
                told = {one.conversation: one for one in waiting}.values()
                effects.append(ReleaseWorkItem(item.id, why))
                effects += announced(went_back(item, why), told, now, settings)
            late = written(db, tuple(effects), iso(now))
            return tuple(item.id for item in items), any(
                isinstance(one, AnnounceMail) for one in late
            )

        returned, mailed = await self._writer.run(work)
        if mailed:
            self._publish("mail", "mail.changed", {})
        if returned:
            self._changed()
            LOG.info("work items returned", extra={"about": {"items": list(returned)}})
