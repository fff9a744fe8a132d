"""Expiry of mail: what was not delivered in time ends, and its sender reads so."""

from datetime import datetime

from hookd.config.models import Settings
from hookd.core.mail.sending import from_hookd
from hookd.core.model.effects.after_commit import AnnounceMail
from hookd.core.model.effects.mail import ExpireMail, SettleMail
from hookd.core.model.effects.union import Effect
from hookd.core.model.mail import OverdueMail


def ended(mail: OverdueMail, now: datetime, settings: Settings) -> tuple[Effect, ...]:
    """Return the effects of a mail whose time is over."""
    if is_delivered(mail):
        return (SettleMail(mail.id),)
    end = ExpireMail(mail.id)
    if mail.sender_kind == "hookd" or (
        mail.sender_kind == "agent" and mail.sender_conversation is None
    ):
        return (end,)
    told = f"{sentence(mail)}."
    notice = from_hookd(told, mail.sender_conversation, mail.sender, now, settings)
    return (end, notice, AnnounceMail())


def is_delivered(mail: OverdueMail) -> bool:
    """Return whether everybody who was there has got it."""
    return mail.state == "waiting" and mail.recipients == mail.delivered and mail.recipients > 0


def sentence(mail: OverdueMail) -> str:
    """Return what happened to an expired mail."""
    if mail.state == "held":
        return f"Mail {mail.id} to {mail.recipient} has expired: it was held, and no person decided"
    got = f"{mail.delivered} of {mail.recipients} sessions have got it"
    none = "it was not delivered" if mail.delivered == 0 else got
    return f"Mail {mail.id} to {mail.recipient} has expired: {none}"
