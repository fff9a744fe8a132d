"""Claims in the central store: it decides which host gets one, in one transaction a repository."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

from psycopg import AsyncConnection

from hookd.central.errors import RejectedError, TooManyError
from hookd.central.shipping import translated_errors
from hookd.core.fleet.claim_conflicts import FleetClaim, winner_over
from hookd.lazy_dataclass import dataclass

_READ = (
    "SELECT repository, host, claim, pattern, agent, expires_at - clock_timestamp(), item,"
    " signature FROM hookd.claims"
    " WHERE tenant = (SELECT hookd.current_tenant()) AND repository = ANY (%s)"
    " AND expires_at > clock_timestamp() ORDER BY repository, claimed_at"
)
_OWN = "tenant = hookd.current_tenant() AND host = hookd.current_host()"
_END = "SELECT hookd.end_claims_1(%s, %s)"
_ADD = (
    "INSERT INTO hookd.claims (tenant, repository, pattern, host, claim, agent, expires_at, item,"
    " signature) VALUES (hookd.current_tenant(), %s, %s, hookd.current_host(), %s, %s,"
    " clock_timestamp() + %s, %s, %s) ON CONFLICT DO NOTHING"
)
_EXTEND = (
    "UPDATE hookd.claims SET expires_at = clock_timestamp() + %s, item = %s, signature = %s"  # noqa: S608 - constants
    f" WHERE {_OWN} AND repository = %s AND claim = %s"
)


@dataclass(frozen=True, slots=True)
class StoredClaim:
    """A claim as the store has it: what its host signed, and for how long it lasts."""

    claim: FleetClaim
    left: timedelta
    item: str
    signature: str


@dataclass(frozen=True, slots=True)
class SignedClaim:
    """A claim of this host, signed, and for how long it lasts: clocks differ from the server's."""

    claim: FleetClaim
    lasts: timedelta
    item: str
    signature: str


@dataclass(frozen=True, slots=True)
class Decided:
    """What the store decided on own claims, by number; `others` are those of other hosts.

    `lost` has the claims that won, `local` the reasons of the store to keep no such claim.
    """

    others: list[StoredClaim]
    lost: dict[int, FleetClaim]
    local: dict[int, str]


async def read(
    connection: AsyncConnection[Any], repositories: Collection[str]
) -> dict[str, list[StoredClaim]]:
    """Return the open claims of repositories, by repository. Raise CentralError."""
    async with translated_errors(connection):
        cursor = await connection.execute(_READ, [list(repositories)])
        rows = await cursor.fetchall()
    found: dict[str, list[StoredClaim]] = {one: [] for one in repositories}
    for row in rows:
        found[row[0]].append(_stored(row))
    return found


async def decide(
    connection: AsyncConnection[Any],
    host: str,
    repository: str,
    own: Mapping[int, FleetClaim],
    signed: Callable[[FleetClaim], SignedClaim],
) -> Decided:
    """Bring the store's claims of this host in a repository to `own`, by number.

    Hosts decide one after the other, so of claims that exclude each other exactly one is granted.
    Raise CentralError.
    """
    async with translated_errors(connection), connection.transaction():
        await connection.execute("SELECT hookd.lock_claims_1(%s)", [repository])
        cursor = await connection.execute(_READ, [[repository]])
        stored = [_stored(row) for row in await cursor.fetchall()]
        others = [one for one in stored if one.claim.host != host]
        granted = {one.claim.claim: one for one in stored if one.claim.host == host}
        if gone := sorted(set(granted) - set(own)):
            await connection.execute(_END, [repository, gone])
        lost: dict[int, FleetClaim] = {}
        local: dict[int, str] = {}
        full = ""
        for number, claim in sorted(own.items()):
            if number in granted:
                await _extend(connection, repository, signed(claim))
                continue
            winner = winner_over(claim, (one.claim for one in others))
            if winner is not None:
                lost[number] = winner
                continue
            try:
                if not full:
                    await _add(connection, repository, signed(claim))
            except RejectedError as error:
                local[number] = str(error)
            except TooManyError as error:
                full = str(error)
            if full:
                local[number] = full
    return Decided(others, lost, local)


async def _extend(connection: AsyncConnection[Any], repository: str, one: SignedClaim) -> None:
    values = [one.lasts, one.item, one.signature, repository, one.claim.claim]
    await connection.execute(_EXTEND, values)


async def _add(connection: AsyncConnection[Any], repository: str, one: SignedClaim) -> None:
    """Insert a claim; where the store refuses it, undo that alone."""
    claim = one.claim
    place = [repository, _key(claim.kind, claim.pattern), claim.claim, claim.holder]
    async with translated_errors(connection), connection.transaction():
        await connection.execute(_ADD, [*place, one.lasts, one.item, one.signature])


def _key(kind: str, pattern: str) -> str:
    """Return a pattern as the store has it: a resource and a file may have the same name."""
    return f"{kind}:{pattern}"


def _stored(row: Sequence[Any]) -> StoredClaim:
    repository, host, number, key, agent, left, item, signature = row
    kind, _, pattern = key.partition(":")
    claim = FleetClaim(host, number, repository, kind, pattern, agent or "")
    return StoredClaim(claim, left, item or "", signature or "")
