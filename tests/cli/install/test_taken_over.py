"""`hookd install` names the clone or the home whose entries it replaces in a settings file."""

from pathlib import Path

import pytest

from hookd.system import ancestry
from hookd.system.ancestry import Caller
from support.installation import done, furnish, program, refused


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return furnish(tmp_path, monkeypatch)


def replaced() -> list[str]:
    """Install; return the notes on whose entries are replaced."""
    return [note for note in done("install")["notes"] if note.startswith("replaces")]


def test_another_clone_with_the_same_home_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert replaced() == []
    assert replaced() == []
    (home / "clone").mkdir()
    clone = program(home / "clone", "hookd", "#!/bin/sh\n")
    monkeypatch.setattr("sys.argv", [str(clone)])
    said = f"replaces the entries of {home}/bin/hookd, with the same database and settings"
    assert replaced() == [said]
    assert replaced() == []


def test_another_home_is_named_and_no_agent_moves_the_hooks_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("install")
    monkeypatch.setenv("HOOKD_HOME", str(home / "other"))
    with monkeypatch.context() as patch:
        patch.setattr(ancestry, "caller_of", lambda _: Caller("Claude Code"))
        assert "replaces the entries of another hookd, is for a person" in refused("install")
    (note,) = replaced()
    assert note.startswith(f"replaces the entries of {home}/bin/hookd, whose daemon is on {home}/")
    assert note.endswith(
        "hookd-home/run/hookd.sock: its guard rules, settings and history stay there, and no longer"
        " apply"
    )
    assert replaced() == []


def test_another_socket_of_the_same_home_is_no_other_hookd(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOOKD_HOME")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home / "1"))
    done("install")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home / "2"))
    assert replaced() == []
