"""Membership: what a person should know although rows are sent."""

from typing import Any

import pytest

from hookd.cli.fleet.membership import warning

WELL = {"rejected": 0, "dropped": 0, "clockMs": 40, "leaving": False}


@pytest.mark.parametrize(
    ("change", "said", "step"),
    [
        ({}, None, None),
        ({"clockMs": None}, None, None),
        ({"clockMs": 3_600_000}, "60 minutes ahead of that of the central store", "set the clock"),
        ({"clockMs": -600_000}, "10 minutes behind", "set the clock"),
        ({"rejected": 2, "dropped": 1}, "refused 2 rows", "hookd fleet outbox --rejected"),
        ({"dropped": 7}, "7 events were not sent", "hookd fleet outbox --drop"),
        ({"leaving": True}, "leaving the fleet: nothing new is sent", "hookd fleet leave"),
    ],
)
def test_a_warning_has_a_next_step(change: Any, said: str | None, step: str | None) -> None:
    sentence, remedy = warning(WELL | change)
    assert (said or "") in (sentence or "")
    assert (step or "") in (remedy or "")
    assert (sentence is None) == (said is None)
