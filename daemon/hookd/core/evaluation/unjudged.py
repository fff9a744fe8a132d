"""Missed events: parse the lines that shims write about them, count and summarize them.

A shim writes a line for each event without a verdict, and `hookd.judge` for each event that it
evaluated without the daemon. A shim also writes a warning here, once a session, about a problem
that does not stop it. No pydantic here: the command line imports it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

MAX_FILE_BYTES = 65_536
"""Shims stop writing to the file at this size in bytes."""

REPORT_DAYS = 7
"""Days for which `hookd status` reports them."""

_LINE = lazy_compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z\t([A-Za-z]{1,64})\t([ -~]{1,200})")
_ALONE = "judged without the daemon: "
_WARNED = "judged, but "
_VERDICTS = {"deny": "denied", "ask": "asked about"}
_LONGEST = 200
_SHOWN = 3
_OUTCOMES = 5
_KINDS = 300
"""Maximum pairs of event and reason that are counted separately; shims have fewer."""

_UNKNOWN = ("unknown", "no reason is known")


@dataclass(frozen=True, slots=True)
class Missed:
    """Events of one name without a verdict for one reason; `more`: the file was cut off."""

    event: str
    reason: str
    count: int
    first: str
    last: str
    more: bool = False

    @property
    def warned(self) -> bool:
        """Return whether this is a warning of the shim about evaluated events."""
        return self.reason.startswith(_WARNED)

    @property
    def judged(self) -> bool:
        """Return whether these were evaluated without the daemon, and not missed."""
        return self.reason.startswith(_ALONE)


def format_line(at: str, event: str, reason: str) -> str:
    """Return the line of one event. `at` is ISO-8601 text with milliseconds."""
    plain = "".join(mark if " " <= mark <= "~" else "?" for mark in reason)
    return f"{at[:19]}Z\t{event}\t{_cut(plain)}\n"


def _cut(text: str) -> str:
    """Return a text; a long one is cut between words."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - 4].rpartition(' ')[0]} ..."


def judged_alone(verdict: str | None, rule: str | None, hooks: int = 0) -> str:
    """Return the reason in the line of an event that was evaluated without the daemon.

    `hooks` is the number of user hooks that the daemon would have run.

    >>> alone("deny", "destructive-guard")
    'judged without the daemon: denied by destructive-guard'
    """
    said = _VERDICTS.get(verdict or "", "passed")
    by = f" by {rule}" if rule and verdict else ""
    left = f", {hooks} hook{'' if hooks == 1 else 's'} not run" if hooks else ""
    return f"{_ALONE}{said}{by}{left}"


def parse(text: str, at: str, *, full: bool = False) -> tuple[Missed, ...]:
    """Count the shim's lines by event and reason; an unreadable line gets the time `at`."""
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
    """Return a timestamp in UTC with its zone, for texts of the daemon."""
    return f"{at[:19].replace('T', ' ')} UTC"


def report(missed: Sequence[Missed]) -> str:
    """Return sentences about missed events, events evaluated without the daemon, and warnings."""
    lost, judged = split(missed)
    warned = [one for one in missed if one.warned]
    parts = (
        f"hookd did not judge {missed_summary(lost)}" if lost else "",
        f"Without its daemon hookd judged {judged_summary(judged)}" if judged else "",
        f"The hooks warn: {warnings(warned)}" if warned else "",
    )
    return " ".join(part if part.endswith("...") else f"{part}." for part in parts if part)


def split(missed: Iterable[Missed]) -> tuple[tuple[Missed, ...], tuple[Missed, ...]]:
    """Return the missed events, and the events evaluated without the daemon."""
    every = tuple(one for one in missed if not one.warned)
    return tuple(one for one in every if not one.judged), tuple(one for one in every if one.judged)


def warnings(warned: Iterable[Missed]) -> str:
    """Return the warnings of shims, each text once."""
    return "; ".join(_most((one.reason.removeprefix(_WARNED), one.count) for one in warned))


def missed_summary(missed: Sequence[Missed], clock: Callable[[str], str] = utc) -> str:
    """Return the number, names, time and reasons of missed events; `clock` formats timestamps."""
    reasons = _most((one.reason, one.count) for one in missed)
    return f"{_which(missed, clock)}: {'; '.join(reasons)}"


def judged_summary(judged: Sequence[Missed], clock: Callable[[str], str] = utc) -> str:
    """Return the number, names, time and results of events evaluated without the daemon."""
    found = _counted((one.reason.removeprefix(_ALONE), one.count) for one in judged)
    listed = [f"{number} {name}" for name, number in found.items()]
    listed[_OUTCOMES:] = ["and others"] * (len(listed) > _OUTCOMES)
    return f"{_which(judged, clock)}: {', '.join(listed)}"


def _which(missed: Sequence[Missed], clock: Callable[[str], str]) -> str:
    """Return the number and names of events, and when they occurred."""
    first, last = min(one.first for one in missed), max(one.last for one in missed)
    when = f"at {clock(first)}" if first == last else f"between {clock(first)} and {clock(last)}"
    events = _most((one.event, one.count) for one in missed)
    return f"{event_count(missed)} ({', '.join(events)}) {when}"


def event_count(missed: Sequence[Missed]) -> str:
    """Return the number of events as text."""
    number = sum(one.count for one in missed)
    least = "at least " if any(one.more for one in missed) else ""
    return f"{least}{number} event{'' if number == 1 else 's'}"


def _joined(one: Missed, two: Missed) -> Missed:
    first, last = min(one.first, two.first), max(one.last, two.last)
    return replace(one, count=one.count + two.count, first=first, last=last)


def _most(counts: Iterable[tuple[str, int]]) -> list[str]:
    """Return the most frequent names; the rest as `and others`."""
    names = list(_counted(counts))
    return names[:_SHOWN] + ["and others"] * (len(names) > _SHOWN)


def _counted(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the sum for each name, the largest first."""
    found: dict[str, int] = {}
    for name, number in counts:
        found[name] = found.get(name, 0) + number
    return dict(sorted(found.items(), key=lambda one: -one[1]))
