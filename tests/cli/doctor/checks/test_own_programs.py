"""Doctor starts no program that a clone's settings name, but only what `hookd install` would write.

A real daemon, real settings in a project, and programs that would leave a mark.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.doctor.checks import own_programs
from hookd.cli.doctor.checks.hook_entries import parse_hooks
from hookd.cli.doctor.checks.own_programs import foreign_program
from hookd.cli.lib import transport
from support.doctor_home import Scene, guarded
from support.home import HOOKD, SHIM, Home

pytestmark = pytest.mark.gate


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """A clone in which hookd runs; only its own settings name a hook."""
    with guarded(home, monkeypatch) as scene:
        scene.files["user"].unlink()
        yield scene


def marking(path: Path) -> Path:
    """Write a program that leaves a mark in its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\ntouch {path.parent}/mark\n")
    path.chmod(0o755)
    return path


def shim_in(scene: Scene) -> str:
    """Return a copy of the real shim that came with the clone, and of what it reads."""
    folder = scene.project / "x"
    folder.mkdir(exist_ok=True)
    for one in (SHIM, SHIM.with_name("hookd-cold"), SHIM.with_name("hookd-alone")):
        shutil.copy(one, folder / one.name)
    return "${CLAUDE_PROJECT_DIR}/x/hookd-hook"


def canary(scene: Scene) -> list[tuple[str, str]]:
    """Run all checks, as none of them may start what the clone names; return the trial's."""
    return [(one.state, one.what) for one in scene.findings() if one.check == "canary"]


def tried(scene: Scene, *more: str, **named: Any) -> tuple[str, str]:
    """Let the clone's settings name programs; return the trial's state, and what it says."""
    settings = scene.older("PreToolUse", **({"path": shim_in(scene)} | named))
    settings["hooks"]["PreToolUse"][0]["hooks"][0]["args"] += more
    scene.write("project", settings)
    ((state, what),) = canary(scene)
    assert list(scene.home.path.rglob("mark")) == []
    return state, what.removeprefix(f"not tried: {scene.files['project']} names ")


def test_a_copy_of_the_shim_with_programs_of_the_path_is_tried(scene: Scene) -> None:
    assert tried(scene)[0] == "ok"


def test_a_copy_that_would_read_something_else_is_not_run(scene: Scene) -> None:
    shim = marking(scene.project / "y" / "hookd-cold").with_name("hookd-hook")
    shutil.copy(SHIM, shim)
    what = f"{shim}, a program that is not hookd's shim."
    assert tried(scene, path=str(shim)) == ("fail", what)


@pytest.mark.parametrize("command", ["${CLAUDE_PROJECT_DIR}/y/hookd-hook", "y/hookd-hook"])
def test_a_program_that_only_has_the_shim_s_name_is_not_run(scene: Scene, command: str) -> None:
    marking(scene.project / "y" / "hookd-hook")
    named = command.replace("${CLAUDE_PROJECT_DIR}", str(scene.project))
    said = f"{named}, a program that is not hookd's shim."
    assert tried(scene, path=command) == ("fail", said)
    (finding,) = scene.findings("canary")
    step = "look at it, then hookd install --scope project, which replaces it with hookd's"
    assert finding.next == step


@pytest.mark.parametrize(
    "place",
    [
        "{project}/x/nc",
        "{project}/../beside/nc",
        "x/nc",
        "/proc/self/cwd/x/nc",
        "{home}/bin/other",
    ],
)
def test_a_transport_that_install_would_not_choose_is_not_run(scene: Scene, place: str) -> None:
    marking(scene.project / "x" / "nc")
    marking(scene.home.path / "beside" / "nc")
    marking(scene.home.path / "bin" / "other")
    named = "nc:" + place.format(project=scene.project, home=scene.home.path)
    said = f"the transport {named}, which hookd install would not choose."
    assert tried(scene, transport=named) == ("fail", said)
    assert tried(scene, "--transport", named) == ("fail", said)


