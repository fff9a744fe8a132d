"""A slow policy or statement is logged by its name, once a minute."""

import logging

import pytest

from hookd.log.slow import SlowLog


def test_a_slow_statement_is_logged_once_a_minute_with_the_count_of_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = [7.0]
    log = SlowLog("statement", lambda: now[0])
    with caplog.at_level(logging.WARNING, "hookd"):
        for at, name, seconds in (
            (0, "COMMIT", 0.049),  # not slow
            (1, "COMMIT", 0.3),
            (2, "COMMIT", 0.4),
            (3, "BEGIN IMMEDIATE", 0.06),
            (60.9, "COMMIT", 0.5),
            (61.1, "COMMIT", 0.6),
        ):
            now[0] = 7.0 + at
            log.note(name, seconds)
    told = [(one.message, *one.__dict__["about"].values()) for one in caplog.records]
    assert told == [
        ("slow statement", "COMMIT", 300.0, 0),
        ("slow statement", "BEGIN IMMEDIATE", 60.0, 0),
        ("slow statement", "COMMIT", 600.0, 2),
    ]


def test_names_without_end_take_no_memory_without_end(caplog: pytest.LogCaptureFixture) -> None:
    log = SlowLog("policy", lambda: 0.0)
    for number in range(1_000):
        log.note(f"policy-{number}", 1)
    assert len(caplog.records) == 1_000
    assert len(log._last) <= 200
