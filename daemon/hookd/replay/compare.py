"""Compare two answers to each event, and count the differences. Pure.

An answer stops a call (deny), asks about it, or lets it pass. Only changes between these are
differences: another text is none.
"""

import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Literal

from hookd.lazy_dataclass import dataclass

Kind = Literal["newDeny", "newAsk", "noStop"]

KINDS: Mapping[Kind, str] = {
    "newDeny": "newly denied",
    "newAsk": "newly asked",
    "noStop": "no longer stopped",
}
"""Each kind of difference, in words."""

_STATES = {"deny": "deny", "block": "deny", "ask": "ask", "defer": "ask"}
"""Verdicts that hold a call back; every other one lets it pass."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to an event: `verdict` is "" for silence; the rules that decided, the reason."""

    verdict: str = ""
    rule: str = ""
    reason: str = ""

    @property
    def state(self) -> str:
        """`deny`, `ask`, or "" if the call passes."""
        return _STATES.get(self.verdict, "")


@dataclass(frozen=True, slots=True)
class Difference:
    """An event that is answered otherwise; `text` is its call, `order` its place among all."""

    label: str
    order: tuple[str, int]
    session: str
    tool: str
    text: str
    kind: Kind
    before: Answer
    after: Answer


@dataclass(frozen=True, slots=True)
class Gap:
    """An event that could not be compared, and why.

    `kind` is what the change would do if the facts that are missing did not matter, None: nothing.
    """

    label: str
    order: tuple[str, int]
    why: str
    detail: str = ""
    tool: str = ""
    text: str = ""
    kind: Kind | None = None


@dataclass(frozen=True)
class Tally:
    """The result of a replay: counts, and what differed; `since` and `until` are the times."""

    events: int = 0
    sessions: int = 0
    same: int = 0
    since: str = ""
    until: str = ""
    differences: tuple[Difference, ...] = field(default_factory=tuple)
    gaps: tuple[Gap, ...] = field(default_factory=tuple)

    @property
    def compared(self) -> int:
        """The number of events that could be compared."""
        return self.same + len(self.differences)

    def of(self, kind: Kind) -> tuple[Difference, ...]:
        """Return the differences of one kind."""
        return tuple(one for one in self.differences if one.kind == kind)

    def reasons(self) -> dict[str, int]:
        """Return how many events could not be compared, by reason, the most frequent first."""
        found: dict[str, int] = {}
        for gap in self.gaps:
            found[gap.why] = found.get(gap.why, 0) + 1
        return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def kind_of(before: Answer, after: Answer) -> Kind | None:
    """Return how the second answer differs from the first; None if it does not."""
    if before.state == after.state:
        return None
    if after.state == "deny":
        return "newDeny"
    return "newAsk" if after.state == "ask" else "noStop"


def merged(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of the results of several sessions; their order does not matter."""
    found = tuple(tallies)
    return Tally(
        sum(one.events for one in found),
        sum(one.sessions for one in found),
        sum(one.same for one in found),
        min((one.since for one in found if one.since), default=""),
        max((one.until for one in found if one.until), default=""),
        tuple(sorted((d for one in found for d in one.differences), key=lambda d: d.order)),
        tuple(sorted((gap for one in found for gap in one.gaps), key=lambda gap: gap.order)),
    )


_OPERATORS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}
_LIMIT = re.compile(r"\s*([a-z-]+)\s*(<=|>=|==|<|>)\s*([0-9]{1,9})\s*(%?)\s*", re.ASCII)
_NAMES: Mapping[str, Kind | Literal["any", "gap"]] = {
    "new-deny": "newDeny",
    "new-ask": "newAsk",
    "no-stop": "noStop",
    "any": "any",
    "not-comparable": "gap",
}


@dataclass(frozen=True, slots=True)
class Limit:
    """A condition under which a replay fails, such as `new-deny > 5`; `share`: percent of all."""

    name: str
    sign: str
    value: int
    share: bool

    def exceeded(self, tally: Tally) -> str:
        """Return why the condition is true, "" if it is not."""
        count = self._count(tally)
        value = count * 100 / max(tally.events, 1) if self.share else count
        if not _OPERATORS[self.sign](value, self.value):
            return ""
        unit = "%" if self.share else ""
        return f"{self.name} {self.sign} {self.value}{unit}: it is {value:g}{unit}"

    def _count(self, tally: Tally) -> int:
        kind = _NAMES[self.name]
        if kind == "gap":
            return len(tally.gaps)
        return len(tally.differences) if kind == "any" else len(tally.of(kind))


def parse_limit(text: str) -> Limit:
    """Return the condition of --fail-on. Raise ValueError that says what is allowed."""
    found = _LIMIT.fullmatch(text)
    if found is None or found[1] not in _NAMES:
        names = ", ".join(_NAMES)
        raise ValueError(f"{text!r} is no condition: write 'new-deny > 5'; names are {names}")
    return Limit(found[1], found[2], int(found[3]), found[4] == "%")
