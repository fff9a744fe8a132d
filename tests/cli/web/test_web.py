"""`hookd web` without its packages: the line that installs them."""

from importlib.util import find_spec
from typing import Any

import pytest

from hookd.cli.lib import extras
from hookd.cli.lib.errors import Problem
from hookd.cli.web import web


def test_a_missing_package_is_a_problem_with_that_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(name: str) -> Any:
        return None if name == "uvicorn" else find_spec(name)

    monkeypatch.setattr(extras, "find_spec", found)
    with pytest.raises(Problem) as problem:
        web.web.main([], standalone_mode=False)
    assert "packages that are not installed: uvicorn" in str(problem.value)
    assert "'uvicorn>=" in problem.value.step
