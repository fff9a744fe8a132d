"""A start time is an age before now, or a time; anything else is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.lib.args import timestamp
from hookd.cli.lib.errors import Problem

NOW = "2026-03-01T08:00:00.000Z"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10m", "2026-03-01T07:50:00.000Z"),
        ("2h", "2026-03-01T06:00:00.000Z"),
        ("1d", "2026-02-28T08:00:00.000Z"),
        ("1w", "2026-02-22T08:00:00.000Z"),
        ("30s", "2026-03-01T07:59:30.000Z"),
        (" 2 H ", "2026-03-01T06:00:00.000Z"),
        ("0m", NOW),
        ("2026-01-31", "2026-01-30T23:00:00.000Z"),
        ("2026-01-31T08:00", "2026-01-31T07:00:00.000Z"),
        ("2026-01-31 08:00:00", "2026-01-31T07:00:00.000Z"),
        ("2026-08-31 08:00:00", "2026-08-31T06:00:00.000Z"),
        ("2026-01-31 08:00:00+01:00", "2026-01-31T07:00:00.000Z"),
        ("2026-01-31T08:00:00.123Z", "2026-01-31T08:00:00.123Z"),
        ("2026-01-31T08:00+02:00", "2026-01-31T06:00:00.000Z"),
    ],
)
def test_an_age_and_a_time_are_understood(text: str, expected: str) -> None:
    assert timestamp(text, NOW) == expected


@pytest.mark.parametrize(
    "text",
    ["", "m", "10", "5x", "-1h", "1.5h", "yesterday", "2026-13-01", "999999w", "٣h", "1h\n1h"],
)
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(Problem) as refused:
        timestamp(text, NOW)
    assert "is neither an age nor a time" in refused.value.message
    assert "--since 10m" in refused.value.step


@given(st.text(max_size=30))
def test_whatever_is_given_is_a_stored_time_or_refused(text: str) -> None:
    try:
        at = timestamp(text, NOW)
    except Problem:
        return
    assert len(at) == len(NOW)
    assert at.endswith("Z")
