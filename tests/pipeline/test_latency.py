"""Latency of an event: the time in each stage, and whether the rest of it is to be stored later."""

import json

import pytest

from hookd.core.evaluation.policies import PolicyAnswer
from hookd.pipeline.latency import Trace

MS = 1_000_000


def trace(*stages: tuple[str, float]) -> Trace:
    """Return the trace of an event that spent these milliseconds in its stages."""
    now = [7 * MS]
    made = Trace(lambda: now[0])
    for name, spent in stages:
        now[0] += int(spent * MS)
        made.mark(name)
    return made


@pytest.mark.parametrize(
    ("stages", "duration", "spent"),
    [
        ((), 0, {}),
        ((("parse", 0.25),), 250, {"parse": 250}),
        ((("parse", 1), ("wait", 2)), 3_000, {"parse": 1_000, "wait": 2_000}),
        (  # a decision that is repeated with the files that it missed
            (("wait", 1), ("facts", 2), ("files", 3), ("wait", 4), ("facts", 5)),
            15_000,
            {"wait": 5_000, "facts": 7_000, "files": 3_000},
        ),
        (  # rounded once a stage, not once a mark
            (("wait", 0.0006), ("facts", 0.0006), ("wait", 0.0006)),
            1,
            {"wait": 1, "facts": 0},
        ),
    ],
)
def test_the_time_of_each_stage_is_summed(
    stages: tuple[tuple[str, float], ...], duration: int, spent: dict[str, int]
) -> None:
    took, text = trace(*stages).row()
    assert (took, json.loads(text)) == (duration, spent)


def test_the_slowest_policy_of_all_rounds_is_named() -> None:
    made = trace(("policies", 9))
    made.asked([])
    made.asked([PolicyAnswer("first", None, None, 0.001), PolicyAnswer("slow", None, None, 0.004)])
    made.asked([PolicyAnswer("last", None, None, 0.003)])
    assert json.loads(made.row()[1]) == {"policies": 9_000, "policy": ["slow", 4_000]}


@pytest.mark.parametrize(("after", "late"), [(0.05, False), (50, False), (50.1, True)])
def test_only_much_time_after_the_row_was_written_is_stored_later(after: float, late: bool) -> None:
    now = [0]
    made = Trace(lambda: now[0])
    now[0] = 50 * MS
    made.mark("write")
    assert not made.late  # it is not stored
    made.row()
    now[0] += int(after * MS)
    made.mark("commit")
    assert made.late is late


def test_a_trace_by_the_clock_of_the_machine_adds_up() -> None:
    made = Trace()
    made.mark("parse")
    made.mark("write")
    took, text = made.row()
    assert 0 <= took - sum(json.loads(text).values()) <= 2  # each is rounded down
