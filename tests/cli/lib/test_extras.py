"""The line that installs an extra fits the installation."""

import sys
from pathlib import Path

import pytest

from hookd.cli.lib import extras
from hookd.cli.lib.errors import Problem


def test_the_packages_of_an_extra_are_named() -> None:
    found = {package.partition(">")[0] for package in extras.requirements("web")}
    assert found == {"jinja2", "prometheus-client", "starlette", "uvicorn"}


def test_an_installation_by_pipx_gets_them_by_pipx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", "/home/me/.local/share/pipx/venvs/hookd")
    assert extras.install_line("metrics") == "pipx inject hookd 'prometheus-client>=0.22'"


def test_an_environment_gets_them_by_its_own_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/home/me/my env/bin/python")
    line = extras.install_line("metrics")
    assert line == "'/home/me/my env/bin/python' -m pip install 'prometheus-client>=0.22'"


def test_a_tool_of_uv_gets_them_by_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "uv-receipt.toml").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert extras.install_line("metrics").startswith("uv pip install --python ")


def test_what_is_missing_is_named() -> None:
    extras.expect("hookd x", "metrics", {"json": "json"})
    with pytest.raises(Problem, match="hookd x needs packages that are not installed: nowhere"):
        extras.expect("hookd x", "metrics", {"json": "json", "nowhere": "no_such_module_"})
