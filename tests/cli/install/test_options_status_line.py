"""`hookd install --statusline`: around the user's own status line, and back to it."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from support.installation import done, furnish, hookd, mode, record, refused

pytestmark = pytest.mark.gate

OWN = {"type": "command", "command": "jq -r '.model.display_name' | tr a b", "padding": 0}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = furnish(tmp_path, monkeypatch)
    (home / "packaged" / "hookd-statusline").write_text("#!/bin/bash -p\n")
    monkeypatch.chdir(home)
    return home


@pytest.fixture
def file(home: Path) -> Path:
    (home / ".claude").mkdir()
    return home / ".claude" / "settings.json"


def line(file: Path) -> Any:
    return json.loads(file.read_text()).get("statusLine")


def words(file: Path) -> list[str]:
    return shlex.split(line(file)["command"])


def test_without_the_option_the_status_line_is_the_user_s(file: Path) -> None:
    file.write_text(json.dumps({"statusLine": OWN}))
    assert "status_line" not in done("install")
    assert line(file) == OWN


def test_the_command_names_the_shim_and_the_user_s_own(home: Path, file: Path) -> None:
    file.write_text(json.dumps({"statusLine": OWN}))
    facts = done("install", "--statusline")
    shim = home / "hookd-home" / "shims" / "user" / "hookd-statusline"
    assert words(file) == [str(shim), "--own", OWN["command"]]
    assert str(shim.readlink()) == "../hookd-statusline"
    assert line(file) == OWN | {"command": line(file)["command"]}
    assert facts["status_line"] == {"registered": True, "own": OWN["command"]}
    assert mode(shim) == 0o755


def test_it_says_what_it_did(file: Path) -> None:
    file.write_text(json.dumps({"statusLine": OWN}))
    out = hookd("install", "--statusline").stdout
    assert f"  line       hookd's status line, below that of {OWN['command']}\n" in out
    out = hookd("uninstall").stdout
    assert f"  line       your own status line, {OWN['command']}\n" in out
    file.unlink()
    assert "  line       hookd's status line\n" in hookd("install", "--statusline").stdout
    assert "  line       no status line\n" in hookd("install", "--no-statusline").stdout


def test_a_status_line_of_the_older_form_is_renewed(home: Path, file: Path) -> None:
    older = "/old/hookd-statusline --socket /s --transport nc:/n --own date"
    file.write_text(json.dumps({"statusLine": OWN | {"command": older}}))
    done("install")
    shim = home / "hookd-home" / "shims" / "user" / "hookd-statusline"
    assert words(file) == [str(shim), "--own", "date"]
    done("install", "--no-statusline")
    assert line(file)["command"] == "date"
    assert not shim.is_symlink()


def test_a_second_install_changes_nothing_and_keeps_what_was_chosen(file: Path) -> None:
    file.write_text(json.dumps({"statusLine": OWN}))
    done("install", "--statusline")
    before = file.read_bytes()
    assert done("install", "--statusline")["changed"] is False
    assert done("install")["changed"] is False
    assert file.read_bytes() == before


def test_another_home_is_renewed_where_it_stands(
    home: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(json.dumps({"statusLine": OWN, "model": "opus"}))
    done("install", "--statusline")
    monkeypatch.setenv("HOOKD_HOME", str(home / "other home"))
    done("install")
    assert words(file)[0] == str(home / "other home" / "shims" / "user" / "hookd-statusline")
    assert (words(file)[-1], words(file).count("--own")) == (OWN["command"], 1)
    assert list(json.loads(file.read_text())) == ["statusLine", "model", "hooks"]


def test_the_hooks_stay_when_the_status_line_goes(file: Path) -> None:
    file.write_text(json.dumps({"statusLine": OWN}))
    done("install", "--statusline", "--events", "Stop")
    facts = done("install", "--no-statusline")
    assert facts["status_line"] == {"registered": False, "own": OWN["command"]}
    assert line(file) == OWN
    assert list(json.loads(file.read_text())["hooks"]) == ["Stop"]


@pytest.mark.parametrize("own", [{"statusLine": OWN}, {}])
def test_uninstall_gives_the_file_back_byte_for_byte(file: Path, own: dict[str, Any]) -> None:
    original = json.dumps({"a": 1} | own, indent=1, separators=(" ,", " :")).encode()
    file.write_bytes(original)
    done("install", "--statusline")
    assert done("uninstall")["restored"] is True
    assert file.read_bytes() == original


@pytest.mark.parametrize("own", [{"statusLine": OWN}, {}])
def test_uninstall_without_a_record_gives_back_the_user_s_own(
    home: Path, file: Path, own: dict[str, Any]
) -> None:
    file.write_text(json.dumps(own))
    done("install", "--statusline")
    record(home).unlink()
    facts = done("uninstall")
    assert (facts["restored"], json.loads(file.read_text())) == (False, own)
    assert not (home / "hookd-home" / "shims").exists()


def test_a_status_line_that_a_person_put_in_the_place_of_ours_is_theirs(file: Path) -> None:
    done("install", "--statusline")
    value = json.loads(file.read_text())
    file.write_text(json.dumps(value | {"statusLine": OWN}))
    done("install")
    assert line(file) == OWN
    done("uninstall")
    assert json.loads(file.read_text()) == {"statusLine": OWN}


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("mine", "statusLine must be an object"),
        ({"type": "text"}, 'statusLine.type must be "command"'),
        ({"type": "command"}, "statusLine.command must be text"),
        (OWN | {"command": "sh /x/hookd-statusline"}, "statusLine.command names hookd-statusline"),
    ],
)
def test_what_cannot_be_wrapped_is_named_and_left_alone(
    home: Path, file: Path, value: Any, sentence: str
) -> None:
    text = json.dumps({"statusLine": value})
    file.write_text(text)
    assert f"{file} is not as Claude Code reads it: {sentence}" in refused(
        "install", "--statusline"
    )
    assert file.read_text() == text
    assert not (home / "hookd-home").exists()


def test_what_cannot_be_wrapped_does_not_keep_the_hooks_out(file: Path) -> None:
    file.write_text('{"statusLine": "mine"}')
    done("install")
    assert line(file) == "mine"
    done("uninstall")
    assert file.read_text() == '{"statusLine": "mine"}'


def test_a_package_without_the_shim_is_a_problem_for_those_who_want_it(home: Path) -> None:
    (home / "packaged" / "hookd-statusline").unlink()
    assert "has no hookd-statusline" in refused("install", "--statusline")
    assert not (home / "hookd-home").exists()
    done("install")


def test_a_dry_run_shows_the_line_and_writes_nothing(home: Path, file: Path) -> None:
    file.write_text(json.dumps({"statusLine": OWN}))
    out = hookd("install", "--statusline", "--diff").stdout
    assert "  line       hookd's status line, below that of " in out
    assert '+{"statusLine": {"type": "command", "command": "' in out
    assert line(file) == OWN
    assert not (home / "hookd-home").exists()


def test_a_switch_that_turns_it_off_is_noted(file: Path) -> None:
    file.write_text('{"disableAllHooks": true}')
    notes = done("install", "--statusline")["notes"]
    assert any("shows no status line" in note for note in notes)
    assert not any("status line" in note for note in done("install", "--no-statusline")["notes"])


def test_a_file_that_hides_the_user_s_own_status_line_is_noted(home: Path, file: Path) -> None:
    project = str(home / "project" / "settings.json")
    file.write_text(json.dumps({"statusLine": OWN}))
    (note,) = done("install", "--statusline", "--settings", project)["notes"]
    assert note.startswith(f"these settings hide the statusLine in {file}; to keep it, ")
    assert done("install", "--settings", str(home / "other.json"))["notes"] == []
    file.write_text("not JSON")
    assert done("install", "--settings", project)["notes"] == []
