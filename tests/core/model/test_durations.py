"""Durations as people write them."""

from datetime import timedelta

import pytest

from hookd.core.model.durations import duration


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("30s", timedelta(seconds=30)),
        (" 10 M ", timedelta(minutes=10)),
        ("2h", timedelta(hours=2)),
        ("7d", timedelta(days=7)),
        ("0m", None),
        ("10", None),
        ("-1h", None),
        ("1.5h", None),
        ("١h", None),
        ("999999h", None),
        ("", None),
    ],
)
def test_a_duration_is_a_number_and_a_unit(text: str, found: timedelta | None) -> None:
    assert duration(text) == found
