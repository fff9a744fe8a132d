"""Claims of other hosts: those that this host shows, and its own that another host has won."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, get_args

from hookd.core.claims.holders import named
from hookd.core.fleet.acceptance import Signer, Standing, judge
from hookd.core.fleet.incoming import Envelope, HostKey, Result, signer_of
from hookd.core.fleet.items import InvalidItemError, Item, from_wire, stamp
from hookd.core.fleet.membership import member
from hookd.core.fleet.peers import Peer, peer_of_key
from hookd.core.mail.sending import from_hookd
from hookd.core.model.claim import Claim, ClaimKind
from hookd.core.model.claim_requests import OpenClaims
from hookd.core.model.effects.after_commit import AnnounceMail
from hookd.core.model.effects.claims import EndClaims
from hookd.core.model.effects.fleet_items import PeerClaim, ReportItem, SetPeerClaims
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.lazy_dataclass import dataclass

_KINDS = get_args(ClaimKind)
_MAX_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Lost:
    """A claim of this host, by its number, that the central store gave to another: `holder`."""

    claim: int
    holder: str


@dataclass(frozen=True, slots=True)
class Compared:
    """The claims of other hosts by what became of them, and the effects."""

    results: tuple[Result, ...]
    ended: tuple[int, ...]
    effects: tuple[Effect, ...]


def compare(
    given: Sequence[Envelope],
    hosts: Mapping[str, HostKey],
    roots: Mapping[str, Sequence[str]],
    lost: Sequence[Lost],
    facts: Facts,
) -> Compared:
    """Return what the claims of other hosts change here. Raise MissingFacts, DomainError.

    `roots` are the folders of repositories by key. Claims that are not in `given` end.
    """
    known = member(facts)
    standing = Standing(known.tenant, known.host, frozenset(known.accept))
    results: list[Result] = []
    claims: dict[tuple[str, str, str, str], PeerClaim] = {}
    effects: list[Effect] = []
    signer = partial(signer_of, keys=known.keys, hosts=hosts, certified={})
    for one in given:
        item, result = _checked(one, signer, standing, facts)
        results.append(result)
        if result.outcome == "refused":
            effects.append(ReportItem(result.kind, result.sender, result.reason))
        if item is None or result.outcome != "accepted":
            continue
        for claim in _claims(item, roots):
            claims[claim.key, claim.root, claim.kind, claim.pattern] = claim
    effects.append(SetPeerClaims(tuple(claims.values())))
    ended, more = _ended(lost, facts)
    return Compared(tuple(results), ended, (*effects, *more))


def _checked(
    given: Envelope, signer: Callable[[Item, str], Signer], standing: Standing, facts: Facts
) -> tuple[Item | None, Result]:
    try:
        item = from_wire(given.item)
        _expect_claim(item)
    except InvalidItemError as error:
        return None, Result(str(given.item.get("id"))[:36], "claim", None, "refused", str(error))
    said = judge(item, signer(item, given.signature), standing, facts.now, known=False)
    return item, Result(item.id, item.kind, item.sender, said.outcome, said.reason)


def _expect_claim(item: Item) -> None:
    texts = [item.body.get(key) for key in ("repository", "kind", "pattern", "holder")]
    short = all(isinstance(one, str) and len(one) <= _MAX_CHARS for one in texts)
    if item.kind != "claim" or not short or texts[1] not in _KINDS:
        raise InvalidItemError("it is no claim")


def _claims(item: Item, roots: Mapping[str, Sequence[str]]) -> tuple[PeerClaim, ...]:
    body: Mapping[str, Any] = item.body
    peer = Peer(body["holder"], item.sender or "")
    why = body.get("why")
    one = PeerClaim(
        key=peer.key,
        address=peer.address,
        root="",
        kind=body["kind"],
        pattern=body["pattern"],
        why=why[:_MAX_CHARS] if isinstance(why, str) and why else None,
        created_at=stamp(item.created_at),
        expires_at=stamp(item.expires_at),
    )
    return tuple(replace(one, root=root) for root in roots.get(body["repository"], ()))


def _ended(lost: Sequence[Lost], facts: Facts) -> tuple[tuple[int, ...], tuple[Effect, ...]]:
    """Return the own claims that end, with the mail to their holders; others have ended before."""
    if not lost:
        return (), ()
    by = {one.claim: one.holder for one in lost}
    own = [
        one
        for one in facts.require(OpenClaims(facts.at)) or ()
        if one.id in by and not peer_of_key(one.conversation) and not one.automatic
    ]
    if not own:
        return (), ()
    ids = tuple(one.id for one in own)
    mails = tuple(_told(one, by[one.id], facts) for one in own)
    return ids, (EndClaims(ids, "fleet"), *mails, AnnounceMail())


def _told(claim: Claim, holder: str, facts: Facts) -> Effect:
    text = (
        f"Your claim {claim.id} of {named(claim)} has ended: {holder} claimed it first, on another"
        f" host of the fleet. To ask for it: hookd send {holder} TEXT"
    )
    return from_hookd(
        text, claim.conversation or None, claim.agent or "", facts.now, facts.settings
    )
