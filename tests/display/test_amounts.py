"""Numbers as text."""

from datetime import UTC, datetime

import pytest

from hookd.display.amounts import (
    age,
    dollars,
    duration,
    local_time,
    milliseconds,
    parsed_time,
    percent,
    seconds_between,
    size,
)

NOW = datetime(2026, 1, 31, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("microseconds", "shown"),
    [(None, "-"), (0, "0.0"), (49, "0.0"), (1_234, "1.2"), (99_940, "99.9"), (812_400, "812")],
)
def test_a_duration_in_milliseconds(microseconds: int | None, shown: str) -> None:
    assert milliseconds(microseconds) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (None, "-"),
        (0, "0.0 ms"),
        (0.25, "250 ms"),
        (59.94, "59.9 s"),
        (60, "1 min"),
        (61.5, "1 min 1 s"),
        (7_500, "2 h 5 min"),
        (90_000, "1 d 1 h"),
        (172_800, "2 d"),
    ],
)
def test_a_duration_has_at_most_two_units(seconds: float | None, shown: str) -> None:
    assert duration(seconds) == shown


@pytest.mark.parametrize(
    ("since", "shown"),
    [
        ("2026-01-31T08:59:58.000Z", "2 s"),
        ("2026-01-31T08:00:01.000Z", "59 min"),
        ("2026-01-30T09:00:00.000Z", "24 h"),
        ("2026-01-01T09:00:00.000Z", "30 d"),
        ("2027-01-01T09:00:00.000Z", "0 s"),
        ("yesterday", "-"),
        ("2026-01-31", "-"),
        (None, "-"),
    ],
)
def test_an_age_has_one_unit(since: str | None, shown: str) -> None:
    assert age(since, NOW) == shown


@pytest.mark.parametrize(
    ("count", "shown"),
    [(None, "-"), (0, "0 bytes"), (999, "999 bytes"), (999_960, "1.0 MB"), (2e15, "2000.0 TB")],
)
def test_a_size_has_its_unit(count: float | None, shown: str) -> None:
    assert size(count) == shown


def test_money_and_shares() -> None:
    assert [dollars(value) for value in (None, 0, 1.234)] == ["-", "$0.00", "$1.23"]
    assert [percent(value) for value in (None, 0.0, 0.456, 1.0)] == ["-", "0%", "46%", "100%"]


def test_a_time_that_is_none_stays_as_it_is() -> None:
    assert local_time("soon") == "soon"
    assert parsed_time("2026-01-31T09:00:00.000Z") == NOW


@pytest.mark.parametrize(
    ("begin", "end", "expected"),
    [
        ("2026-01-31T08:00:00.000Z", "2026-01-31T08:00:01.500Z", 1.5),
        (None, "2026-01-31T08:00:01.500Z", None),
        ("2026-01-31T08:00:00.000Z", "x", None),
    ],
)
def test_seconds_between_two_times(
    begin: str | None, end: str | None, expected: float | None
) -> None:
    assert seconds_between(begin, end) == expected
