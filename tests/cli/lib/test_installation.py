"""The tool that installed hookd, and its commands, by the places where each tool installs."""

import json
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.lib import installation

PYTHON = "/home/ana/.venv/bin/python"


class Package:
    """An installed package, with the record of where it came from."""

    def __init__(self, record: Any) -> None:
        self.record = record

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self.record if isinstance(self.record, str) else json.dumps(self.record)


def at(monkeypatch: pytest.MonkeyPatch, prefix: str, record: Any = None) -> tuple[str, str, str]:
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(installation, "_PIP", PIP.split())
    found_in = metadata.distribution
    package = Package(record)
    monkeypatch.setattr(
        metadata, "distribution", lambda name: package if name == "hookd" else found_in(name)
    )
    monkeypatch.setattr(metadata, "requires", lambda _: None)
    found = installation.read()
    return found.tool, found.upgrade, found.remove


FOLDER = {"url": "file:///src/my%20hookd", "dir_info": {}}
EDITABLE = {"url": "file:///src/hookd", "dir_info": {"editable": True}}
WHEEL = {"url": "file:///tmp/hookd-0.1.0-py3-none-any.whl", "archive_info": {}}
PIPX, UV = "/home/ana/.local/share/pipx/venvs/hookd", "/home/ana/.local/share/uv/tools/hookd"
PIP = f"{PYTHON} -m pip"


@pytest.mark.parametrize(
    ("prefix", "record", "commands"),
    [
        (PIPX, None, ("pipx", "pipx upgrade hookd", "pipx uninstall hookd")),
        (PIPX, FOLDER, ("pipx", "pipx upgrade hookd", "pipx uninstall hookd")),
        (PIPX, WHEEL, ("pipx", "pipx install --force /tmp/NEW.whl", "pipx uninstall hookd")),
        (UV, None, ("uv tool", "uv tool upgrade hookd", "uv tool uninstall hookd")),
        (UV, FOLDER, ("uv tool", "uv tool upgrade --reinstall hookd", "uv tool uninstall hookd")),
        (UV, WHEEL, ("uv tool", "uv tool install --force /tmp/NEW.whl", "uv tool uninstall hookd")),
        (
            "/opt/homebrew/Cellar/hookd/0.1.0/libexec",
            None,
            ("Homebrew", "brew upgrade hookd", "brew uninstall hookd"),
        ),
        (
            "/home/ana/.claude/plugins/data/hookd-hookd/hookd-0.1.0",
            FOLDER,
            (
                "plugin",
                "claude plugin marketplace update hookd, claude plugin update hookd@hookd,"
                " then /hookd:setup in Claude Code",
                "claude plugin uninstall hookd@hookd",
            ),
        ),
        (
            "/v",
            EDITABLE,
            (
                "checkout",
                f"{PIP} install --editable /src/hookd",
                f"{PIP} uninstall hookd",
            ),
        ),
        ("/v", None, ("pip", f"{PIP} install --upgrade hookd", f"{PIP} uninstall hookd")),
        (
            "/v",
            FOLDER,
            ("pip", f"{PIP} install --upgrade '/src/my hookd'", f"{PIP} uninstall hookd"),
        ),
        ("/v", "not JSON", ("pip", f"{PIP} install --upgrade hookd", f"{PIP} uninstall hookd")),
        ("/v", ["odd"], ("pip", f"{PIP} install --upgrade hookd", f"{PIP} uninstall hookd")),
    ],
)
def test_each_tool_is_known_by_its_place(
    monkeypatch: pytest.MonkeyPatch, prefix: str, record: Any, commands: tuple[str, str, str]
) -> None:
    assert at(monkeypatch, prefix, record) == commands


def test_a_clone_is_pulled_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    clone = {"url": tmp_path.as_uri(), "dir_info": {}}
    assert at(monkeypatch, UV, clone)[1] == (
        f"git -C {tmp_path} pull && uv tool upgrade --reinstall hookd"
    )
    assert at(monkeypatch, PIPX, clone)[1] == f"git -C {tmp_path} pull && pipx upgrade hookd"
    assert at(monkeypatch, "/v", clone)[1] == (
        f"git -C {tmp_path} pull && {PIP} install --upgrade {tmp_path}"
    )


def test_the_extras_that_are_installed_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, "/v")
    lines = [
        "click>=8.1",
        "nowhere-to-be-found>=1; extra == 'fast'",
        'pytest>=1; extra == "metrics"',
        "pytest>=1; extra == 'web'",
        "no-such-package; extra == 'dev'",
    ]
    monkeypatch.setattr(metadata, "requires", lambda _: lines)
    assert installation.read().upgrade == f"{PIP} install --upgrade 'hookd[metrics,web]'"
    lines.append("no-such-package; extra == 'web'")
    assert installation.read().upgrade == f"{PIP} install --upgrade 'hookd[metrics]'"


def test_a_receipt_of_uv_is_known_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "uv-receipt.toml").touch()
    assert at(monkeypatch, str(tmp_path))[0] == "uv tool"


def test_an_interpreter_of_homebrew_is_named_by_the_link_to_the_newest_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keg = tmp_path / "Cellar" / "hookd" / "0.1.0"
    python = keg / "libexec" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    monkeypatch.setattr(sys, "executable", str(python))
    assert installation.interpreter() == str(python)
    link = tmp_path / "opt" / "hookd"
    link.parent.mkdir()
    link.symlink_to(keg)
    assert installation.interpreter() == str(link / "libexec" / "bin" / "python")
    link.unlink()
    (link / "libexec" / "bin").mkdir(parents=True)
    (link / "libexec" / "bin" / "python").touch()
    assert installation.interpreter() == str(python)


def test_any_other_interpreter_is_named_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", PYTHON)
    assert installation.interpreter() == PYTHON
