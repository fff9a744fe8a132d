"""What `hookd doctor` says of the entry that wakes an idle client."""

import json
from pathlib import Path

import pytest

from support.doctor_home import Scene, scene_in
from support.home import Home

pytestmark = pytest.mark.gate


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return scene_in(home, monkeypatch)


def test_an_entry_is_tried_and_what_keeps_it_from_waking_is_named(scene: Scene) -> None:
    assert scene.found("mail wake") == [
        (
            "ok",
            "An idle Claude Code is not woken for mail of other agents;"
            " hookd install --wake registers it.",
        )
    ]
    scene.home.hookd("install", "--wake")
    file = scene.files["user"]
    where = f"user settings, {file}"
    assert scene.found("mail wake") == [("ok", f"{where}: mail wakes an idle Claude Code.")]
    text = file.read_text()
    file.write_text(text.replace('"asyncRewake": true', '"asyncRewake": false'))
    ((state, what),) = scene.found("mail wake")
    assert state == "warn"
    assert what.endswith("is not woken for mail: its asyncRewake is not true.")
    value = json.loads(text)
    (group,) = [one for one in value["hooks"]["Stop"] if "mail wake" in str(one)]
    group["hooks"][0]["command"] = "/nowhere/hookd mail wake"
    scene.write("user", value)
    (finding,) = scene.findings("mail wake")
    assert finding.what.endswith("for mail: /nowhere/hookd is not there.")
    assert finding.next == "hookd install --wake"


def test_a_program_that_a_project_names_is_not_run(scene: Scene) -> None:
    ran, program = scene.home.path / "ran", scene.project / "hookd"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    hook = {"type": "command", "command": f"{program} mail wake", "asyncRewake": True}
    scene.write("project", {"hooks": {"Stop": [{"hooks": [hook]}]}})
    ((state, what),) = scene.found("mail wake")
    assert (state, what.endswith("hookd is another program than this hookd.")) == ("warn", True)
    hook["command"] = "env HOOKD_HOME=/elsewhere hookd mail wake"
    scene.write("project", {"hooks": {"Stop": [{"hooks": [hook]}]}})
    assert [one.state for one in scene.findings("mail wake")] == ["warn"]
    assert not ran.exists()


def test_a_second_entry_is_too_much(scene: Scene) -> None:
    scene.home.hookd("install", "--wake")
    scene.write("local", json.loads(scene.files["user"].read_text()))
    said = [what for state, what in scene.found("mail wake") if state == "warn"]
    assert said == ["2 entries wake an idle Claude Code; one is enough."]


def test_status_names_the_settings_that_wake(scene: Scene, home: Home) -> None:
    home.hookd("install", "--wake")
    shown = json.loads(home.hookd("status", "--json", check=False).stdout)
    assert list(map(Path, shown["wake"])) == [scene.files["user"]]
    home.hookd("install", "--no-wake")
    assert json.loads(home.hookd("status", "--json", check=False).stdout)["wake"] == []
