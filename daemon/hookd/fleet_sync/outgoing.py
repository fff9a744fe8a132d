"""Mail to other hosts: signed by this host's key when it is sent."""

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from hookd.core.fleet import signing
from hookd.core.fleet.credential import Credential
from hookd.core.fleet.fleet_mail import expiry_of, wire_body
from hookd.core.fleet.items import LONGEST, Item, Kind, canonical, to_wire
from hookd.fleet_sync.clock import utc_now
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Signer:
    """A host in its fleet, with its private key; `repr` shows the key, so do not log it."""

    tenant: str
    host: str
    epoch: str
    key: str

    def signed(self, item: Item) -> str:
        """Return the signature of an item of this host."""
        return signing.sign_item(self.key, to_wire(item))

    @property
    def key_id(self) -> str:
        """The short name of the public key."""
        return signing.key_id(signing.public_key(self.key))


def signer_of(credential: Credential, epoch: str) -> Signer:
    """Return the signer of a host with this credential, in an epoch."""
    return Signer(credential.tenant, credential.host, epoch, credential.host_key)


def signed_lines(lines: bytes, signer: Signer, now: Callable[[], datetime] | None = None) -> bytes:
    """Return the lines of a batch with mail as a signed item; the others stay as they are.

    A mail that is malformed stays, too: the central store refuses it.
    """
    if b"\tmail\t" not in lines:
        return lines
    moment = now() if now else utc_now()
    return b"\n".join(_line(line, signer, moment) for line in lines.split(b"\n"))


def recipients(lines: bytes) -> dict[int, str]:
    """Return the host that each mail of a batch goes to, by the number of its row."""
    found: dict[int, str] = {}
    for line in lines.split(b"\n") if b"\tmail\t" in lines else ():
        parts = line.split(b"\t", 3)
        if len(parts) == 4 and parts[1] == b"mail":
            with suppress(ValueError, KeyError, TypeError):
                found[int(parts[0])] = wire_body(_row(parts[3]))[0].host
    return found


def _row(text: bytes) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(text.replace(b"\\\\", b"\\"))
    return row


def _line(line: bytes, signer: Signer, now: datetime) -> bytes:
    parts = line.split(b"\t", 3)
    if len(parts) < 4 or parts[1] != b"mail":
        return line
    try:
        body = json.dumps(mail_row(_row(parts[3]), int(parts[0]), signer, now), ensure_ascii=False)
    except (ValueError, KeyError, TypeError, OverflowError):
        return line  # the store refuses it, with a reason
    return b"\t".join((*parts[:3], body.encode().replace(b"\\", b"\\\\")))


def mail_row(row: dict[str, Any], seq: int, signer: Signer, now: datetime) -> dict[str, Any]:
    """Return what the central store takes for a mail of the outbox.

    Its id follows from the row, so a mail that is sent twice is one item.
    """
    peer, body = wire_body(row)
    created = now.replace(microsecond=now.microsecond // 1000 * 1000)
    item = Item(
        str(uuid5(UUID(signer.epoch), f"mail {seq}")),
        "mail",
        signer.tenant,
        signer.host,
        peer.host,
        created,
        _until("mail", expiry_of(row, created), created),
        body,
    )
    wire = to_wire(item)
    return {
        "id": item.id,
        "recipient": item.recipient,
        "body": canonical(item.body).decode(),
        "key_id": signer.key_id,
        "signature": signer.signed(item),
        "created_at": wire["created_at"],
        "expires_at": wire["expires_at"],
    }


def _until(kind: Kind, wanted: datetime, now: datetime) -> datetime:
    """Return an expiry that the receiver takes; a past expiry stays past."""
    return max(min(wanted, now + LONGEST[kind]), now + timedelta(milliseconds=1))
