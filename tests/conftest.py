"""Fixtures of a daemon and its windows, and the profiles of hypothesis."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import hypothesis
import pytest

pytest.register_assert_rewrite("support")

from support.home import Home, Window, place, window_in  # noqa: E402

if TYPE_CHECKING:
    from support.postgres import Cluster

# Commands that run in this process must not take the width of the terminal of the tests.
os.environ.pop("COLUMNS", None)

# The examples differ from run to run, so a few each time are many before long.
# No word of theirs on time: it would be about what else runs on the machine.
CALM = hypothesis.settings(
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
)
hypothesis.settings.register_profile("quick", CALM, max_examples=30)
hypothesis.settings.register_profile("deep", CALM, max_examples=1000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return two workers a core: many tests wait for a process, or for time."""
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test that uses PostgreSQL for the gate: each worker would start a server."""
    for item in items:
        if "postgres" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.gate)


@pytest.fixture
def home() -> Iterator[Home]:
    """A place without a daemon."""
    with place() as home:
        yield home


@pytest.fixture
def daemon(home: Home) -> Home:
    """A place with a daemon that answers."""
    return home.serves()


@pytest.fixture(scope="session")
def shared() -> Iterator[Home]:
    """A daemon that many tests share: each stays in a window and a project of its own."""
    with place() as home:
        yield home.serves()


@pytest.fixture
def window(shared: Home) -> Window:
    """A new conversation with the shared daemon."""
    return window_in(shared)


@pytest.fixture(scope="session")
def postgres() -> Iterator["Cluster"]:
    """A PostgreSQL server that many tests share: each makes a database of its own."""
    from support.postgres import cluster

    with cluster() as made:
        yield made
