"""Mail between hosts: incoming mail of a peer, and the answer where no agent has that name."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from hookd.core.fleet.items import Item
from hookd.core.fleet.peers import MAX_NAME, PERSON, Peer
from hookd.core.mail.addresses import to_local
from hookd.core.mail.sending import checked_text, frame_bytes
from hookd.core.model.effects.mail import SendMail
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, iso
from hookd.core.model.mail import Priority, SenderKind
from hookd.core.model.mail_requests import MailTraffic
from hookd.lazy_dataclass import dataclass

_KINDS: tuple[SenderKind, ...] = ("agent", "person", "script", "hookd")
_PRIORITIES: tuple[Priority, ...] = ("low", "normal", "high")


@dataclass(frozen=True, slots=True)
class Received:
    """A mail that came: how it is stored; `fault` says why it cannot be delivered, else ""."""

    mail: SendMail | None
    answer: SendMail | None = None
    fault: str = ""


def received(item: Item, facts: Facts, sent: Mapping[str, int]) -> Received:
    """Return what becomes of a mail of another host. Raise MissingFacts.

    `sent` counts the mails of each peer that this batch has accepted before. An unknown recipient
    is answered by hookd, a mail of hookd never is.
    """
    body = item.body
    try:
        sender, name, text = _words(body)
    except DomainError as error:
        return Received(None, fault=str(error))
    peer = Peer(sender, item.sender or "")
    kind: SenderKind = next((one for one in _KINDS if one == body.get("sender_kind")), "script")
    try:
        address = to_local(name, facts)
    except DomainError as error:
        told = f"Your mail to {name}@{item.recipient} was not delivered: {error}."
        answer = None if kind == "hookd" else outgoing(told, peer, facts)
        return Received(None, answer, f"there is no recipient {name[:80]}")
    priorities = (one for one in _PRIORITIES if one == body.get("priority"))
    priority: Priority = next(priorities, "normal")
    mail = SendMail(
        sender=f"hookd of {peer.host}" if kind == "hookd" else peer.address,
        sender_kind="script" if kind == "hookd" else kind,
        to_kind=address.kind,
        recipient=address.shown,
        text=text,
        conversations=address.conversations,
        sender_conversation=peer.key,
        origin=f"on the host {peer.host}",
        priority=priority,
        expires_at=iso(item.expires_at),
        held=_why_held(peer, sent, facts),
        max_bytes=frame_bytes(facts.settings),
    )
    return Received(mail)


def outgoing(text: str, peer: Peer, facts: Facts) -> SendMail:
    """Return a mail of hookd itself to an agent of another host."""
    return SendMail(
        sender="hookd",
        sender_kind="hookd",
        to_kind="person" if peer.name == PERSON else "agent",
        recipient=peer.address,
        text=text,
        conversations=(peer.key,),
        expires_at=iso(facts.now + timedelta(days=1)),
        max_bytes=frame_bytes(facts.settings),
    )


def wire_body(row: Mapping[str, Any]) -> tuple[Peer, dict[str, Any]]:
    """Return the recipient and the item's body of a mail in the outbox."""
    name, _, host = str(row["to"]).rpartition("@")
    body = {
        "to": name,
        "text": row["text"],
        "sender": row["sender"],
        "sender_kind": row["sender_kind"],
        "priority": row["priority"],
    }
    return Peer(name, host), body


def expiry_of(row: Mapping[str, Any], now: datetime) -> datetime:
    """Return when a mail of the outbox expires; a day from now if its row does not say."""
    given = row.get("expires_at")
    return datetime.fromisoformat(given) if isinstance(given, str) else now + timedelta(days=1)


def _words(body: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the sender's name, the recipient's, and the text. Raise DomainError."""
    sender, name, text = (body.get(key) for key in ("sender", "to", "text"))
    for one in (sender, name):
        if not isinstance(one, str) or not 0 < len(one) <= MAX_NAME or not one.isprintable():
            raise DomainError("MAIL_REFUSED", "it names no sender or no recipient")
    if not isinstance(text, str):
        raise DomainError("MAIL_REFUSED", "it has no text")
    return str(sender), str(name), checked_text(text)


def _why_held(peer: Peer, sent: Mapping[str, int], facts: Facts) -> str:
    """Return why mail of a host waits for a person, "" if it does not: the host sends too much."""
    most = facts.settings.mail.per_hour_and_pair
    since = iso(facts.now - timedelta(hours=1))
    counts = dict(facts.require(MailTraffic(peer.key, peer.address, since)) or ())
    busiest = max(counts.values(), default=0) + sent.get(peer.key, 0)
    if busiest < most:
        return ""
    return f"{peer.address} has exchanged {busiest} mails with this host in an hour"
