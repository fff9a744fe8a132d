"""`hookd install --wake` and its removal: the entry on Stop, and the file as it was."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.lib import transport
from support.installation import FOREIGN, done, furnish, hookd

OWN = {"hooks": {"Stop": [{"hooks": [FOREIGN]}]}, "model": "opus"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = furnish(tmp_path, monkeypatch)
    (home / ".claude").mkdir()
    return home


@pytest.fixture
def file(home: Path) -> Path:
    return home / ".claude" / "settings.json"


def wakers(file: Path) -> list[dict[str, Any]]:
    groups = json.loads(file.read_text())["hooks"].get("Stop", [])
    hooks = [hook for group in groups for hook in group["hooks"]]
    return [hook for hook in hooks if hook["command"].endswith(" mail wake")]


def test_the_entry_is_registered_only_if_it_is_wanted_and_stays(home: Path, file: Path) -> None:
    assert "wake" not in done("install")
    assert wakers(file) == []
    facts = done("install", "--wake")
    assert (facts["wake"], facts["changed"]) == (True, True)
    (entry,) = wakers(file)
    words = shlex.split(entry["command"])
    assert words[-3:] == [str(transport.hookd()), "mail", "wake"]
    assert words[0] == "env"
    assert f"HOOKD_HOME={home / 'hookd-home'}" in words
    assert (entry["asyncRewake"], entry["timeout"]) == (True, 86_400)
    again = done("install")
    assert (again["wake"], again["changed"]) == (True, False)
    assert "  wake       mail wakes an idle Claude Code\n" in hookd("install").stdout


@pytest.mark.parametrize("own", [OWN, {}, {"hooks": {}}, {"hooks": {"Stop": []}}])
def test_an_uninstall_restores_the_file_byte_for_byte(file: Path, own: dict[str, Any]) -> None:
    file.write_text(original := json.dumps(own, indent=3))
    done("install", "--wake")
    assert done("uninstall")["wake"] is False
    assert file.read_text() == original


@pytest.mark.parametrize("own", [OWN, {}, {"hooks": {"Stop": []}}])
def test_a_changed_file_keeps_all_but_the_entry(file: Path, own: dict[str, Any]) -> None:
    file.write_text(json.dumps(own))
    done("install", "--wake")
    file.write_text(json.dumps(json.loads(file.read_text()) | {"more": 1}))
    done("uninstall")
    assert json.loads(file.read_text()) == own | {"more": 1}


def test_the_entry_is_removed_alone_and_renewed_in_its_place(home: Path, file: Path) -> None:
    older = {"type": "command", "command": "/old/hookd mail wake", "asyncRewake": True}
    file.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [older, FOREIGN]}]}}))
    assert done("install")["wake"] is True, "one that was added by hand is hookd's"
    (entry,) = wakers(file)
    assert str(transport.hookd()) in entry["command"]
    assert json.loads(file.read_text())["hooks"]["Stop"][0]["hooks"] == [entry, FOREIGN]
    assert done("install", "--no-wake")["wake"] is False
    assert wakers(file) == []
    assert "Stop" in json.loads(file.read_text())["hooks"]


def test_the_file_that_a_project_shares_names_no_path_of_this_machine(home: Path) -> None:
    project = home / "orders"
    project.mkdir()
    done("install", "--wake", "--scope", "project", "--project-dir", str(project))
    (entry,) = wakers(project / ".claude" / "settings.json")
    assert entry["command"] == "hookd mail wake"


def test_it_is_for_claude_code(home: Path) -> None:
    result = hookd("install", "--wake", "--client", "codex")
    assert result.exit_code == 2
    assert "--wake are for claude-code" in result.output
