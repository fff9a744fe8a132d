"""`hookd upgrade`: what is new, the shims of each scope, the database and the daemon."""

import json
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from hookd import __version__
from hookd.cli.lifecycle import upgrade
from hookd.store.database import schema_version
from support.bad_payloads import of
from support.home import Home
from support.other_version import of_version
from support.paths import TESTS

pytestmark = pytest.mark.gate

BASELINE = TESTS / "store" / "baseline_v1.sql"


def facts(home: Home, *arguments: str, code: int = 0) -> dict[str, Any]:
    done = home.hookd("upgrade", "--json", *arguments, check=False)
    assert done.returncode == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_changelog_is_in_the_package() -> None:
    assert upgrade.CHANGELOG.read_text("utf-8").startswith("# Changelog")


def test_without_anything_installed_it_says_what_is_new(home: Home) -> None:
    found = facts(home)
    assert (found["version"], found["before"]) == (__version__, None)
    assert (found["shims"], found["daemon"]) == ([], "absent")
    assert found["database"] == {"before": 0, "after": 0}
    assert [one["version"] for one in found["new"]] == [__version__]
    assert found["installation"]["tool"] == "checkout"
    again = facts(home)
    assert (again["before"], again["new"]) == (__version__, [])
    assert f"Nothing is new since {__version__}." in home.hookd("upgrade").stdout


def test_an_older_daemon_is_replaced_and_each_scope_is_renewed(home: Home) -> None:
    other = home.path / "other.json"
    home.hookd("install", "--shim", "bash")
    home.hookd("install", "--shim", "bash", "--settings", str(other))
    (home.path / "version").write_text("0.0.9\n")
    (home.path / "shims" / "hookd-cold").write_text("# an older one\n")
    other.write_text(other.read_text() + "{")
    with of_version(home, "0.0.9", home.path / "program.py") as process:
        done = home.hookd("upgrade", check=False)
        assert done.returncode == 1
        assert process.wait(20) == 0
    assert done.stdout.startswith(
        f"hookd {__version__}\n  before    0.0.9\n  shims     user: updated\n"
    )
    assert "  daemon    restarted with this version\n" in done.stdout
    assert f"form {schema_version()}\n" in done.stdout
    assert f"\n{__version__} (" in done.stdout
    assert "more lines: hookd upgrade --dry-run --since 0.0.9 --all" in done.stdout
    assert len(done.stdout.splitlines()) <= 24
    assert f"{other}: " in done.stderr
    assert "next: " in done.stderr
    assert home.rpc("daemon.status")["version"] == __version__
    assert home.said(of()) is None


def test_other_clients_are_renewed_in_their_own_files(home: Home) -> None:
    project = home.path / "project"
    (project / ".git").mkdir(parents=True)
    options = ("--shim", "bash", "--scope", "project", "--client", "codex,copilot")
    home.hookd("install", *options, cwd=project)
    files = sorted(project.rglob("*.json"))
    assert len(files) == 2
    (home.path / "shims" / "hookd-cold").write_text("# an older one\n")
    found = {one["scope"].rpartition("-")[0]: one for one in facts(home)["shims"]}
    assert set(found) == {"codex-project", "copilot-project"}
    assert [one["problem"] for one in found.values()] == ["", ""]
    assert found["codex-project"]["changed"], "the first one copies the shims for all"
    assert sorted(project.rglob("*.json")) == files


def test_an_older_database_is_migrated_without_a_daemon(home: Home) -> None:
    with closing(connect(home.database)) as db:
        db.executescript(BASELINE.read_text("utf-8"))
    found = facts(home)
    assert found["daemon"] == "started"
    assert found["database"] == {"before": 1, "after": schema_version()}
    assert home.rpc("daemon.status")["version"] == __version__


def test_a_stopped_hookd_stays_stopped(home: Home) -> None:
    home.hookd("stop", "--yes")
    assert facts(home)["daemon"] == "stopped"
    assert home.stopped.exists()


def test_a_newer_database_is_refused_before_anything_changes(home: Home) -> None:
    home.hookd("install", "--shim", "bash")
    (home.path / "shims" / "hookd-cold").write_text("# an older one\n")
    with closing(connect(home.database)) as db:
        db.execute("PRAGMA user_version = 99")
    done = home.hookd("upgrade", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "was written by a newer hookd" in done.stderr
    assert "next: upgrade this hookd: " in done.stderr
    assert (home.path / "shims" / "hookd-cold").read_text() == "# an older one\n"


def test_a_preview_changes_nothing(home: Home) -> None:
    found = facts(home, "--dry-run", "--since", "0.0.1")
    assert not {"shims", "daemon", "database"} & found.keys()
    assert found["new"]
    assert not (home.path / "version").exists()
    every = home.hookd("upgrade", "--dry-run", "--all").stdout
    assert len(every.splitlines()) > 100
    assert "more lines" not in every


def test_a_word_that_is_no_version_is_refused(home: Home) -> None:
    done = home.hookd("upgrade", "--since", "yesterday", check=False)
    assert done.returncode == 2
    assert "'yesterday' is no version" in done.stderr


def test_a_package_without_a_changelog_upgrades_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(upgrade, "CHANGELOG", tmp_path / "none.md")
    assert upgrade._facts("0.0.1")["new"] == []
