"""What `hookd doctor` says of the status line: whose is shown, and what ours lacks."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.install import scope_folder
from hookd.clients.claude_code.status_line_entry import LineShim, wrap
from hookd.core.model.shim_config import ShimConfig
from support.doctor_home import Scene, scene_in
from support.home import Home

pytestmark = pytest.mark.gate


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return scene_in(home, monkeypatch)


def shim(scene: Scene, **more: str) -> LineShim:
    """Make a scope's folder with such a configuration; return the status line that uses it."""
    known = {"socket": str(scene.home.socket), "transport": f"nc:{sys.executable}"} | more
    config = ShimConfig(socket=known["socket"], transports=(known["transport"],))
    folder = scene.home.path / "shims" / "user"
    scope_folder.write(folder, config, line=True)
    return LineShim(str(folder / "hookd-statusline"))


def said(scene: Scene) -> tuple[str, str]:
    ((state, what),) = scene.found("status line")
    return state, what


def test_without_one_it_says_where_the_usage_comes_from(scene: Scene) -> None:
    state, what = said(scene)
    assert state == "ok"
    assert "is only read from transcripts; hookd install --statusline registers it" in what


def test_what_install_wrote_is_well_and_names_whose_command_it_runs(scene: Scene) -> None:
    scene.home.hookd("install", "--statusline")
    file = scene.files["user"]
    assert said(scene) == ("ok", f"user settings, {file}: hookd's line is shown alone.")
    scene.home.hookd("install", "--no-statusline")
    value = json.loads(file.read_text())
    scene.write("user", value | {"statusLine": {"type": "command", "command": "date | wc"}})
    assert said(scene)[1].startswith("hookd's is not registered")
    scene.home.hookd("install", "--statusline")
    what = f"user settings, {file}: hookd's line is shown below that of: date | wc."
    assert said(scene) == ("ok", what)


def test_a_stronger_file_that_holds_another_is_a_warning(scene: Scene) -> None:
    scene.home.hookd("install", "--statusline")
    other = scene.write("local", {"statusLine": {"type": "command", "command": "date"}})
    (finding,) = scene.findings("status line")
    what = f"The status line in {other} is shown instead of hookd's in {scene.files['user']}."
    step = "hookd install --scope local --statusline"
    assert (finding.state, finding.what, finding.next) == ("warn", what, step)


def test_a_shim_that_is_not_there_not_executable_or_another_is_a_warning(scene: Scene) -> None:
    scene.home.hookd("install", "--statusline", "--shim", "bash")
    place = scene.home.path / "shims" / "hookd-statusline"
    link = scene.home.path / "shims" / "user" / "hookd-statusline"
    what = f"The shim {link}, which {scene.files['user']} names, "
    place.write_text("#!/bin/bash\n")
    older = "is not the one of this hookd, but an older or changed one."
    assert said(scene) == ("warn", what + older)
    place.chmod(0o644)
    assert said(scene) == ("warn", what + "is not executable.")
    place.unlink()
    assert said(scene) == ("warn", what + "is not there.")
    assert [one.next for one in scene.findings("status line")] == ["hookd install --statusline"]


@pytest.mark.parametrize(
    ("more", "end"),
    [
        ({"socket": "/run/other/hookd.sock"}, "It asks on /run/other/hookd.sock, but this hookd "),
        ({"transport": "nc:/nowhere/nc"}, "The transport nc:/nowhere/nc is not there."),
        ({"transport": "curl:/bin/sh"}, "The transport curl:/bin/sh is none of nc, socat, "),
    ],
)
def test_what_the_shim_could_not_ask_by_is_a_warning(
    scene: Scene, more: dict[str, str], end: str
) -> None:
    scene.home.hookd("install", "--statusline")
    value: dict[str, Any] = json.loads(scene.files["user"].read_text())
    scene.write("user", wrap(value, shim(scene, **more)))
    state, what = said(scene)
    assert (state, what.startswith(end)) == ("warn", True), what


def test_a_program_of_a_project_s_settings_is_looked_at_but_never_run(scene: Scene) -> None:
    scene.home.hookd("install")
    mark = scene.home.path / "ran"
    program = scene.project / "x" / "hookd-statusline"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)
    scene.write("project", wrap({}, LineShim(str(program))))
    assert {state for state, _ in scene.found("status line")} == {"warn"}
    assert not Path(mark).exists()
