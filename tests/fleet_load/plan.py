"""Plan of the faults of a run: which, and when, by a seed. Pure."""

import random
from dataclasses import dataclass

DATABASE = "kill -9 of PostgreSQL"
SYNC = "kill -9 of a sync process"
WRITERS = "kill -9 of a writers' process"
DAEMON = "kill -9 of a host's daemon"
DISK = "full disk below an outbox"
CLOCK = "clock off by an hour"
DELAYED = "network delays everything"
DROPPED = "network loses everything"
CUT = "network cut, connections refused"
SCHEMA = "schema 2, half of the writers use it"
REFUSED = "old clients are refused"

KINDS = (DATABASE, SYNC, WRITERS, DAEMON, DISK, CLOCK, DELAYED, DROPPED, CUT)
"""Faults that may come at any time."""

EVERY = (*KINDS, SCHEMA, REFUSED)

SCHEMA_AT = 0.3
REFUSED_AT = 0.55
"""Shares of the run after which the schema changes, and its old clients are refused."""

FIRST, LAST = 0.05, 0.95


@dataclass(frozen=True)
class Planned:
    """A fault, and the second of the run at which it comes."""

    kind: str
    at: float


def planned(seed: int, seconds: float, rounds: int, refused_s: float) -> list[Planned]:
    """Return the faults of a run in their order: each of `KINDS` `rounds` times.

    While old clients are refused, for `refused_s` seconds, no other fault begins: each of them is
    to say it once, and another problem in between would be said as well.
    """
    chance = random.Random(seed)
    quiet = (REFUSED_AT - 0.05, REFUSED_AT + refused_s / seconds)
    usual = [
        Planned(kind, seconds * _moment(chance, quiet)) for kind in KINDS for _ in range(rounds)
    ]
    versions = [Planned(SCHEMA, seconds * SCHEMA_AT), Planned(REFUSED, seconds * REFUSED_AT)]
    return sorted([*usual, *versions], key=lambda one: one.at)


def _moment(chance: random.Random, quiet: tuple[float, float]) -> float:
    """Return a share of the run outside of the quiet time."""
    before, after = quiet[0] - FIRST, max(0.0, LAST - quiet[1])
    place = chance.random() * (before + after)
    return FIRST + place if place < before else quiet[1] + place - before
