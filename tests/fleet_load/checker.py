"""Check of a run of a fleet: the central store has exactly what the hosts wrote. Pure.

It compares each host's own database with the rows of the store: none missing, none twice, none that
no host wrote, equal content, the last state of each session, and the counts, which keep the events
of forgotten sessions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from fleet_load.plan import DISK, EVERY
from fleet_load.record import Result, Stored, Written

DENIED = ("deny", "block")
CLOCK_S = 60.0
"""Seconds by which the stored clock of a host may differ from its own: the way of a heartbeat."""

MINUTE_S = 60.0
"""Seconds by which the store may count an event too early or too late, for the same reason."""

_SHOWN = 3
"""Differences of a kind that are named for one host."""


@dataclass(frozen=True)
class Happened:
    """A fault that happened at a second of the run, and what it was."""

    kind: str
    at: float
    what: str


@dataclass
class Run:
    """What happened during a run: `refused` has what old clients said, by host and process."""

    happened: list[Happened] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    """Kinds of faults that this machine does not allow, with the reason."""
    refused: Counter[tuple[str, int]] = field(default_factory=Counter)
    old: tuple[str, ...] = ()
    """Hosts that were connected as old clients while these were refused."""
    too_new: int = 0
    """Hosts that said that the store is older than they are."""
    full: int = 0
    """Transactions that a full disk refused."""
    same_day: bool = True
    """Whether the run began and ended on the same day, in UTC."""
    errors: list[str] = field(default_factory=list)


def check(hosts: Mapping[str, tuple[Written, Stored]], run: Run) -> list[str]:
    """Return what is wrong; nothing if the store is exact and all faults happened."""
    wrong = [f"{name}: {one}" for name, pair in hosts.items() for one in different(*pair, run)]
    return [*wrong, *_faults(hosts, run), *run.errors]


def different(one: Written, other: Stored, run: Run) -> Iterator[str]:
    """Yield how a host and the store differ."""
    if one.waiting or one.rejected or one.dropped:
        yield f"{one.waiting} rows wait, {one.rejected} were refused, {one.dropped} dropped"
    if other.epochs != 1:
        yield f"it has {other.epochs} epochs"
    yield from _rows("event", one.events, other.events)
    yield from _durations(one, other)
    yield from _rows("session", one.sessions, other.sessions)
    yield from _counts(one, other, same_day=run.same_day)
    yield from _open_sessions(one, other)
    if not one.shift and not one.forgotten:
        yield from _minutes(one, other)
    if abs(other.clock_s - one.shift) > CLOCK_S:
        yield f"its clock is off by {one.shift:g} s, and stored as off by {other.clock_s:g} s"
    if one.client == 1 and set(other.schemas) - {1}:
        yield "it is an old client, and sent by new functions"


def _rows(
    kind: str, expected: Mapping[int, object], found: Iterable[tuple[int, object]]
) -> Iterator[str]:
    """Yield rows that are missing, twice, too much, or have another content."""
    rows = list(found)
    times = Counter(number for number, _ in rows)
    yield from _named(kind, "missing", (n for n in expected if n not in times))
    yield from _named(kind, "there more than once", (n for n, count in times.items() if count > 1))
    yield from _named(kind, "there, and the host has none", (n for n in times if n not in expected))
    unlike = [n for n, content in rows if n in expected and content != expected[n]]
    yield from _named(kind, "not equal", unlike)
    for number, content in rows:
        if number in unlike[:1]:
            yield f"{kind} {number} is {content}, on the host {expected[number]}"


def _durations(one: Written, other: Stored) -> Iterator[str]:
    """Yield durations that differ; those of a daemon may have grown since."""
    for number, spent in other.durations.items():
        own = one.durations.get(number, spent)
        grown = one.daemon and spent is not None and own is not None and spent < own
        if own != spent and not grown:
            yield f"event {number} took {spent} us, on the host {own} us"


def _named(kind: str, what: str, numbers: Iterable[int]) -> Iterator[str]:
    found = sorted(numbers)
    for number in found[:_SHOWN]:
        yield f"{kind} {number} is {what}"
    if len(found) > _SHOWN:
        yield f"{len(found)} rows of kind {kind} are {what}"


def _counts(one: Written, other: Stored, *, same_day: bool) -> Iterator[str]:
    """Yield counts that are not those of all events that were ever sent."""
    least = Counter(result for _, result in one.times) + one.gone
    found: Counter[Result] = Counter()
    for (_, result), count in other.minutes.items():
        found[result] += count
    for result in sorted({*least, *found}):
        most = least[result] + one.unsure[result]
        if not least[result] <= found[result] <= most:
            yield f"{found[result]} {result} are counted by minutes, not {least[result]}"
    if not same_day:
        return
    total, denied = sum(found.values()), sum(n for (_, d), n in found.items() if d in DENIED)
    if (other.today, other.denied_today) != (total, denied):
        counted = f"{other.today} events and {other.denied_today} denied ones"
        yield f"{counted} are counted today, by minutes {total} and {denied}"


def _open_sessions(one: Written, other: Stored) -> Iterator[str]:
    """Yield counts of open sessions that differ."""
    opened = [session for session in one.sessions.values() if session["ended_at"] is None]
    attention = sum(session["status"] == "attention" for session in opened)
    if (other.open_sessions, other.attention) != (len(opened), attention):
        counted = f"{other.open_sessions} open sessions, {other.attention} with attention"
        yield f"{counted} are counted, not {len(opened)} and {attention}"


def _minutes(one: Written, other: Stored) -> Iterator[str]:
    """Yield minutes before which too few or too many events are counted."""
    times = sorted(_moment(at) for at, _ in one.times)
    spare = timedelta(seconds=MINUTE_S)
    for text in sorted({minute for minute, _ in other.minutes}):
        end = _moment(text) + timedelta(minutes=1)
        found = sum(n for (minute, _), n in other.minutes.items() if _moment(minute) < end)
        least = sum(at < end - spare for at in times)
        most = sum(at < end + spare for at in times)
        if not least <= found <= most:
            yield f"{found} events are counted up to {text}, not {least} to {most}"


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _faults(hosts: Mapping[str, tuple[Written, Stored]], run: Run) -> Iterator[str]:
    """Yield faults that did not happen, and old clients that did not say it once."""
    kinds = {one.kind for one in run.happened}
    for kind in EVERY:
        if kind not in kinds and kind not in run.skipped:
            yield f"this fault did not happen: {kind}"
    if DISK in kinds and not run.full:
        yield "the full disk refused no transaction"
    if not run.too_new:
        yield "no host was newer than the store"
    if not any(stored.schemas[2] for _, stored in hosts.values()):
        yield "no event came by the functions of schema 2"
    for (name, process), times in sorted(run.refused.items()):
        if times > 1:
            yield f"{name}: process {process} said {times} times that it is too old"
    said = {name for name, _ in run.refused}
    yield from (
        f"{name}: it was refused, and did not say it" for name in run.old if name not in said
    )
