"""The time that events are kept by: small steps back are waited out, large ones are believed."""

from datetime import UTC, datetime, timedelta

import pytest

from hookd.daemon.clock import MonotonicWallClock

START = datetime(2026, 1, 31, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([0, 1, 2], [0, 1, 2]),
        ([0, 3600, 3601], [0, 3600, 3601]),
        ([10, 9.5, 9.9, 11], [10, 10, 10, 11]),
        ([100, 40, 50], [100, 100, 100]),
        ([100, 39, 40], [100, 39, 40]),
        ([100, 50, 39, 30], [100, 100, 39, 39]),
        ([4000, 400, 401], [4000, 400, 401]),
    ],
)
def test_what_is_told_while_a_clock_says(said: list[float], told: list[float]) -> None:
    left = iter(said)
    steady = MonotonicWallClock(lambda: START + timedelta(seconds=next(left)))
    assert [(steady() - START).total_seconds() for _ in said] == told
