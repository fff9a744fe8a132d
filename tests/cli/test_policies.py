"""`hookd policies`: which rules hold where, and why, and how that is changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Home, Window, until, verdict


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder that is a project's."""
    (tmp_path / ".git").mkdir()
    return tmp_path


def rows(home: Home, project: Path) -> dict[str, dict[str, Any]]:
    found = home.hookd("policies", "list", "--json", cwd=project)
    return {row["policy"]: row for row in json.loads(found.stdout)}


def own(home: Home) -> Any:
    return json.loads((home.path / "settings.json").read_text())


def test_every_policy_is_listed_in_the_order_in_which_they_speak(home: Home, project: Path) -> None:
    found = rows(home, project)
    places = [row["priority"] for row in found.values()]
    assert places == sorted(places)
    assert found["heartbeat"] == {
        "policy": "heartbeat",
        "mode": "enforce",
        "why": "by default",
        "what": "Logging discipline: an agent that works on an effort writes down what it does.",
        "priority": 40,
        "events": ["PreToolUse"],
        "options": {"warn_after": 3, "block_after": 10},
    }


def test_a_policy_is_switched_off_and_on_and_its_options_are_set(home: Home, project: Path) -> None:
    home.settings({"log": {"level": "debug"}})
    off = home.hookd("policies", "disable", "heartbeat", cwd=project)
    assert off.stdout.startswith("heartbeat is now off, disabled in ")
    assert own(home)["policies"] == {"disabled": ["heartbeat"]}
    assert rows(home, project)["heartbeat"]["mode"] == "off"
    again = home.hookd("policies", "disable", "heartbeat", cwd=project)
    assert "(nothing was to change)" in again.stdout
    on = home.hookd("policies", "enable", "heartbeat", cwd=project)
    assert on.stdout.startswith("heartbeat is now enforce, by default")
    assert own(home) == {"log": {"level": "debug"}}
    home.hookd("policies", "set", "heartbeat", "block_after", "20", cwd=project)
    assert rows(home, project)["heartbeat"]["options"]["block_after"] == 20
    home.hookd("policies", "set", "heartbeat", "block_after", "--default", cwd=project)
    assert own(home) == {"log": {"level": "debug"}}


def test_one_is_shown_with_all_that_there_is_to_know(home: Home, project: Path) -> None:
    home.settings({"policies": {"options": {"heartbeat": {"mode": "warn"}}}})
    said = home.hookd("policies", "show", "heartbeat", cwd=project).stdout
    assert said.startswith("heartbeat: warn, by its mode in ")
    assert "Tool calls are counted since the last `hookd log`." in said
    assert "Calls from which on calls are denied." in said
    whole = json.loads(home.hookd("policies", "show", "heartbeat", "--json", cwd=project).stdout)
    assert {one["option"]: one["value"] for one in whole["options"]} == {
        "mode": "warn",
        "warn_after": 3,
        "block_after": 10,
    }


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("show", "heartbeet"), "There is no policy 'heartbeet'; did you mean heartbeat?"),
        (("disable", "x"), "next: see all: hookd policies list"),
        (("set", "heartbeat", "blok", "1"), "no option 'blok'; there are mode, warn_after"),
        (
            ("set", "heartbeat", "block_after", "--", "-1"),
            "policies.options.heartbeat.block_after: ",
        ),
        (("set", "heartbeat", "mode", "loud"), "policies.options.heartbeat.mode: "),
    ],
)
def test_what_cannot_be_done_is_told_and_nothing_is_written(
    args: tuple[str, ...], said: str, home: Home, project: Path
) -> None:
    home.settings({})
    done = home.hookd("policies", *args, cwd=project, check=False)
    assert done.returncode == 1
    assert said in done.stderr
    assert own(home) == {}


def test_settings_that_cannot_be_used_are_told(home: Home, project: Path) -> None:
    home.settings({"policies": {"disabled": ["nope"]}})
    done = home.hookd("policies", "list", cwd=project, check=False)
    assert done.returncode == 1
    assert "'nope' is no policy" in done.stderr
    checked = home.hookd("settings", "check", cwd=project, check=False)
    assert "policies.disabled[0]: there is no such policy" in checked.stdout


def test_a_project_s_word_holds_there_once_it_is_trusted(window: Window) -> None:
    settings = Path(window.project, ".hookd", "settings.json")
    settings.parent.mkdir()
    said = {"policies": {"options": {"heartbeat": {"block_after": 0}}}}
    settings.write_text(json.dumps(said))
    window.starts()
    assert window.bash() is None
    listed = window.rpc("commands.list", root=window.project)
    assert listed["trusted"] is False
    window.rpc("commands.trust", root=window.project, digest=listed["digest"])
    until(lambda: verdict(window.bash("pwd"))[0] == "deny")
    row = rows(window.home, settings.parent.parent)["heartbeat"]
    assert row["options"]["block_after"] == 0
    assert row["why"] == "by default"
    settings.write_text("{}")
    until(lambda: window.rpc("effort.log", text="x") and window.bash("id") is None)
