"""Doctor and status on the native shim: how it was made, how fast a hook is, what is damaged."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookd.cli.install import native_build
from hookd.core.model.shim_paths import ALONE, COLD
from hookd.system import native_shim
from support.doctor_home import Scene, guarded, scene_in
from support.home import Home
from support.native_shim import native

pytestmark = pytest.mark.gate

NATIVE = "hookd-hook.native"


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """A scene with the native shim, compiled here."""
    native()  # skips the test without a compiler
    with guarded(home, monkeypatch, shim="native") as scene:
        yield scene


def status(scene: Scene) -> tuple[str, str]:
    """Return which shim the user's scope has, and the problem, by `hookd status`."""
    facts = json.loads(scene.home.hookd("status", "--json").stdout)
    return facts["shim"]["user"], facts["shimProblem"]


def test_the_native_shim_is_told_with_its_origin_and_its_time(scene: Scene) -> None:
    assert scene.bad("shim", "hook time", "canary") == []
    ((_, what),) = scene.found("shim")
    place = scene.home.path / "shims" / NATIVE
    assert re.fullmatch(rf"{place} works, compiled by .*, and the shim of bash .*\.", what)
    (timed,) = scene.findings("hook time")
    assert timed.data
    assert (timed.data["shim"], timed.next) == (NATIVE, None)
    assert re.search(r"[\d.]+ ms by the native shim, [\d.]+ x `bash -c :`", timed.what)
    assert status(scene) == ("native", "")
    ((_, what),) = scene.found("transport")
    assert what.endswith("hooks need it only if the native shim cannot answer.")
    assert "shim        native" in scene.home.hookd("status").stdout


def test_the_status_line_is_shown_by_the_native_shim_and_a_damaged_one_is_told(
    scene: Scene,
) -> None:
    scene.home.hookd("install", "--statusline")
    link = scene.home.path / "shims" / "user" / "hookd-statusline"
    assert link.readlink().name == NATIVE
    assert scene.bad("status line") == []
    (scene.home.path / "shims" / NATIVE).write_bytes(b"\x7fELF")
    ((_, what),) = scene.found("status line")
    assert what.endswith(f"cannot be used: {NATIVE} was changed after its installation.")


def test_a_damaged_native_shim_is_told_by_doctor_and_status_and_install_repairs_it(
    scene: Scene,
) -> None:
    program, record = (scene.home.path / "shims" / name for name in (NATIVE, f"{NATIVE}.json"))
    good = record.read_bytes()
    for damage, why in (
        (lambda: program.write_bytes(b"\x7fELF"), f"{NATIVE} was changed after its installation"),
        (program.unlink, f"{NATIVE} is not there"),
        (lambda: other_machine(record), f"{NATIVE} is made for Plan9 mips"),
    ):
        damage()
        ((state, what),) = scene.found("shim")
        assert (state, why.removeprefix(NATIVE) in what) == ("fail", True), what
        assert status(scene)[1].startswith(why)
        assert "hookd install" in scene.home.hookd("status").stdout
        scene.home.hookd("install")
        assert (scene.bad("shim"), status(scene)) == ([], ("native", ""))
    assert json.loads(good)["source"] == json.loads(record.read_bytes())["source"]


def other_machine(record: Path) -> None:
    record.write_text(json.dumps(json.loads(record.read_text()) | {"machine": "Plan9 mips"}))


def test_a_program_that_the_record_allows_is_tried(scene: Scene) -> None:
    program, record = (scene.home.path / "shims" / name for name in (NATIVE, f"{NATIVE}.json"))
    program.write_bytes(b"\x7fELF of another machine")
    build = json.loads(record.read_text()) | {"program": native_shim.digest(program)}
    record.write_text(json.dumps(build))
    ((state, what),) = scene.found("shim")
    assert (state, what.endswith("it cannot be started: Exec format error.")) == ("fail", True)


def test_an_older_source_and_another_shim_of_bash_are_warnings(scene: Scene) -> None:
    record = scene.home.path / "shims" / f"{NATIVE}.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"source": "older"}))
    ((state, what),) = scene.found("shim")
    assert (state, what.endswith("is made from an older source.")) == ("warn", True)
    with (scene.home.path / "shims" / "hookd-hook").open("a") as file:
        file.write("# older\n")
    ((state, what),) = scene.found("shim")
    assert (state, what.endswith("but an older or changed one.")) == ("warn", True)


@pytest.mark.parametrize("name", [COLD, ALONE])
def test_a_file_beside_the_shim_whose_end_is_missing_is_named_and_a_failure(
    scene: Scene, name: str
) -> None:
    place = scene.home.path / "shims" / name
    whole = place.read_bytes()
    for part in (b"", whole[:1000]):
        place.write_bytes(part)
        assert scene.found("shim") == [("fail", f"The end of the shim {place} is missing.")]
    place.write_bytes(b"")
    assert status(scene)[1] == f"{name} is empty"


@pytest.fixture
def bash(home: Home, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """A scene with the shim of bash, and without a daemon."""
    scene = scene_in(home, monkeypatch)
    home.hookd("install", "--shim", "bash")
    return scene


def built(scene: Scene, **values: str) -> None:
    """Have a record of a build, and a registration that left the choice to hookd."""
    shims = scene.home.path / "shims"
    (shims / f"{NATIVE}.json").write_bytes(native_shim.text(native_shim.Build(**values)))
    config = shims / "user" / "config"
    config.write_text(config.read_text().replace("shim bash\n", ""))


def test_the_reason_for_bash_is_told_with_the_next_step(bash: Scene) -> None:
    (timed,) = bash.findings("hook time")
    assert timed.what.endswith("the time of the daemon. It was chosen by --shim bash.")
    built(bash, why=native_build.NO_COMPILER)
    (timed,) = bash.findings("hook time")
    assert (timed.state, timed.next) == ("ok", None)
    assert timed.what.endswith(f"To have it: {native_build.step(native_build.NO_COMPILER)}.")
    built(bash, why="cc: error")
    (timed,) = bash.findings("hook time")
    assert (timed.state, timed.next) == ("warn", native_build.step("cc: error"))
    built(bash, program="x", why="it was changed, so hooks start hookd-hook")
    (timed,) = bash.findings("hook time")
    assert (timed.state, timed.next) == ("warn", "hookd install")
    (bash.home.path / "shims" / f"{NATIVE}.json").unlink()
    (timed,) = bash.findings("hook time")
    assert timed.what.endswith("To have the native one: hookd install.")


def test_a_hook_that_gives_no_answer_has_no_time(bash: Scene) -> None:
    (bash.home.path / "shims" / "hookd-hook").write_text("#!/bin/sh\nexit 1\n")
    (timed,) = bash.findings("hook time")
    assert (timed.state, timed.next) == ("warn", "hookd install")
