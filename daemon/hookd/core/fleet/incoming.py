"""Items that came from the central store: each is verified, judged, and becomes effects.

A new key of the fleet comes first, whatever its place: what the central store has of certificates
is always of the newest key.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import Any

from hookd.core.evaluation.pause import MAX_PAUSE, is_active
from hookd.core.fleet.acceptance import Judgement, Outcome, Signer, Standing, judge
from hookd.core.fleet.fleet_mail import received
from hookd.core.fleet.items import InvalidItemError, Item, fleet_source, from_wire, to_wire
from hookd.core.fleet.membership import member
from hookd.core.fleet.peers import Peer
from hookd.core.fleet.team_rules import read_team_rules
from hookd.core.model.effects.after_commit import AnnounceMail
from hookd.core.model.effects.fleet_items import KeepItem, PinFleetKey, ReportItem, SetFleetRules
from hookd.core.model.effects.messages import Pause
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, iso
from hookd.core.model.fleet_requests import KnownItems
from hookd.lazy_dataclass import dataclass

_REFUSED: Outcome = "refused"


@dataclass(frozen=True, slots=True)
class Envelope:
    """An item as it came, and its signature."""

    item: Mapping[str, Any]
    signature: str


@dataclass(frozen=True, slots=True)
class HostKey:
    """The public key of a host, and the fleet's signature that it is its key."""

    public_key: str
    certificate: str


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an item."""

    id: str
    kind: str
    sender: str | None
    outcome: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Incoming:
    """What became of items, and the effects, in the order of the items."""

    results: tuple[Result, ...]
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class _State:
    """What the items before have changed."""

    standing: Standing
    keys: tuple[str, ...]
    accepted: frozenset[str] = frozenset()
    sent: Mapping[str, int] = field(default_factory=dict)


def incoming(
    given: Sequence[Envelope],
    hosts: Mapping[str, HostKey],
    facts: Facts,
    policies: Container[str] | None = None,
) -> Incoming:
    """Return what becomes of items. Raise MissingFacts, DomainError (NOT_JOINED).

    `hosts` are the keys of senders, as the central store has them; `policies` are known names.
    """
    known = member(facts)
    ids = tuple(sorted({str(one.item.get("id")) for one in given}))
    before = facts.require(KnownItems(ids)) or ()
    standing = Standing(known.tenant, known.host, frozenset(known.accept), known.rules_version)
    state = _State(standing, known.keys, frozenset(before))
    results: list[Result] = []
    effects: list[Effect] = []
    for one in sorted(given, key=lambda each: each.item.get("kind") != "key"):
        state, result, keep, more = _one(one, hosts, state, facts, policies)
        results.append(result)
        if keep:
            row = (result.id, result.kind, result.sender, result.outcome, result.reason)
            effects.append(KeepItem(*row))
        if result.outcome == _REFUSED:
            effects.append(ReportItem(result.kind, result.sender, result.reason))
        effects += more
    return Incoming(tuple(results), tuple(effects))


def signer_of(
    item: Item,
    signature: str,
    keys: Sequence[str],
    hosts: Mapping[str, HostKey],
    certified: dict[tuple[str, str], bool] | None = None,
) -> Signer:
    """Return who signed an item, by the pinned keys of the fleet.

    `certified` remembers, by tenant and host, the certificates that these keys signed or did not.
    """
    # The daemon of a host that is in no fleet need not have cryptography.
    from hookd.core.fleet import signing  # noqa: PLC0415

    wire = to_wire(item)
    if item.sender is None:
        if any(signing.verify_item(key, wire, signature) for key in keys):
            return Signer()
        return Signer(fault="no key of the fleet that this host pinned has signed it")
    key = hosts.get(item.sender)
    if key is None:
        return Signer(fault=f"the host {item.sender} is not in the fleet")
    known = {} if certified is None else certified
    place = (item.tenant, item.sender)
    if place not in known:
        known[place] = signing.verify_certificate(
            keys, key.certificate, tenant=item.tenant, host=item.sender, host_key=key.public_key
        )
    if not known[place]:
        return Signer(fault=f"the key of {item.sender} is not certified by the fleet")
    if not signing.verify_item(key.public_key, wire, signature):
        return Signer(fault=f"its signature is not that of {item.sender}")
    return Signer(item.sender)


def _one(
    given: Envelope,
    hosts: Mapping[str, HostKey],
    state: _State,
    facts: Facts,
    policies: Container[str] | None,
) -> tuple[_State, Result, bool, tuple[Effect, ...]]:
    """Return the state after one item, its result, whether it is stored, and its effects."""
    try:
        item = from_wire(given.item)
    except InvalidItemError as error:
        shown = str(given.item.get("id"))[:36]
        return state, Result(shown, "unknown", None, _REFUSED, str(error)), False, ()
    signer = signer_of(item, given.signature, state.keys, hosts)
    known = item.id in state.accepted
    said = judge(item, signer, state.standing, facts.now, known=known)
    if said.outcome == _REFUSED and _is_retired(item, signer, facts):
        said = Judgement("ignored", "it is of a key that was replaced before this host joined")
    effects: tuple[Effect, ...] = ()
    if said.outcome == "accepted":
        said, effects, state = _applied(item, state, facts, policies)
    if said.outcome == "accepted":
        state = replace(state, accepted=state.accepted | {item.id})
    result = Result(item.id, item.kind, item.sender, said.outcome, said.reason)
    return state, result, said.keep, effects


def _is_retired(item: Item, signer: Signer, facts: Facts) -> bool:
    """Return whether an item is a rotation from before the host joined, by a key it never had."""
    joined = member(facts).joined_at
    if item.kind != "key" or not signer.fault or joined is None:
        return False
    return item.created_at < datetime.fromisoformat(joined)


def _applied(
    item: Item, state: _State, facts: Facts, policies: Container[str] | None
) -> tuple[Judgement, tuple[Effect, ...], _State]:
    """Return what becomes of an item that may come in: its effects, or why it has none."""
    if item.kind == "mail":
        return _mail(item, state, facts)
    if item.kind == "rules":
        return _rules(item, state, policies)
    if item.kind == "key":
        return _key(item, state)
    if item.kind == "pause":
        return (*_pause(item, facts), state)
    if item.kind == "resume":
        return (*_resume(item, facts), state)
    return Judgement("ignored", "claims are compared as a whole", keep=False), (), state


def _mail(item: Item, state: _State, facts: Facts) -> tuple[Judgement, tuple[Effect, ...], _State]:
    found = received(item, facts, state.sent)
    if found.mail is None:
        answer = (found.answer,) if found.answer else ()
        outcome: Outcome = "accepted" if found.answer else _REFUSED
        return Judgement(outcome, found.fault), answer, state
    key = Peer(str(item.body["sender"]), item.sender or "").key
    sent = {**state.sent, key: state.sent.get(key, 0) + 1}
    return Judgement("accepted"), (found.mail, AnnounceMail()), replace(state, sent=sent)


def _rules(
    item: Item, state: _State, policies: Container[str] | None
) -> tuple[Judgement, tuple[Effect, ...], _State]:
    version, text = item.body.get("version"), item.body.get("text")
    if not isinstance(version, int) or version < 1 or not isinstance(text, str):
        return Judgement(_REFUSED, "it has no version or no text"), (), state
    found = read_team_rules(text.encode("utf-8", "replace"), policies)
    if found.refusal:
        return Judgement(_REFUSED, f"rules v{version}: {found.refusal}"), (), state
    source = fleet_source(item.tenant, version)
    effect = SetFleetRules(source, version, found.stored_rules, found.policies)
    standing = replace(state.standing, rules_version=version)
    return Judgement("accepted"), (effect,), replace(state, standing=standing)


def _key(item: Item, state: _State) -> tuple[Judgement, tuple[Effect, ...], _State]:
    from hookd.core.fleet import signing  # noqa: PLC0415

    key = item.body.get("key")
    if not isinstance(key, str) or not signing.is_public_key(key):
        return Judgement(_REFUSED, "it has no public key"), (), state
    return Judgement("accepted"), (PinFleetKey(key),), replace(state, keys=(key,))


def _pause(item: Item, facts: Facts) -> tuple[Judgement, tuple[Effect, ...]]:
    until = _moment(item.body.get("until"))
    if until is None or until > item.expires_at:
        return Judgement(_REFUSED, "it has no end, or one after its own expiry"), ()
    end = min(until, facts.now + MAX_PAUSE)
    if end - facts.now <= timedelta(0):
        return Judgement("ignored", "the pause is over"), ()
    now = facts.daemon.paused_until
    if is_active(now, facts.now) and not facts.daemon.paused_by and now >= iso(end):
        return Judgement("ignored", "this host is paused for longer"), ()
    return Judgement("accepted"), (Pause(iso(end), item.source),)


def _resume(item: Item, facts: Facts) -> tuple[Judgement, tuple[Effect, ...]]:
    if facts.daemon.paused_by != item.source:
        return Judgement("ignored", "the fleet has not paused this host"), ()
    return Judgement("accepted"), (Pause(None),)


def _moment(given: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(given) if isinstance(given, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None
