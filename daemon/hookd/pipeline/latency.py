"""Latency of one event: the time that it spends in each stage, as it is stored with the event."""

from collections.abc import Callable, Iterable
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from hookd import json_text

if TYPE_CHECKING:
    from hookd.core.evaluation.policies import PolicyAnswer

_LATE_NS = 50_000_000
"""Time after its row was written that is added to an event's row by a later statement.

A row cannot have the time of its own commit, and a second statement for each event would cost
more than the commit that it reports, which takes 0.05 ms. Under load, where many events share a
commit, that takes longer: it must not cost a statement just then.
"""


class Trace:
    """Times at which the stages of one event ended, in nanoseconds, from its arrival on.

    One thread at a time uses it: each stage hands the event over to the next.
    """

    __slots__ = ("_clock", "_marks", "_policy", "_written")

    def __init__(self, clock: Callable[[], int] = perf_counter_ns) -> None:
        self._clock = clock
        self._marks = [("", clock())]
        self._policy: PolicyAnswer | None = None
        self._written = 0

    def mark(self, stage: str) -> None:
        """End a stage: the time since the last mark was spent in it."""
        self._marks.append((stage, self._clock()))

    def asked(self, answers: "Iterable[PolicyAnswer]") -> None:
        """Keep the slowest of the policies that were asked."""
        for one in answers:
            if self._policy is None or one.seconds > self._policy.seconds:
                self._policy = one

    def row(self) -> tuple[int, str]:
        """Return the microseconds so far, and those of each stage as JSON, for the event's row."""
        marks = iter(self._marks)
        (_, began) = next(marks)
        before, total = began, dict[str, int]()
        for stage, now in marks:  # a stage may have several marks: it is rounded once
            total[stage] = total.get(stage, 0) + now - before
            before = now
        self._written = before
        spent: dict[str, Any] = {stage: time // 1_000 for stage, time in total.items()}
        if self._policy is not None:
            spent["policy"] = (self._policy.policy, int(self._policy.seconds * 1_000_000))
        return (before - began) // 1_000, json_text.dump(spent).decode()

    @property
    def late(self) -> bool:
        """Whether the event took much longer after its row was written."""
        return bool(self._written) and self._marks[-1][1] - self._written > _LATE_NS
