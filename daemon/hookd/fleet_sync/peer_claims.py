"""Claims between hosts: those of this host go to the store, which decides, those of others come.

The database of this host is what counts: each time, the store's claims of this host are brought to
those that are open here. So nothing is lost, whichever end stops.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from hookd.central import claims as central_claims
from hookd.central.claims import SignedClaim, StoredClaim
from hookd.central.errors import BusyError
from hookd.central.items import HostConnection, host_keys, parsed
from hookd.core.fleet.claim_conflicts import MAX_SHOWN, FleetClaim
from hookd.core.fleet.items import Item, canonical, to_wire
from hookd.core.fleet.peers import PERSON, Peer
from hookd.core.fleet.repositories import remote_url, repository_key
from hookd.fleet_sync.clock import utc_now
from hookd.fleet_sync.outgoing import Signer
from hookd.json_text import as_object
from hookd.log.logger import LOG
from hookd.store.outbox import OpenClaim

LEASE = timedelta(hours=1)
"""How long the store keeps a claim of a host that does not come back."""

_SLACK = timedelta(minutes=1)
"""By how much less than a claim lasts here it may last in the store."""

_MAX_CONFIG = 1_000_000
_MAX_BYTES = 8_000_000
"""Bytes of the claims of other hosts that are passed on: the daemon takes 16 MiB in a call."""

Call = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Calls a method of the daemon."""


def repository_roots(roots: Sequence[str]) -> dict[str, list[str]]:
    """Return the folders of repositories by key, those with a remote. It reads git's files."""
    found: dict[str, list[str]] = {}
    for root in dict.fromkeys(roots):
        key = _key(root)
        if key is not None:
            found.setdefault(key, []).append(root)
    return found


def _key(root: str) -> str | None:
    for config in (Path(root, ".git", "config"), Path(root, "config")):
        try:
            with config.open("rb") as file:
                text = file.read(_MAX_CONFIG).decode("utf-8", "replace")
        except OSError:
            continue
        url = remote_url(text)
        return None if url is None else repository_key(url)
    return None