def test_a_link_of_the_clone_to_a_program_of_the_system_is_not_run(scene: Scene) -> None:
    marking(scene.home.path / "bin" / "other")
    (scene.project / "nc").symlink_to(scene.home.path / "bin" / "other")
    assert tried(scene, transport=f"nc:{scene.project}/nc")[0] == "fail"


def test_a_transport_in_the_project_is_not_run_though_it_is_on_the_path(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    nc = marking(scene.project / "tools" / "nc")
    monkeypatch.setenv("PATH", str(nc.parent), prepend=":")
    assert tried(scene, transport=f"nc:{nc}")[0] == "fail"


def test_a_transport_of_the_path_is_tried(scene: Scene) -> None:
    nc = marking(scene.home.path / "bin" / "nc")
    scene.write("project", scene.older("PreToolUse", path=shim_in(scene), transport=f"nc:{nc}"))
    scene.findings("canary")
    assert nc.with_name("mark").exists()


@pytest.mark.parametrize("target", ["shim", "marking"])
def test_a_link_in_a_scope_s_folder_of_the_clone_is_not_run(scene: Scene, target: str) -> None:
    """The shim would read its configuration, and what starts a daemon, from beside the link."""
    scene.home.hookd("install")
    ours = scene.home.path / "shims"
    shutil.copytree(ours, scene.project / "shims", symlinks=True)
    link = scene.project / "shims" / "user" / "PreToolUse"
    link.unlink()
    link.symlink_to(ours / "hookd-hook" if target == "shim" else marking(scene.project / "y"))
    entry = {"type": "command", "command": str(link), "args": [], "timeout": 15}
    scene.files["user"].unlink()
    scene.write("project", {"hooks": {"PreToolUse": [{"hooks": [entry]}]}})
    ((state, what),) = canary(scene)
    assert (state, what.endswith(f"{link}, a program that is not hookd's shim.")) == ("fail", True)
    assert list(scene.home.path.rglob("mark")) == []


def test_a_transport_of_the_configuration_that_install_would_not_choose_is_not_run(
    scene: Scene,
) -> None:
    scene.home.hookd("install")
    nc = marking(scene.project / "tools" / "nc")
    scene.write("user", scene.entries("PreToolUse", transports=(f"nc:{nc}",)))
    assert canary(scene)[0][1].endswith("which hookd install would not choose.")
    assert [state for state, _ in scene.found("transport")] == ["ok"]
    assert list(scene.home.path.rglob("mark")) == []


def test_a_copied_interpreter_of_a_venv_and_its_original_are_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`install` names both; in a venv with copies they are different files."""
    copy = marking(tmp_path / "venv" / "bin" / "python")
    monkeypatch.setattr(sys, "executable", str(copy))
    named = [f"python3:{place}" for place in transport.interpreters()]
    assert len(named) == 2
    assert all(own_programs.is_chosen(one, tmp_path / "project") for one in named)


def test_a_program_hookd_of_the_clone_is_not_run(scene: Scene) -> None:
    hookd = marking(scene.project / "bin" / "hookd")
    said = f"{hookd}, a program that is not this hookd."
    assert tried(scene, hookd=str(hookd)) == ("fail", said)


def test_the_socket_of_this_hookd_is_not_named_by_a_link_of_the_clone(scene: Scene) -> None:
    link = scene.project / "hookd.sock"
    link.symlink_to(scene.home.socket)
    assert tried(scene, socket=str(link))[1].endswith(
        "does not ask this daemon, so it was not tried."
    )


def test_in_the_home_folder_programs_of_the_path_are_the_user_s_own(scene: Scene) -> None:
    nc = scene.program("nc", "#!/bin/sh")
    settings = scene.older("PreToolUse", path=str(SHIM), transport=f"nc:{nc}", hookd=str(HOOKD))
    file = scene.files["user"]
    ((hook,), _) = parse_hooks(settings, "user", file, scene.home.path)
    assert foreign_program(hook, scene.home.path) == ""
    assert foreign_program(hook, scene.home.path / "bin") != ""
