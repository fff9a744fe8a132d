"""Decisions on the membership: join, change what is sent, leave."""

from datetime import datetime, timedelta

from hookd.core.model.effects.fleet import JoinFleet, LeaveFleet
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.fleet_requests import FleetMembership, WaitingRows
from hookd.core.model.membership import Membership

_RECENT = timedelta(minutes=2)
"""How long the last contact with the central store counts."""

_SILENCE = timedelta(seconds=90)
"""Time without a report after which the sync process counts as ended."""


def member(facts: Facts) -> Membership:
    """Return the membership. Raise DomainError (NOT_JOINED)."""
    found = facts.require(FleetMembership())
    if found is None:
        raise DomainError("NOT_JOINED", "this host is in no fleet")
    return found


def claims_reach(facts: Facts) -> str:
    """Return who learns of a claim now: `fleet`, `local` without network, `host` in no fleet."""
    known = facts.require(FleetMembership())
    if known is None or known.leaving or "claims" not in known.accept:
        return "host"
    if known.problem or known.contact_at is None:
        return "local"
    recent = facts.now - datetime.fromisoformat(known.contact_at) < _RECENT
    return "fleet" if recent else "local"


def silent(facts: Facts) -> str:
    """Return why nothing goes up although this host is in a fleet, in a few words; "" if it does.

    The sync process reports at least every half minute.
    """
    known = facts.require(FleetMembership())
    if known is None:
        return ""
    if known.seen_at is None or facts.now - datetime.fromisoformat(known.seen_at) > _SILENCE:
        return "nothing is sent"
    if known.leaving:
        return "nothing new is sent"
    return "no contact" if known.problem else ""


def join(wanted: JoinFleet, facts: Facts) -> JoinFleet:
    """Return the effect of joining. Raise DomainError (JOINED_ALREADY) for another fleet.

    The same fleet again changes the mode and what is accepted; the outbox continues.
    """
    known = facts.require(FleetMembership())
    if known and (known.tenant, known.host) != (wanted.tenant, wanted.host):
        sentence = f"this host is {known.host} of the fleet {known.tenant} already"
        raise DomainError("JOINED_ALREADY", sentence)
    return wanted


def leave(facts: Facts, *, announce: bool, drop: bool) -> tuple[LeaveFleet, int]:
    """Return the effect of leaving, and how many rows it drops. Raise DomainError.

    NOT_JOINED; ROWS_WAIT if rows wait that `drop` does not give up.
    """
    member(facts)
    count = facts.require(WaitingRows()) or 0
    if count and not (announce or drop):
        which = "rows that wait for the central store, or that it refused,"
        sentence = f"{which} would be dropped: {count}"
        raise DomainError("ROWS_WAIT", sentence)
    return LeaveFleet(announce), 0 if announce else count
