"""Mail of hookd about work items: it wakes an idle coordinator, which an injection does not."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from hookd.config.models import Settings
from hookd.core.mail.sending import from_hookd
from hookd.core.model.effects.after_commit import AnnounceMail
from hookd.core.model.effects.mail import SendMail
from hookd.core.model.facts import Facts
from hookd.core.model.work_requests import WorkListeners
from hookd.core.work_items.model import Listener, WorkItem
from hookd.core.work_items.ownership import caller


def mail_about(item: WorkItem, text: str, facts: Facts) -> tuple[SendMail | AnnounceMail, ...]:
    """Return the mail to all that wait for an item but the caller, whose words the text has."""
    who = caller(facts)
    waiting = facts.require(WorkListeners(item.id, item.agent)) or ()
    others = (one for one in waiting if one.conversation != who.conversation)
    return announced(text, others, facts.now, facts.settings, who.session_id)


def announced(
    text: str,
    listeners: Iterable[Listener],
    now: datetime,
    settings: Settings,
    author: int | None = None,
) -> tuple[SendMail | AnnounceMail, ...]:
    """Return a mail of hookd to each conversation; `author` is the session whose words it has."""
    mails = tuple(
        replace(
            from_hookd(text, one.conversation, one.name, now, settings), sender_session_id=author
        )
        for one in listeners
    )
    return (*mails, AnnounceMail()) if mails else ()
