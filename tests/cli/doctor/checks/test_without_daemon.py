"""`hookd doctor` and `hookd status` on calls that no daemon answers: the choice, and a trial."""

import json
import re
import sys
from pathlib import Path

import pytest

from support.doctor_home import Scene, scene_in
from support.home import Home


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return scene_in(home, monkeypatch)


def found(scene: Scene, **more: object) -> tuple[str, str]:
    scene.write("user", scene.entries(**more))
    ((state, what),) = scene.found("no daemon")
    return state, what.removeprefix("user settings, no daemon: ")


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("open", "no call is judged (--no-verdict open); see fail policy."),
        ("closed", "no call is judged (--no-verdict closed); see fail policy."),
    ],
)
def test_a_choice_against_judging_is_shown(scene: Scene, choice: str, said: str) -> None:
    assert found(scene, no_verdict=choice) == ("ok", said)


def test_where_the_guards_judge_alone_a_call_is_tried_and_its_time_told(scene: Scene) -> None:
    state, what = found(scene, no_verdict="judge")
    assert (state in ("ok", "warn"), "Slow" in what) == (True, False)
    assert re.match(r"the guards still judge each call; `rm -rf ~` is denied in \d+ ms\.", what)
    assert not scene.home.socket.with_suffix(".unjudged").exists(), "it is no event"
    told = json.loads(scene.home.hookd("status", "--json", check=False).stdout)
    assert told["noVerdict"] == {"user": "judge"}
    assert re.search("no verdict +judge", scene.home.hookd("status", check=False).stdout)


@pytest.mark.parametrize("python", ["/nowhere/python", ""])
def test_an_interpreter_that_is_gone_fails(scene: Scene, python: str) -> None:
    state, what = found(scene, no_verdict="judge", python=python)
    assert (state, what.startswith("calls cannot be judged")) == ("fail", True)


def test_no_interpreter_is_run_but_this_hookds_own(scene: Scene) -> None:
    other = scene.program("python", f"#!/bin/sh\ntouch {scene.home.path}/ran\n")
    state, what = found(scene, no_verdict="judge", python=str(other))
    assert (state, "not by this hookd's interpreter" in what) == ("warn", True)
    assert not (scene.home.path / "ran").exists()
    assert Path(sys.executable) != other
