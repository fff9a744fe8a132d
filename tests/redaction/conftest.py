"""The engines of redaction."""

from collections.abc import Iterator

import pytest

from hookd.redaction import hints


@pytest.fixture(scope="module", params=["Python", "google-re2"])
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Search for hints with one engine, then with the other; yield its name."""
    if request.param == "google-re2":
        assert hints.use_re2(0), "requirements/dev.txt has google-re2"
    assert hints.engine() == request.param
    yield request.param
    hints.use_python()
