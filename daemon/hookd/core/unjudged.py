"""The home of what no daemon judged: the shim's lines about it, counted and put in words.

No pydantic here: the terminal half reads it, too.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

FULL = 65_536
"""Bytes of the shim's file from which on it is not written any more."""

DAYS = 7
"""How long `hookd status` tells of it."""

_LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z\t([A-Za-z]{1,64})\t([ -~]{1,200})")
_SHOWN = 3
_KINDS = 300
"""Pairs of event and reason that are told apart; shims know fewer."""

_UNKNOWN = ("unknown", "no reason is known")


@dataclass(frozen=True, slots=True)
class Missed:
    """Events of one name that had no verdict for one reason; `more` says that it was not all."""

    event: str
    reason: str
    count: int
    first: str
    last: str
    more: bool = False


def parse(text: str, at: str, *, full: bool = False) -> tuple[Missed, ...]:
    """Count the shim's lines by event and reason; one that cannot be read was left before `at`."""
    found: dict[tuple[str, str], Missed] = {}
    for line in text.splitlines():
        said = _LINE.fullmatch(line)
        when, event, reason = (f"{said[1]}.000Z", said[2], said[3]) if said else (at, *_UNKNOWN)
        if len(found) >= _KINDS and (event, reason) not in found:
            event, reason = _UNKNOWN
        one = Missed(event, reason, 1, when, when, full)
        known = found.get((event, reason))
        found[event, reason] = _joined(known, one) if known else one
    return tuple(found.values())


def utc(at: str) -> str:
    """Return a timestamp with its zone, for texts of the daemon, which knows no terminal."""
    return f"{at[:19].replace('T', ' ')} UTC"


def sentence(missed: Sequence[Missed], clock: Callable[[str], str] = utc) -> str:
    """Return how many of which events were missed, when, and why; `clock` formats timestamps."""
    first, last = min(one.first for one in missed), max(one.last for one in missed)
    when = f"at {clock(first)}" if first == last else f"between {clock(first)} and {clock(last)}"
    events = _most((one.event, one.count) for one in missed)
    reasons = _most((one.reason, one.count) for one in missed)
    return f"{count(missed)} ({', '.join(events)}) {when}: {'; '.join(reasons)}"


def count(missed: Sequence[Missed]) -> str:
    """Return how many events these are, in words."""
    number = sum(one.count for one in missed)
    least = "at least " if any(one.more for one in missed) else ""
    return f"{least}{number} event{'' if number == 1 else 's'}"


def _joined(one: Missed, two: Missed) -> Missed:
    first, last = min(one.first, two.first), max(one.last, two.last)
    return replace(one, count=one.count + two.count, first=first, last=last)


def _most(counts: Iterable[tuple[str, int]]) -> list[str]:
    """Return the names that count most; the rest in one word."""
    found: dict[str, int] = {}
    for name, number in counts:
        found[name] = found.get(name, 0) + number
    names = sorted(found, key=lambda name: -found[name])
    return names[:_SHOWN] + ["and others"] * (len(names) > _SHOWN)
