"""Send a mail: resolve its address, and hold it back where two agents write too much."""

from datetime import datetime, timedelta

from hookd.config.models import Settings
from hookd.core.mail.addresses import Address, answer_to, resolve
from hookd.core.mail.frame import MAX_BYTES, clean_text
from hookd.core.mail.senders import Sender
from hookd.core.model.effects.mail import SendMail
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, iso
from hookd.core.model.mail import MAX_TEXT_BYTES, Mail, Priority
from hookd.core.model.mail_requests import MailById, MailByKey, MailTraffic
from hookd.lazy_dataclass import dataclass

DEFAULT_EXPIRY = timedelta(days=1)
MIN_EXPIRY, MAX_EXPIRY = timedelta(minutes=1), timedelta(days=30)

MAX_HELD = 20
"""Mails above the limit of an hour that are held; more of them are refused."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a caller wants to send; `to` is None for an answer to `reply_to`."""

    text: str
    to: str | None = None
    reply_to: int | None = None
    priority: Priority = "normal"
    expires_s: int | None = None
    key: str | None = None


def known_mail(number: int, facts: Facts) -> Mail:
    """Return a mail. NOT_FOUND without one."""
    mail = facts.require(MailById(number))
    if mail is None:
        raise DomainError("NOT_FOUND", f"there is no mail {number}")
    return mail


def checked_text(text: str) -> str:
    """Return a text as it is sent. MAIL_REFUSED if it is empty or too long."""
    cleaned = clean_text(text).strip("\n")
    if not cleaned.strip():
        raise DomainError("MAIL_REFUSED", "the text is empty")
    size = len(cleaned.encode("utf-8", "replace"))
    if size > MAX_TEXT_BYTES:
        told = f"the text has {size} bytes, and mail at most {MAX_TEXT_BYTES}"
        raise DomainError("MAIL_REFUSED", f"{told}: write it to a file and send its path")
    return cleaned


def expiry(seconds: int | None, facts: Facts) -> str:
    """Return when a mail expires. MAIL_REFUSED if that is too soon or too late."""
    span = DEFAULT_EXPIRY if seconds is None else timedelta(seconds=seconds)
    if not MIN_EXPIRY <= span <= MAX_EXPIRY:
        raise DomainError(
            "MAIL_REFUSED", "mail expires after 1m at the earliest, 30d at the latest"
        )
    return iso(facts.now + span)


def send(draft: Draft, sender: Sender, facts: Facts) -> tuple[Address, SendMail]:
    """Return the address and the mail. NO_RECIPIENT, MAIL_REFUSED, NOT_FOUND."""
    text = checked_text(draft.text)
    before = None if draft.reply_to is None else known_mail(draft.reply_to, facts)
    if before is not None:
        expect_own(before, sender, facts)
    if draft.to is None and before is not None:
        address = answer_to(before, sender, facts)
    else:
        address = resolve(draft.to or "", sender, facts)
    session = sender.session
    project = session.project_id if session else (facts.project.id if facts.project else None)
    return address, SendMail(
        sender=sender.name,
        sender_kind=sender.kind,
        to_kind=address.kind,
        recipient=address.shown,
        text=text,
        conversations=address.conversations,
        sender_session_id=session.id if session else None,
        sender_conversation=sender.conversation,
        origin=sender.origin,
        project_id=project,
        task_dir=address.task,
        priority=draft.priority,
        reply_to=draft.reply_to,
        expires_at=expiry(draft.expires_s, facts),
        held=why_held(address, sender, facts),
        max_bytes=frame_bytes(facts.settings),
        key=draft.key,
    )


def sent_before(draft: Draft, sender: Sender, facts: Facts) -> Mail | None:
    """Return the mail that an earlier call of the sender with the draft's key has sent."""
    return facts.require(MailByKey(draft.key, sender.conversation)) if draft.key else None


def from_hookd(
    text: str, conversation: str | None, recipient: str, now: datetime, settings: Settings
) -> SendMail:
    """Return a mail of hookd itself to a conversation; without one, to the person."""
    return SendMail(
        sender="hookd",
        sender_kind="hookd",
        to_kind="person" if conversation is None else "agent",
        recipient="@person" if conversation is None else recipient,
        text=text,
        conversations=() if conversation is None else (conversation,),
        expires_at=iso(now + DEFAULT_EXPIRY),
        max_bytes=frame_bytes(settings),
    )


def frame_bytes(settings: Settings) -> int:
    """Return the bytes that a framed mail may have: a small budget leaves less for it."""
    budget = settings.context.budget
    return min(MAX_BYTES, budget - budget // 10)


def expect_own(mail: Mail, sender: Sender, facts: Facts) -> None:
    """Raise DomainError if an agent answers a mail that it neither got nor wrote."""
    if sender.kind != "agent":
        return
    known = (mail.sender_conversation, *mail.conversations)
    task = facts.effort.task_dir if facts.effort and sender.session else None
    own = sender.conversation is not None and sender.conversation in known
    if not own and (mail.task_dir is None or mail.task_dir != task):
        raise DomainError("MAIL_REFUSED", f"mail {mail.id} is not addressed to you")


def why_held(address: Address, sender: Sender, facts: Facts) -> str:
    """Return why a mail waits for a person, "" if it does not: agents that write in a loop.

    MAIL_REFUSED where many of them wait already.
    """
    if sender.kind != "agent":
        return ""
    most = facts.settings.mail.per_hour_and_pair
    since = iso(facts.now - timedelta(hours=1))
    counts = dict(facts.require(MailTraffic(sender.conversation, sender.name, since)) or ())
    keys = address.conversations or (address.task or f"@{address.kind}",)
    busiest = max(counts.get(key, 0) for key in keys)
    if busiest < most:
        return ""
    names = {one.conversation: one.shown for one in address.windows}
    other = next(names.get(key, address.shown) for key in keys if counts.get(key, 0) == busiest)
    told = f"{sender.name} and {other} have exchanged {busiest} mails in an hour"
    if busiest >= most + MAX_HELD:
        raise DomainError("MAIL_REFUSED", f"{told}; write again when an hour has passed")
    return told
