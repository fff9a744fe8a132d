"""Conflicts of claims between hosts: which claims of a repository exclude each other."""

from collections.abc import Iterable

from hookd.core.claims.patterns import overlap
from hookd.core.model.claim import ClaimKind
from hookd.lazy_dataclass import dataclass

MAX_SHOWN = 2_000
"""Claims of other hosts that a host shows: the daemon verifies all of them within one request."""


@dataclass(frozen=True, slots=True)
class FleetClaim:
    """A claim as a fleet knows it: `repository` is its key, `claim` its number on its host.

    `holder` is the agent, or the person, by the name that mail reaches it with on that host.
    """

    host: str
    claim: int
    repository: str
    kind: ClaimKind
    pattern: str
    holder: str
    why: str = ""


def winner_over(wanted: FleetClaim, open_claims: Iterable[FleetClaim]) -> FleetClaim | None:
    """Return the open claim of another host that excludes the wanted one, None if none does.

    A claim that the store has granted is never taken back.
    """
    return next((one for one in open_claims if excludes(one, wanted)), None)


def excludes(one: FleetClaim, other: FleetClaim) -> bool:
    """Return whether two claims of different hosts can be of the same file."""
    return (
        one.host != other.host
        and one.repository == other.repository
        and overlap(one.pattern, one.kind, other.pattern, other.kind)
    )
