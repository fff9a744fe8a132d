"""Acceptance of an item: whether this host takes it, or why it is refused.

The signature is checked by core/fleet/signing; here is what is decided about the result.
"""

from datetime import datetime, timedelta
from typing import Literal

from hookd.core.fleet.items import ACCEPT_OF, BY_FLEET, LONGEST, Item
from hookd.lazy_dataclass import dataclass

Outcome = Literal["accepted", "refused", "replayed", "ignored"]
"""`ignored`: an older version of what the host has. `replayed`: it was accepted before."""

MAX_AHEAD = timedelta(days=1)
"""How far the clock of a sender may be ahead."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a host is in its fleet: what it accepts, and the version of the rules that it has."""

    tenant: str
    host: str
    accept: frozenset[str] = frozenset()
    rules_version: int = 0


@dataclass(frozen=True, slots=True)
class Signer:
    """Who signed an item. `host` is None for the fleet's key; `fault`: no valid signature."""

    host: str | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What happens to an item; `reason` is for the user, "" if it is accepted.

    `keep`: its row is stored. An item of a kind that the host does not accept leaves no row.
    """

    outcome: Outcome
    reason: str = ""
    keep: bool = True


def judge(
    item: Item, signer: Signer, standing: Standing, now: datetime, *, known: bool
) -> Judgement:
    """Return what happens to an item; `known`: an item with this id was accepted before."""
    if not accepts(item, standing):
        wanted = ACCEPT_OF.get(item.kind, "anything")
        return Judgement("ignored", f"this host does not accept {wanted}", keep=False)
    if known:
        return Judgement("replayed", "it was accepted before", keep=False)
    if reason := _refusal(item, signer, standing, now):
        return Judgement("refused", reason)
    if item.kind == "rules":
        version = item.body.get("version")
        if isinstance(version, int) and version <= standing.rules_version:
            why = f"version {version} of the rules is not newer than {standing.rules_version}"
            return Judgement("ignored", why)
    return Judgement("accepted")


def accepts(item: Item, standing: Standing) -> bool:
    """Return whether the host wants items of this kind at all."""
    if item.kind == "key":
        return bool(standing.accept)
    return ACCEPT_OF[item.kind] in standing.accept


def _refusal(item: Item, signer: Signer, standing: Standing, now: datetime) -> str:
    """Return why an item is refused, "" if it is not."""
    if item.tenant != standing.tenant:
        return f"it is of the fleet {item.tenant}, and this host is in {standing.tenant}"
    if item.recipient not in (None, standing.host):
        return f"it is for {item.recipient}, and this host is {standing.host}"
    return signer.fault or _missigned(item, signer, standing) or _untimely(item, now)


def _missigned(item: Item, signer: Signer, standing: Standing) -> str:
    if signer.host != item.sender:
        return f"it names {item.sender or 'the fleet'}, and {signer.host or 'the fleet'} signed it"
    if (item.kind in BY_FLEET) != (signer.host is None):
        by = "the fleet's key" if item.kind in BY_FLEET else "a host's key"
        return f"{item.kind} must be signed by {by}"
    if signer.host is not None and item.kind == "mail" and item.recipient is None:
        return "a host writes to one host"
    return "this host itself is its sender" if item.sender == standing.host else ""


def _untimely(item: Item, now: datetime) -> str:
    if item.expires_at <= now:
        return "it has expired"
    if item.created_at > now + MAX_AHEAD:
        return "it was made more than a day in the future: check the clocks of both machines"
    if not timedelta(0) < item.expires_at - item.created_at <= LONGEST[item.kind]:
        return f"{item.kind} expires after {_days(LONGEST[item.kind])} at the latest"
    return ""


def _days(span: timedelta) -> str:
    return f"{span.days} days" if span.days else f"{span.seconds // 3600} hours"
