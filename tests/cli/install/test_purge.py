"""`hookd uninstall`: what stays, and `--purge`, which removes hookd's own files and no others."""

from pathlib import Path
from typing import Any

import pytest

from support import forkserver
from support.home import Home
from support.installation import done, furnish, hookd, refused, shims

OWN = {
    "hookd.db": "database",
    "hookd.db-wal": "database",
    "hookd.db.corrupt-20260131T080000000Z-wal": "database",
    "hookd.log.1": "log",
    "hookd.hung": "log",
    "hookd.checked": "log",
    "hookd.lock": "lock",
    "settings.json": "settings",
    "spill/1.txt": "long texts",
    "demo/orders/orders.py": "demo",
    "run/hookd.pid": "run files",
    "run/hookd.unjudged.1769846400000000000-77": "run files",
    "run/hookd.sock.lock/pid": "run files",
    "version": "version in use",
    "shims/user/config": "shims",
    "shims/hookd-alone": "shims",
    "shims/hookd-cold": "shims",
    "shims/hookd-statusline": "shims",
    "shims/hookd-hook.native.json": "shims",
    "shims/.hookd-alone.abcdefgh": "shims",
    "shims/.hookd-hook.native.abcdefgh": "shims",
}
FOREIGN = ("notes.txt", "hookd.database", "settings.json.bak", "spill/a/b.txt", "run/agent.sock")


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with hookd installed, and hookd's own folder with one file of every kind."""
    furnish(tmp_path, monkeypatch)
    done("install")
    for name in OWN:
        if name != "shims/user/config":
            put(tmp_path / "hookd-home" / name)
    (tmp_path / "hookd-home/demo/README").write_text("this folder is made by hookd demo\n")
    return tmp_path


def put(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{   }")


def named(rows: list[dict[str, Any]]) -> set[str]:
    return {row["what"] for row in rows}


def test_uninstall_names_what_stays_with_its_size(house: Path) -> None:
    out = hookd("uninstall").stdout
    assert f"  stays      database: {house}/hookd-home/hookd.db (15 bytes)\n" in out
    assert f"  stays      settings: {house}/hookd-home/settings.json (5 bytes)\n" in out
    assert out.endswith("hookd stop; hookd uninstall --purge removes the files that stay\n")
    assert (house / "hookd-home/hookd.db").exists()


def test_purge_removes_every_file_of_hookd_and_its_empty_folders(house: Path) -> None:
    facts = done("uninstall", "--purge", "--yes")
    kept = set(OWN.values()) - {"shims", "version in use"}
    assert named(facts["removed"]) == kept, "uninstall removed these"
    assert (facts["left"], facts["stays"]) == ([], [])
    assert not (house / "hookd-home").exists()
    assert not (house / ".claude/settings.json").exists()


def test_purge_leaves_what_is_not_hookds_and_the_folders_around_it(house: Path) -> None:
    folder = house / "hookd-home"
    for name in FOREIGN:
        put(folder / name)
    (folder / "hookd.log.2").symlink_to(house / "elsewhere")
    put(house / "elsewhere")
    (folder / "demo/README").write_text("mine")
    left = done("uninstall", "--purge", "--yes")["left"]
    assert {str(Path(name).relative_to(folder)) for name in left} == {
        "demo", "hookd.database", "notes.txt", "run/agent.sock", "settings.json.bak", "spill/a",
    }  # fmt: skip
    kept = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert kept == {*FOREIGN, "demo/README", "demo/orders/orders.py"}
    assert (house / "elsewhere").exists()


def test_a_dry_run_of_a_purge_names_what_would_go_and_removes_nothing(house: Path) -> None:
    before = sorted(house.rglob("*"))
    facts = done("uninstall", "--purge", "--dry-run")
    assert named(facts["removed"]) == set(OWN.values()) | {"record of installs"}
    assert sorted(house.rglob("*")) == before


def test_purge_is_refused_while_other_settings_name_hookd(house: Path) -> None:
    other = house / "project/settings.json"
    put(other)
    other.write_text("{}")
    done("install", "--settings", str(other))
    assert f"other settings, too: {other}" in refused("uninstall", "--purge", "--yes")
    assert (shims(house) / "user/config").exists()
    assert done("uninstall", "--purge", "--yes", "--everywhere")["also"] == [str(other)]
    assert other.read_text() == "{}"
    assert not (house / "hookd-home").exists()


def test_purge_takes_other_clients_out_first_or_is_refused(house: Path) -> None:
    done("install", "--client", "codex,copilot")
    files = (house / ".codex/hooks.json", house / ".copilot/hooks/hookd.json")
    said = hookd("uninstall", "--purge", "--yes")
    assert said.exit_code == 1
    assert f"hookd uninstall --client codex --settings {files[0]}" in said.stderr
    assert all(file.exists() for file in files)
    facts = done("uninstall", "--purge", "--yes", "--everywhere")
    assert (facts["also"], facts["left"]) == (list(map(str, files)), [])
    assert not any(file.exists() for file in files)
    assert not (house / "hookd-home").exists()


def test_purge_without_yes_needs_a_terminal(house: Path) -> None:
    assert "a person at a terminal" in refused("uninstall", "--purge")
    assert (shims(house) / "user/config").exists()


def test_a_purge_at_a_terminal_asks_and_ends_the_daemon(daemon: Home) -> None:
    daemon.hookd("install")
    command = ("uninstall", "--purge")
    code, said = forkserver.at_a_terminal(command, daemon.env, daemon.path, "n\n")
    assert (code, daemon.database.exists()) == (1, True)
    assert f"database: {daemon.database} (" in said
    code, said = forkserver.at_a_terminal(command, daemon.env, daemon.path, "y\n")
    assert (code, "removed    database" in said) == (0, True), said
    assert ("  daemon     ended\n" in said, "listening" in said) == (True, False)
    assert not daemon.database.exists()
    assert not daemon.socket.exists()
