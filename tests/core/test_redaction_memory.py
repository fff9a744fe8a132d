"""Redaction keeps nothing of what it has read in memory."""

import tracemalloc

from hookd.core.redaction import record


def test_of_long_keys_nothing_is_kept_in_memory() -> None:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(40):
            record({f"token_{number}_{'k' * 500_000}": "v"}, whole=b" " * 600_000)
        held = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert held < 10_000_000, "the keys alone have 20 MB"
