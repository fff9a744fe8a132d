"""An event is described in a few words, whatever its payload is."""

import pytest

from hookd.display.event_text import slowest_stage, who


@pytest.mark.parametrize(
    ("agent", "number", "subagent", "expected"),
    [
        ("orders", 12, None, "orders"),
        (None, 12, None, "session 12"),
        (None, 12, "a1b2c3d4e5", "session 12/a1b2c3d4"),
        (None, None, None, ""),
    ],
)
def test_whose_event_it_was(
    agent: str | None, number: int | None, subagent: str | None, expected: str
) -> None:
    assert who({"agent": agent, "sessionId": number, "agentId": subagent}) == expected


@pytest.mark.parametrize(
    ("stages", "shown"),
    [
        ({}, ""),
        ({"parse": 30, "wait": 4_000}, "wait 4.0"),
        ({"userHooks": 150_000, "parse": 1}, "user hooks 150"),
        ({"user_hooks": 2_000}, "user hooks 2.0"),
    ],
)
def test_the_slowest_stage_is_named_in_words(stages: dict[str, int], shown: str) -> None:
    assert slowest_stage(stages) == shown
