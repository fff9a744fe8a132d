"""A plugin for one round of `make fuzz`: every property test with many examples, until time is up.

It is loaded by its name before the tests are, so that they find its profile. Failures are
in the report, with what reproduces it.
"""

import os
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

_EXAMPLES = int(os.environ["FUZZ_EXAMPLES"])
_SEED = int(os.environ["FUZZ_SEED"])
_END = float(os.environ["FUZZ_END"])
_TOLD = Path(os.environ["FUZZ_TOLD"])
"""Where a line is added for each test that has run: its name and how many examples it had."""

_PASSED = re.compile(r"(\d+) passing")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Register the profile; hypothesis is imported here, not before pytest can watch it."""
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "fuzz",
        max_examples=_EXAMPLES,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every file its turn at being early; its tests stay together, for their daemon."""
    order = random.Random(_SEED)
    turn = {path: order.random() for path in sorted({item.path for item in items})}
    items.sort(key=lambda item: turn[item.path])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Begin no test after the end."""
    if time.monotonic() > _END:
        item.session.shouldstop = "the time is up"
        return (yield)
    done = yield
    with _TOLD.open("a", encoding="utf-8") as told:
        told.write(f"{_examples(item)}\t{item.nodeid}\n")
    return done


def _examples(item: pytest.Item) -> int:
    said = getattr(item, "hypothesis_statistics", "")
    return sum(map(int, _PASSED.findall(said)))
