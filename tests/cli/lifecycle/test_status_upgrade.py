"""After an upgrade, `hookd status` names each part that is of another version."""

import json
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from hookd import __version__
from support.installation import done, furnish, hookd, shims
from support.paths import ROOT


def test_the_version_is_written_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project
    assert "version" in project["dynamic"]
    assert metadata.version("hookd") == __version__
    assert hookd("--version").stdout == f"hookd {__version__}\n"


def test_status_names_installed_shims_of_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(tmp_path, monkeypatch)
    done("install")
    assert json.loads(hookd("status", "--json").stdout)["upgrade"] == []
    (tmp_path / "packaged/hookd-hook").write_text("#!/bin/bash -p\n# of the next version\n")
    out = hookd("status").stdout + hookd("status").stderr
    assert f"in {shims(tmp_path)}, not of hookd {__version__}: hookd-hook; hookd install" in out
    done("install")
    assert "not of hookd" not in hookd("status").stdout
