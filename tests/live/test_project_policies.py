"""Live: a project's policy settings apply to all requests from there."""

import json
import tarfile
from pathlib import Path
from typing import Any

from support.home import Window
from support.payloads import verdict


def writes(window: Window, **policies: Any) -> Path:
    """Let the window's project say something of policies."""
    path = Path(window.project, ".hookd", "settings.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"policies": policies}))
    return path


def trusts(window: Window) -> None:
    page = window.rpc("userHooks.list", root=window.project)
    window.rpc("userHooks.trust", root=window.project, digest=page["digest"])


def test_a_loop_is_not_started_where_the_project_has_switched_that_off(window: Window) -> None:
    writes(window, disabled=["ralph-loop"])
    trusts(window)
    window.says("SessionStart")
    said = window.rpc("loop.start", prompt="Add pages", env=window.identity)
    assert (said["started"], said["why"]) == (
        False,
        "the policy ralph-loop is off; turn it on with hookd policy enable ralph-loop",
    )


def test_what_was_trusted_is_told_where_it_holds_on(window: Window) -> None:
    path = writes(window, enabled=["single-task"])
    trusts(window)
    path.write_text(path.read_text() + " ")
    problems = window.rpc("userHooks.list", root=window.project)["problems"]
    assert [one["key"] for one in problems] == ["policies"]
    args = ("policies", "list", "--json", "--project-dir", window.project)
    rows = json.loads(window.home.hookd(*args, cwd=window.project).stdout)
    row = next(one for one in rows if one["policy"] == "single-task")
    assert row["mode"] == "enforce"
    assert "as it was trusted last" in row["why"]
    window.rpc("userHooks.untrust", root=window.project)
    rows = json.loads(window.home.hookd(*args, cwd=window.project).stdout)
    assert next(one for one in rows if one["policy"] == "single-task")["mode"] == "off"


def test_what_hookd_stands_on_is_guarded_on_the_real_road(window: Window) -> None:
    home = window.home
    for path in (home.stopped, home.database, home.path / "shims" / "hookd-hook"):
        decision, reason = verdict(window.bash(f"touch {path}"))
        assert (decision, "self-guard: " in reason) == ("ask", True), path
    link = Path(window.project, "notes.json")
    link.symlink_to(home.path / "settings.json")
    assert verdict(window.calls("Write", file_path=str(link), content="{}"))[0] == "ask"
    assert verdict(window.bash(f"kill {home.pid}"))[0] == "ask"
    assert verdict(window.bash("HOOKD_HOME=/x hookd policy disable overflow"))[0] == "ask"
    for command in ("hookd log 'hookd stop'", "hookd handover save", f"cat {link}"):
        assert verdict(window.bash(command)) == ("", ""), command


def test_what_an_archive_or_a_folder_holds_is_looked_at_before_it_lands(window: Window) -> None:
    evil, clean = Path(window.project, "evil"), Path(window.project, "clean")
    for folder, name in ((evil, ".claude/settings.json"), (clean, "src/settings.json")):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("{}")
        with tarfile.open(f"{folder}.tgz", "w:gz") as archive:
            archive.add(folder, ".")
    for command in ("tar xf evil.tgz", "cp -r evil/. .", "cp -r evil/.claude .", "tar xf no.tgz"):
        decision, reason = verdict(window.bash(command))
        assert (decision, "self-guard: " in reason) == ("ask", True), command
    for command in ("tar xf clean.tgz", "cp -r clean/. .", "tar xf evil.tgz -C build"):
        assert verdict(window.bash(command)) == ("", ""), command
    assert verdict(window.bash(f"mkdir {window.home.stopped}"))[0] == "ask"
