"""What tests of a fleet share: its keys, hosts with certificates, and signed items."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from hookd.core.fleet import signing
from hookd.core.fleet.items import Item, Kind, to_wire

EPOCH = "0190c2a4-5f3e-7cc1-9a57-3d1f0e2b4a55"


@dataclass
class Fleet:
    """A tenant with its key, and the keys of its hosts."""

    tenant: str = "acme"
    key: str = field(default_factory=signing.new_key)
    hosts: dict[str, str] = field(default_factory=dict)

    @property
    def public(self) -> str:
        """The public key of the fleet."""
        return signing.public_key(self.key)

    def host(self, name: str) -> dict[str, str]:
        """Return the public key of a host and its certificate, as the store has them."""
        private = self.hosts.setdefault(name, signing.new_key())
        public = signing.public_key(private)
        cert = signing.certificate(self.key, tenant=self.tenant, host=name, host_key=public)
        return {"publicKey": public, "certificate": cert}

    def item(self, kind: Kind, body: dict[str, Any], **more: Any) -> Item:
        """Return an item: of the host `sender`, or of the fleet; for an hour."""
        now = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=1)
        given: dict[str, Any] = {
            "id": str(uuid4()),
            "tenant": self.tenant,
            "sender": None,
            "recipient": None,
            "created_at": now,
            "expires_at": now + timedelta(hours=1),
        } | more
        return Item(kind=kind, body=body, **given)

    def signed(self, item: Item, key: str | None = None) -> dict[str, Any]:
        """Return an item with its signature, by its sender's key if none is given."""
        wire = to_wire(item)
        if key is None and item.sender:
            self.host(item.sender)
        own = self.key if item.sender is None else self.hosts[item.sender]
        return {"item": wire, "signature": signing.sign_item(key or own, wire)}

    def rotated(self) -> tuple["Fleet", dict[str, Any]]:
        """Return the fleet with a new key, and the item that says so, signed by the old one."""
        fresh = Fleet(self.tenant, hosts=self.hosts)
        return fresh, self.signed(self.item("key", {"key": fresh.public}))
