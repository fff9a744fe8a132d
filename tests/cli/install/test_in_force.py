"""What keeps a client from running the hooks that it is registered with, told from files alone."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.install import clients, in_force
from hookd.cli.install.clients import OTHER_CLIENTS
from support.codex_trust import trust_all
from support.installation import done, furnish, shims

PLUGIN = 'const CONFIG = "";\n'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "plugin.js").write_text(PLUGIN)
    monkeypatch.setattr(clients, "_PLUGIN", tmp_path / "plugin.js")
    monkeypatch.chdir(tmp_path)
    return furnish(tmp_path, monkeypatch)


def troubles(client: str) -> list[in_force.Trouble]:
    return list(in_force.troubles(OTHER_CLIENTS[client], OTHER_CLIENTS[client].user_file))


def edited(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize("client", [name for name in OTHER_CLIENTS if name != "codex"])
def test_what_is_registered_is_in_force_until_its_program_goes(client: str, home: Path) -> None:
    done("install", "--client", client)
    assert troubles(client) == []
    assert [one.name for one, _ in in_force.recorded()] == [client]
    shutil.rmtree(shims(home))
    (trouble,) = troubles(client)
    effect = (
        "denies every tool call"
        if OTHER_CLIENTS[client].blocks
        else "runs calls without a judgement"
    )
    assert trouble.what.endswith(f"which is not there: {OTHER_CLIENTS[client].title} {effect}.")
    assert trouble.step == (
        f"hookd install --client {client}, or: hookd uninstall --client {client}"
    )
    assert [found for _, _, found in in_force.everywhere()] == [trouble]


def test_a_file_that_lost_its_entries_or_its_form_is_told(home: Path) -> None:
    done("install", "--client", "gemini")
    file = home / ".gemini" / "settings.json"
    file.write_text("{}")
    assert [one.what for one in troubles("gemini")] == [f"{file} has no entry of hookd."]
    file.write_text('{"hooks": []}')
    assert "hooks must be an object" in troubles("gemini")[0].what
    file.write_text("{")
    assert "is not valid JSON: line 1" in troubles("gemini")[0].what
    assert troubles("gemini")[0].step == "fix the file, then hookd install --client gemini"


def test_a_switch_is_told_with_its_file(home: Path) -> None:
    for client, switch in (("gemini", {"hooksConfig": {"disabled": ["hookd"]}}),):
        done("install", "--client", client)
        edited(OTHER_CLIENTS[client].user_file, **switch)
        (trouble,) = troubles(client)
        assert trouble.step == f"change that setting in {OTHER_CLIENTS[client].user_file}"
    done("install", "--client", "qwen")
    edited(home / ".qwen" / "settings.json", disableAllHooks=True)
    assert troubles("qwen")[0].what.startswith("disableAllHooks is true: Qwen Code runs no hooks")


# Codex


def test_codex_runs_nothing_before_a_person_trusts_it(home: Path) -> None:
    done("install", "--client", "codex")
    (trouble,) = troubles("codex")
    assert "does not run hookd at any event" in trouble.what
    assert trouble.what.endswith("is not trusted yet.")
    assert trouble.step == "open Codex, type /hooks and press t"
    trust_all(home)
    assert troubles("codex") == []
    assert done("install", "--client", "codex")["changed"] is False
    assert troubles("codex") == []


def test_codex_runs_no_entry_that_moved_changed_or_was_switched_off(home: Path) -> None:
    done("install", "--client", "codex")
    trust_all(home, Stop="enabled = false")
    file = home / ".codex" / "hooks.json"
    hooks = json.loads(file.read_text())["hooks"]
    hooks["SessionEnd"].insert(0, {"hooks": []})
    hooks["PreToolUse"][0]["hooks"][0]["timeout"] = 99
    file.write_text(json.dumps({"hooks": hooks}))
    told = {one.what.partition("hookd at ")[2].partition(":")[0]: one for one in troubles("codex")}
    assert told["Stop"].what.endswith("was switched off.")
    assert told["SessionEnd"].what.endswith("moved since it was trusted.")
    assert told["PreToolUse"].what.endswith("changed since it was trusted.")
    assert len(told) == 3


def test_codex_reads_the_hooks_of_a_trusted_project_only(home: Path) -> None:
    project = home / "work"
    (project / ".git").mkdir(parents=True)
    done("install", "--client", "codex", "--scope", "project", "--project-dir", str(project))
    file = project / ".codex" / "hooks.json"
    (first, second) = in_force.troubles(OTHER_CLIENTS["codex"], file)
    assert first.what == f"Codex reads no hooks of {project}: this project is not trusted."
    assert first.step == f"start codex in {project}, and trust it"
    assert second.what.endswith("is not trusted yet.")
    config = home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text(f'[projects."{project}"]\ntrust_level = "trusted"\n')
    assert list(in_force.troubles(OTHER_CLIENTS["codex"], file)) == [second]


def test_codex_s_own_configuration_can_switch_hooks_off_or_be_broken(home: Path) -> None:
    done("install", "--client", "codex")
    trust_all(home)
    config = home / ".codex" / "config.toml"
    config.write_text(config.read_text() + "[features]\nhooks = false\n")
    assert [one.what for one in troubles("codex")] == [
        f"features.hooks is false in {config}: Codex runs no hooks."
    ]
    config.write_text("[")
    assert "is not valid TOML" in troubles("codex")[0].what
    assert troubles("codex")[0].step == "fix the file, then hookd doctor --client codex"
    file = home / ".codex" / "hooks.json"
    edited(file, version=1)
    assert "for which Codex refuses the whole file" in troubles("codex")[0].what
