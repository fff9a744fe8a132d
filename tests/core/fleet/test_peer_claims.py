"""Claims of other hosts: what it takes to verify them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from hookd.core.fleet import signing
from hookd.core.fleet.incoming import Envelope, HostKey
from hookd.core.fleet.items import Item, to_wire
from hookd.core.fleet.peer_claims import compare
from hookd.core.model.facts import Facts
from hookd.core.model.fleet_requests import FleetMembership
from hookd.core.model.membership import Membership

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
FLEET, OTHER_FLEET = signing.new_key(), signing.new_key()
KEYS = {name: signing.new_key() for name in ("alpha", "beta", "mallory")}


class Counted(tuple[str, ...]):
    """Pinned keys that count how often they are gone through: once for each certificate."""

    __slots__ = ()
    reads = 0

    def __iter__(self) -> Iterator[str]:
        Counted.reads += 1
        return super().__iter__()


def host(name: str, fleet: str = FLEET) -> HostKey:
    public = signing.public_key(KEYS[name])
    made = signing.certificate(fleet, tenant="acme", host=name, host_key=public)
    return HostKey(public, made)


def claim(name: str, number: int) -> Envelope:
    body = {"repository": "r", "kind": "path", "pattern": f"{number}.py", "holder": "ann"}
    times = (NOW, NOW + timedelta(minutes=50))
    wire = to_wire(Item(str(uuid4()), "claim", "acme", name, None, *times, body))
    return Envelope(wire, signing.sign_item(KEYS[name], wire))


def test_the_certificate_of_a_host_is_verified_once() -> None:
    """Half of the time would go there, and a request has two seconds."""
    keys = Counted((signing.public_key(FLEET),))
    member = Membership("acme", "me", "status", ("claims",), "e", keys, 7, leaving=False)
    hosts = {name: host(name) for name in ("alpha", "beta")}
    hosts["mallory"] = host("mallory", OTHER_FLEET)
    given = [claim(name, number) for number in range(5) for name in KEYS]
    facts = Facts(now=NOW).with_facts({FleetMembership(): member})
    results = compare(given, hosts, {"r": ["/r"]}, (), facts).results
    found = {(one.sender, one.outcome) for one in results}
    assert found == {("alpha", "accepted"), ("beta", "accepted"), ("mallory", "refused")}
    assert len(results) == 15
    assert Counted.reads == 3
