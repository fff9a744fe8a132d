"""Waking of idle agents in tmux that have mail, where the setting `mail.tmux_keys` is on."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from hookd.core.mail.waking import wake, wake_line
from hookd.core.model.facts import iso
from hookd.core.model.identity import Where
from hookd.log.logger import LOG
from hookd.pipeline.evaluation import PolicyEngine
from hookd.store import facts as stored
from hookd.store.database import Connection, StoreError, Writer
from hookd.store.mail import IdleWindow, idle_windows
from hookd.store.writes import written
from hookd.system.tmux_keys import ClientPane, shows_client, type_line

_POLL_INTERVAL_S = 20.0
"""Time after which a look is taken without news: an agent may have become idle meanwhile."""


class MailWaker:
    """Types the line that wakes an agent into its pane, once for each mail."""

    def __init__(self, writer: Writer, now: Callable[[], datetime], engine: PolicyEngine) -> None:
        self._writer = writer
        self._now = now
        self._engine = engine
        self._news = asyncio.Event()

    def look(self) -> None:
        """Look soon: mail was sent, or the settings were read again."""
        self._news.set()

    async def run(self) -> None:
        """Look at each news, and now and then, until cancelled; not while the setting is off."""
        while True:
            wanted = self._engine.config.settings.mail.tmux_keys
            if wanted:
                await self._wake_all()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), _POLL_INTERVAL_S if wanted else None)
            self._news.clear()

    async def _wake_all(self) -> None:
        try:
            for window in await self._writer.run(idle_windows):
                await self._wake(window)
        except StoreError as error:
            LOG.warning("agents could not be woken", extra={"about": {"error": str(error)}})
        except Exception:  # noqa: BLE001 - a terminal must not end the daemon
            LOG.exception("waking failed")

    async def _wake(self, window: IdleWindow) -> None:
        place = ClientPane(window.socket, window.pane, window.server, window.client)
        if not await shows_client(place):
            return
        now = self._now()

        def decide(db: Connection) -> int:
            known = stored.read(db, Where(session_id=window.id), now, self._engine.config)
            found = wake(known)
            written(db, found.effects, iso(now))
            return found.count

        if count := await self._writer.run(decide):
            await type_line(place, wake_line(count))
            LOG.info("agent woken", extra={"about": {"session": window.id, "mails": count}})
