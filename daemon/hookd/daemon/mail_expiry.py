"""Expiry of mail: once a minute, by the maintenance loop."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from hookd.core.mail.expiry import ended, is_delivered, sentence
from hookd.core.model.effects.after_commit import AnnounceMail, NotifyUser
from hookd.core.model.effects.union import AfterCommitEffect, Effect
from hookd.core.model.facts import Facts, iso
from hookd.core.model.mail import OverdueMail
from hookd.log.logger import LOG
from hookd.pipeline.evaluation import PolicyEngine
from hookd.policies.session_notification import mail_effects
from hookd.store.database import Connection, Writer
from hookd.store.mail import overdue_mail
from hookd.store.writes import written

_BATCH = 50
"""Mails that one transaction ends."""


class MailExpiry:
    """Ends mail whose time is over; `notify` notifies the user, `publish` a topic's subscribers."""

    def __init__(
        self,
        writer: Writer,
        now: Callable[[], datetime],
        engine: PolicyEngine,
        notify: Callable[[NotifyUser], None],
        publish: Callable[[str, str, Mapping[str, Any]], None],
    ) -> None:
        self._writer = writer
        self._now = now
        self._engine = engine
        self._notify = notify
        self._publish = publish

    async def run_once(self) -> None:
        """End all mail whose time is over; the user is notified of what did not arrive."""
        while await self._end_some():
            pass

    async def _end_some(self) -> bool:
        now, config = self._now(), self._engine.config
        facts = Facts(now=now, options=config.options, settings=config.settings)

        def work(db: Connection) -> tuple[tuple[OverdueMail, ...], tuple[AfterCommitEffect, ...]]:
            found = overdue_mail(db, iso(now), _BATCH)
            effects: list[Effect] = []
            for one in found:
                effects += ended(one, now, config.settings)
                if not is_delivered(one):
                    effects += mail_effects(facts, None, sentence(one))
            return found, written(db, tuple(effects), iso(now))

        found, late = await self._writer.run(work)
        for one in found:
            if not is_delivered(one):
                LOG.warning("mail expired", extra={"about": {"mail": one.id}})
        for effect in late:
            if isinstance(effect, NotifyUser):
                self._notify(effect)
            elif isinstance(effect, AnnounceMail):
                self._publish("mail", "mail.changed", {})
        return len(found) == _BATCH
