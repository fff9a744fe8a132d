"""`hookd plugin`: what the hooks of the Claude Code plugin run, in a home of its own."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.install import plugin_scope
from support.installation import (
    CLAUDE,
    EVERY,
    config,
    done,
    furnish,
    hookd,
    mode,
    program,
    refused,
)

ENABLED = {"enabledPlugins": {"hookd@hookd": True}}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose settings enable the plugin."""
    home = furnish(tmp_path, monkeypatch)
    monkeypatch.chdir(home)
    (home / ".claude").mkdir()
    write(home, ENABLED)
    (home / "packaged/hookd-statusline").write_text("#!/bin/bash -p\n")
    return home


def write(home: Path, settings: dict[str, Any]) -> None:
    (home / ".claude/settings.json").write_text(json.dumps(settings, indent=2))


def settings(home: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((home / ".claude/settings.json").read_text())
    return found


def test_setup_writes_the_links_that_the_plugin_runs(home: Path) -> None:
    facts = done("plugin", "setup")
    folder = Path(facts["shims"])
    assert folder.parent == home / "hookd-home/shims"
    assert folder.name.startswith("plugin-")
    assert set(config(home, folder.name).events) == set(EVERY)
    assert (folder / "PreToolUse").readlink() == Path("../hookd-hook")
    stamp = home / ".claude/plugins/data/hookd-hookd/scope"
    assert (stamp.read_text(), mode(stamp)) == (f"{folder}\n", 0o600)
    assert settings(home) == ENABLED
    assert done("plugin", "setup") == facts


def test_setup_without_the_plugin_says_how_to_get_it(home: Path) -> None:
    write(home, {})
    assert "name no plugin hookd" in refused("plugin", "setup")
    other = home / "other"
    assert done("plugin", "setup", "--data", str(other))["hookd"]
    assert (other / "scope").exists()


def test_an_older_client_is_refused(home: Path) -> None:
    program(home, "claude", CLAUDE.format("2.1.138 (Claude Code)"))
    assert "can refuse all hooks of the plugin" in refused("plugin", "setup")
    program(home, "claude", "#!/bin/sh\nexit 1\n")
    assert done("plugin", "setup")["hookd"]  # an unknown version


def test_a_failed_setup_is_over_after_a_good_one(home: Path) -> None:
    data = home / ".claude/plugins/data/hookd-hookd"
    data.mkdir(parents=True)
    (data / "setup.failed").write_text("no network\n")
    done("plugin", "setup")
    assert plugin_scope.failure(data) == ""


def test_the_status_line_is_written_on_request_and_removed_again(home: Path) -> None:
    write(home, {**ENABLED, "statusLine": {"type": "command", "command": "date"}})
    before = (home / ".claude/settings.json").read_bytes()
    folder = done("plugin", "setup", "--statusline")["shims"]
    line = settings(home)["statusLine"]["command"]
    assert line == f"{folder}/hookd-statusline --own date"
    assert done("plugin", "setup")["statusline"] is True
    assert done("plugin", "setup", "--no-statusline")["statusline"] is False
    assert (home / ".claude/settings.json").read_bytes() == before
    done("plugin", "setup", "--statusline")
    hookd("uninstall")
    assert (home / ".claude/settings.json").read_bytes() == before


def test_the_other_commands_leave_the_plugin_its_shims(home: Path) -> None:
    folder = Path(done("plugin", "setup")["shims"])
    said = hookd("uninstall")
    assert said.exit_code == 0
    assert "hookd plugin remove" in said.stdout
    assert "claude plugin uninstall hookd@hookd, which runs hookd, too; " in said.stdout
    assert (folder / "PreToolUse").exists()


def test_a_purge_disconnects_the_plugin_and_says_what_stays(home: Path) -> None:
    folder = Path(done("plugin", "setup")["shims"])
    said = hookd("uninstall", "--purge", "--yes").stdout
    assert not folder.exists()
    assert "kept" not in said
    assert "runs hookd" not in said
    assert "claude plugin uninstall hookd@hookd, which Claude Code still has; remove" in said
    assert not (home / ".claude/plugins/data/hookd-hookd/scope").exists()
    again = hookd("uninstall", "--all").stdout.splitlines()
    assert again[0] == "Nothing changed: hookd is registered with no client."
    assert again[1] == (
        "  next       claude plugin uninstall hookd@hookd, which Claude Code still has"
    )
    assert len(again) == 2


def test_a_read_only_file_gets_no_status_line(home: Path) -> None:
    file = home / ".claude/settings.json"
    file.chmod(0o444)
    assert f"{file} is read-only" in refused("plugin", "setup", "--statusline")
    assert list((home / "hookd-home/shims").glob("hookd-*")) == []


def test_all_clients_are_those_that_the_plugin_does_not_serve(home: Path) -> None:
    done("plugin", "setup")
    (home / ".codex").mkdir()
    assert done("install", "--all")["client"] == "codex"
    assert "hooks" not in settings(home)


def test_install_does_not_register_what_the_plugin_registers(home: Path) -> None:
    hookd("install")
    assert "hooks" in settings(home)
    said = done("plugin", "setup")
    assert any("settings register hookd as well" in note for note in said["notes"])
    assert "register hookd already" in refused("plugin", "setup", "--statusline")
    hookd("install")  # renews what is registered
    hookd("uninstall")
    assert "The plugin hookd@hookd registers hookd" in refused("install")
    assert settings(home) == ENABLED
    write(home, {"enabledPlugins": {"hookd@hookd": False}})
    assert hookd("install").exit_code == 0


def test_remove_leaves_nothing_of_setup(home: Path) -> None:
    done("plugin", "setup")
    assert done("plugin", "remove")["plugin"] == "hookd@hookd"
    assert not (home / "hookd-home/shims").exists()
    data = home / ".claude/plugins/data/hookd-hookd"
    assert [file.name for file in data.iterdir()] == ["setup.failed"]
    assert plugin_scope.failure(data) == "removed by hookd plugin remove"
    done("plugin", "setup")
    assert [file.name for file in data.iterdir()] == ["scope"]


def test_a_plugin_is_enabled_by_the_strongest_settings() -> None:
    on, off = {"enabledPlugins": {"hookd@a": True}}, {"enabledPlugins": {"hookd@a": False}}
    assert plugin_scope.enabled([on, off]) == "hookd@a"
    assert plugin_scope.enabled([off, on]) == ""
    assert plugin_scope.known([off]) == "hookd@a"
    assert (
        plugin_scope.enabled([{"enabledPlugins": {"hooked@a": True}}, {"enabledPlugins": []}]) == ""
    )


def test_settings_that_cannot_be_read_stop_setup(home: Path) -> None:
    (home / ".claude/settings.json").write_text("{")
    assert "settings.json" in refused("plugin", "setup", "--data", str(home / "data"))
    assert not (home / "data").exists()
