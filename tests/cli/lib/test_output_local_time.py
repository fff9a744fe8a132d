"""Timestamps for people: local, with the UTC offset; other texts are unchanged."""

import pytest

from hookd.display.amounts import local_time


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        ("2026-01-31T08:00:00.123Z", "2026-01-31 09:00:00+01:00"),
        ("2026-07-31T23:30:00.000Z", "2026-08-01 01:30:00+02:00"),
        ("2026-01-31T08:00:00+05:30", "2026-01-31 03:30:00+01:00"),
        ("9999-12-31T23:59:59.000Z", "9999-12-31T23:59:59.000Z"),
        ("2026-13-31T08:00:00.000Z", "2026-13-31T08:00:00.000Z"),
        ("yesterday", "yesterday"),
        ("", ""),
    ],
)
def test_a_stored_timestamp_is_shown_in_the_zone_of_the_terminal(at: str, shown: str) -> None:
    assert local_time(at) == shown
