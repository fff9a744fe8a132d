"""Effects of signed items that came from the central store of a fleet."""

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class KeepItem:
    """Store what became of an item. Only an accepted one is known when it comes again."""

    id: str
    kind: str
    sender: str | None
    outcome: str
    reason: str


@dataclass(frozen=True, slots=True)
class MoveCursor:
    """Store how far the items of the central store were read."""

    after: str


@dataclass(frozen=True, slots=True)
class PinFleetKey:
    """Pin another public key of the fleet, in place of all others."""

    key: str


@dataclass(frozen=True, slots=True)
class SetFleetRules:
    """Set the guard rules and the policies of a fleet, in place of those of another version.

    `rules` are names and JSON texts, `policies` those to turn on.
    """

    source: str
    version: int
    rules: tuple[tuple[str, str], ...]
    policies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetPeerClaims:
    """Set the claims of other hosts: those that are not in `claims` any more end."""

    claims: tuple["PeerClaim", ...]


@dataclass(frozen=True, slots=True)
class PeerClaim:
    """A claim of another host, of a repository that is in the folder `root` here.

    `key` identifies it: the peer's key, and the claim's number there.
    """

    key: str
    address: str
    root: str
    kind: str
    pattern: str
    why: str | None
    created_at: str
    expires_at: str


@dataclass(frozen=True, slots=True)
class ReportItem:
    """Log an item that was refused, once it is stored."""

    kind: str
    sender: str | None
    reason: str
