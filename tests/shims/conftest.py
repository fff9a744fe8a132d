"""Every test of the hook's shim runs with each of the two."""

import pytest

from support.hook_shim import NATIVE


@pytest.fixture(params=["python3", NATIVE])
def kind(request: pytest.FixtureRequest) -> str:
    """The bash shim, with one of its transports, and the native shim."""
    return str(request.param)