class PeerClaims:
    """Exchanges claims with the store; it remembers what the daemon has been told.

    Claims that the store does not keep apply on this host alone. They are offered again when the
    claims of this host have changed, here or in the store.
    """

    def __init__(self, signer: Signer, call: Call) -> None:
        self._signer, self._call = signer, call
        self._told: Any = None
        self._seen: Any = None
        self._local: set[int] = set()
        self._logged: set[int] = set()

    async def exchange(
        self, connection: HostConnection, own: Sequence[OpenClaim], roots: Sequence[str]
    ) -> bool:
        """Bring both sides up to date; return whether the daemon got something new."""
        places = repository_roots((*roots, *(one.root for one in own)))
        keys = {root: key for key, found in places.items() for root in found}
        stored = await central_claims.read(connection, places) if places else {}
        others: list[StoredClaim] = []
        lost: dict[int, FleetClaim] = {}
        ends = {one.id: one.expires_at for one in own}
        self._offer_again(ends, stored)
        for key, claims in stored.items():
            mine = {
                one.id: _fleet_claim(one, key, self._signer.host)
                for one in own
                if keys.get(one.root) == key
            }
            if self._is_settled(mine, claims, ends):
                others += [one for one in claims if one.claim.host != self._signer.host]
                continue
            signed = partial(self._signed, ends)
            host = self._signer.host
            try:
                found = await central_claims.decide(connection, host, key, mine, signed)
            except BusyError as error:  # the next exchange may succeed
                LOG.info("claims of a repository wait", extra={"about": {"why": str(error)}})
                others += [one for one in claims if one.claim.host != host]
                continue
            others += found.others
            lost |= found.lost
            self._keep_local(mine, found.local)
        return await self._tell(connection, others, places, lost)

    def _offer_again(
        self, own: Mapping[int, str | None], stored: Mapping[str, Sequence[StoredClaim]]
    ) -> None:
        """Forget which claims stay local if the claims of this host have changed."""
        every = (one.claim for claims in stored.values() for one in claims)
        there = {one.claim for one in every if one.host == self._signer.host}
        if (seen := (set(own), there)) != self._seen:
            self._seen = seen
            self._local.clear()
            self._logged &= set(own)

    def _keep_local(self, mine: Mapping[int, FleetClaim], reasons: Mapping[int, str]) -> None:
        """Remember which claims of a repository stay local; log those that are new."""
        self._local.difference_update(mine)
        self._local.update(reasons)
        new = sorted(set(reasons) - self._logged)
        self._logged.update(new)
        for why in sorted({reasons[number] for number in new}):
            numbers = [number for number in new if reasons[number] == why]
            about = {"claims": len(numbers), "first": numbers[0], "why": why}
            LOG.warning("the central store does not keep claims", extra={"about": about})

    def _is_settled(
        self,
        mine: Mapping[int, FleetClaim],
        stored: Sequence[StoredClaim],
        ends: Mapping[int, str | None],
    ) -> bool:
        """Return whether the store has the claims of this host that it keeps, for long enough."""
        here = [one for one in stored if one.claim.host == self._signer.host]
        return {one.claim.claim for one in here} == set(mine) - self._local and all(
            one.left > min(LEASE / 2, _left(ends[one.claim.claim]) - _SLACK) for one in here
        )

    def _signed(self, every: Mapping[int, str | None], claim: FleetClaim) -> SignedClaim:
        ends = every[claim.claim]
        now = utc_now()
        lasts = max(min(LEASE, _left(ends)), timedelta(seconds=1))
        body = {
            "repository": claim.repository,
            "kind": claim.kind,
            "pattern": claim.pattern,
            "holder": claim.holder,
            "why": claim.why,
            "claim": claim.claim,
            "ends": ends,
        }
        signer = self._signer
        times = (now, now + lasts)
        item = Item(str(uuid4()), "claim", signer.tenant, signer.host, None, *times, body)
        text = canonical(to_wire(item)).decode()
        return SignedClaim(claim, lasts, text, signer.signed(item))

    async def _tell(
        self,
        connection: HostConnection,
        others: Sequence[StoredClaim],
        places: Mapping[str, Sequence[str]],
        lost: Mapping[int, FleetClaim],
    ) -> bool:
        claims = _within_limits(others)
        told = (claims, places)
        if told == self._told and not lost:
            return False
        if len(claims) < len(others):
            about = {"claims": len(others), "shown": len(claims)}
            LOG.warning("other hosts have too many claims", extra={"about": about})
        hosts = await host_keys(connection, (one.claim.host for one in others))
        holders = [
            {"claim": number, "holder": Peer(one.holder, one.host).address}
            for number, one in lost.items()
        ]
        params = {"claims": claims, "hosts": hosts, "roots": places, "lost": holders}
        await self._call("fleet.claims", params)
        self._told = told
        return True


def _left(ends: str | None) -> timedelta:
    """Return how long a claim of this host lasts from now on."""
    return LEASE if ends is None else datetime.fromisoformat(ends) - utc_now()


def _within_limits(others: Sequence[StoredClaim]) -> list[dict[str, Any]]:
    """Return the claims for the daemon, without those beyond its limits."""
    found: list[dict[str, Any]] = []
    left = _MAX_BYTES
    for one in others[:MAX_SHOWN]:
        left -= len(one.item.encode()) + 300
        if left < 0:
            break
        found.append(_envelope(one))
    return found


def _envelope(one: StoredClaim) -> dict[str, Any]:
    return {"item": as_object(parsed(one.item)), "signature": one.signature}


def _fleet_claim(one: OpenClaim, repository: str, host: str) -> FleetClaim:
    holder = one.agent or (f"session {one.session_id}" if one.conversation else PERSON)
    if not one.conversation:
        holder = PERSON
    return FleetClaim(
        host, one.id, repository, one.kind, one.pattern, holder[:200], (one.why or "")[:500]
    )
