"""What went wrong since the daemon started, counted for `hookd status` and `hookd doctor`.

Faults of policies and of after-commit effects, and requests of clients for what only a person may
do: their callers log them. Limits that were reached: the log gets a line for the first time, the
tenth, the hundredth and so on.
"""

from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Literal

from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.redaction.redact import redact

Kind = Literal[
    "policy failed", "policy over time", "effect failed", "limit reached", "refused to a client"
]

OVERRUNS = 3
"""Times that a policy may exceed its time limit before it is suspended."""

_LONGEST = 300
"""Characters of an error that are kept."""

_KINDS = 200
"""Pairs of kind and name that are counted separately."""


@dataclass(frozen=True, slots=True)
class Incident:
    """What happened `count` times: to whom, when it happened last, and what was said then."""

    kind: Kind
    name: str
    count: int
    at: str
    text: str


class Incidents:
    """Counts incidents; `now` is the time, as it is stored. Any thread may call it."""

    def __init__(self, now: Callable[[], str] = str) -> None:
        self._now = now
        self._lock = Lock()
        self._found: dict[tuple[Kind, str], Incident] = {}
        self.suspended: frozenset[str] = frozenset()
        self.shim_problem = ""

    def note(self, kind: Kind, name: str, text: str) -> int:
        """Count one incident; return how often it happened."""
        kept = redact(text)[:_LONGEST]
        with self._lock:
            if (kind, name) not in self._found and len(self._found) >= _KINDS:
                name = "others"
            before = self._found.get((kind, name)) or Incident(kind, name, 0, "", "")
            one = replace(before, count=before.count + 1, at=self._now(), text=kept)
            self._found[kind, name] = one
            if kind == "policy over time" and one.count >= OVERRUNS:
                self.suspended |= {name}
        return one.count

    def limit(self, name: str, text: str) -> None:
        """Count a limit that was reached."""
        count = self.note("limit reached", name, text)
        if str(count).strip("0") == "1":
            about = {"limit": name, "count": count, "why": text}
            LOG.warning("a limit was reached", extra={"about": about})

    def told(self) -> tuple[Incident, ...]:
        """Return all of them."""
        with self._lock:
            return tuple(self._found.values())
