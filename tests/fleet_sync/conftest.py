"""One store for the tests of a module: each uses hosts or a tenant of its own."""

from collections.abc import Iterator

import pytest

from support.central import Store, store
from support.postgres import Cluster


@pytest.fixture(scope="module")
def central(postgres: Cluster) -> Iterator[Store]:
    """A store without tenants."""
    with store(postgres) as made:
        yield made
