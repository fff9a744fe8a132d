"""Redaction keeps nothing of what it has read in memory."""

import tracemalloc

import pytest

from hookd.redaction.redact import record


@pytest.mark.slow
def test_of_long_keys_nothing_is_kept_in_memory() -> None:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(30):
            record({f"token_{number}_{'k' * 200_000}": "v"}, whole=b" " * 300_000)
        held = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert held < 3_000_000, "the keys alone have 6 MB"
