"""`hookd web` without its packages: the line that installs them."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.lib.errors import Problem
from hookd.cli.web import web


def test_the_packages_of_an_extra_are_named() -> None:
    found = {package.partition(">")[0] for package in web.requirements("web")}
    assert found == {"jinja2", "prometheus-client", "starlette", "uvicorn"}


def test_an_installation_by_pipx_gets_them_by_pipx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", "/home/me/.local/share/pipx/venvs/hookd")
    assert web.install_line("metrics") == "pipx inject hookd 'prometheus-client>=0.22'"


def test_an_environment_gets_them_by_its_own_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/home/me/my env/bin/python")
    line = web.install_line("metrics")
    assert line == "'/home/me/my env/bin/python' -m pip install 'prometheus-client>=0.22'"


def test_a_tool_of_uv_gets_them_by_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "uv-receipt.toml").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert web.install_line("metrics").startswith("uv pip install --python ")


def test_a_missing_package_is_a_problem_with_that_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(name: str) -> Any:
        return None if name == "uvicorn" else find_spec(name)

    monkeypatch.setattr(web, "find_spec", found)
    with pytest.raises(Problem) as problem:
        web.web.main([], standalone_mode=False)
    assert "packages that are not installed: uvicorn" in str(problem.value)
    assert "'uvicorn>=" in problem.value.step
