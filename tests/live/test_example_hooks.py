"""What users copy from examples/hooks does what it says, through the real shim."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.home import Window, until
from support.payloads import verdict

HOOKS = Path(__file__).parent.parent.parent / "examples" / "hooks"
NAMES = sorted(path.name for path in HOOKS.glob("*.sh"))


def lets_run(
    window: Window, name: str, event: str, matcher: str | None = None, **more: Any
) -> None:
    """Copy an example into the project, register it, and trust it."""
    folder = Path(window.project, ".hookd", "hooks")
    folder.mkdir(parents=True)
    shutil.copy(HOOKS / name, folder)
    entry = {"type": "command", "command": f".hookd/hooks/{name}", **more}
    group = {"hooks": [entry]} | ({"matcher": matcher} if matcher else {})
    settings = folder.parent / "settings.json"
    settings.write_text(json.dumps({"hooks": {event: [group]}}))
    window.home.hookd("trust", window.project, "--yes")


def program(window: Window, name: str, script: str) -> None:
    """Let the window's PATH begin with a program of this name."""
    folder = Path(window.project, "bin")
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/bash\n{script}\n")
    path.chmod(0o755)
    window.env["PATH"] = f"{folder}:{os.environ['PATH']}"


def written(window: Window, name: str) -> str:
    path = Path(window.project, name)
    path.write_text("x\n")
    return str(path)


def edits(window: Window, path: str) -> Any:
    return window.says("PostToolUse", tool_name="Edit", tool_input={"file_path": path})


@pytest.mark.parametrize("name", NAMES)
def test_an_example_can_be_run_and_says_how_it_is_registered(name: str) -> None:
    assert os.access(HOOKS / name, os.X_OK)
    assert "hookd hook add " in (HOOKS / name).read_text()


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf build",
        "rm -fr build",
        "rm -r -f build",
        "rm -Rf build",
        "rm --recursive build",
        "rm -f -v -r build",
        "rm build -rf",
        "cd x && rm -rf .",
        "sudo /bin/rm -rf build",
        "true;rm -r x",
        "ls $(rm -r x)",
        "rm\t-rf x",
        ": " + "x" * 3000 + "; rm -rf y",
    ],
)
def test_an_rm_that_is_recursive_is_refused(command: str) -> None:
    assert block_rm(command) == (2, REFUSED)


@pytest.mark.parametrize(
    "command",
    [
        "rm a.txt",
        "rm -f a.txt",
        "ls -R",
        "rm a; ls -r",
        "farm -r x",
        "rm a\nls -r",
        "rm x-r",
        "grep -r rm .",
    ],
)
def test_what_is_no_recursive_rm_passes(command: str) -> None:
    assert block_rm(command) == (0, "")


def test_a_recursive_rm_of_the_model_is_blocked_and_another_call_runs(window: Window) -> None:
    lets_run(window, "block-rm.sh", "PreToolUse", "Bash")
    decision, reason = verdict(window.bash(": " + "x" * 3000 + "; rm -rf y"))
    assert decision == "deny"
    assert REFUSED.strip() in reason
    assert window.bash("rm a.txt") is None


REFUSED = "Blocked: destructive rm. Name the files one by one, or ask the user to do it.\n"


def block_rm(command: str, opta: bool = False) -> tuple[int, str]:
    """Run block-rm.sh for a call, in Opta's way or in Claude Code's; return code and stderr."""
    call = {"command": command}
    variables = {"OPTA_EVENT": "tool.pre", "OPTA_TOOL_ARGS": json.dumps(call)}
    done = subprocess.run(
        [HOOKS / "block-rm.sh"],
        env={"PATH": os.environ["PATH"]} | (variables if opta else {}),
        input="" if opta else json.dumps({"tool_input": call}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr


def test_opta_gets_its_own_variables_and_exit_code() -> None:
    assert block_rm("rm -rf x", opta=True) == (1, REFUSED)
    assert block_rm("ls", opta=True) == (0, "")


def test_a_file_is_linted_once_it_was_edited(window: Window) -> None:
    program(window, "ruff", 'echo "$@" >>linted')
    lets_run(window, "auto-lint.sh", "PostToolUse", "Edit|Write|MultiEdit")
    path = written(window, "a b.py")
    assert edits(window, path) is None
    assert Path(window.project, "linted").read_text() == f"check --fix --quiet {path}\n"
    assert edits(window, written(window, "notes.txt")) is None


def test_a_linter_that_fails_blocks_nothing(window: Window) -> None:
    program(window, "npx", "echo broken >&2; exit 2")
    lets_run(window, "auto-lint.sh", "PostToolUse", "Edit")
    assert edits(window, written(window, "a.ts")) is None


@pytest.mark.parametrize("script", ["auto-lint.sh", "format-on-edit.sh"])
def test_what_is_not_installed_is_not_fetched_for_an_edit(window: Window, script: str) -> None:
    program(window, "npx", 'echo "$1" >>asked')
    lets_run(window, script, "PostToolUse", "Edit")
    assert edits(window, written(window, "a.ts")) is None
    assert Path(window.project, "asked").read_text() == "--no-install\n"


def test_a_file_that_cannot_be_formatted_is_told_to_the_model(window: Window) -> None:
    program(window, "ruff", "echo 'line 3: no'; exit 1")
    lets_run(window, "format-on-edit.sh", "PostToolUse", "Edit|Write")
    told = edits(window, written(window, "a.py"))
    assert told["decision"] == "block"
    assert "line 3: no" in told["reason"]
    program(window, "ruff", "exit 0")
    assert edits(window, written(window, "b.py")) is None


def test_tests_run_behind_the_agents_back(window: Window) -> None:
    program(window, "npm", 'echo "$@" >tested')
    lets_run(window, "auto-test.sh", "PostToolUse", "Edit|Write", **{"async": True})
    assert edits(window, written(window, "a.ts")) is None
    tested = Path(window.project, "tested")
    until(lambda: tested.exists() and tested.read_text() == "test -- --run --reporter=dot\n")


@pytest.mark.parametrize("name", [".env", ".env.local", "uv.lock", ".git/config"])
def test_what_is_protected_is_not_written(window: Window, name: str) -> None:
    lets_run(window, "protect-files.sh", "PreToolUse", "Edit|Write|MultiEdit")
    decision, reason = verdict(window.calls("Write", file_path=f"{window.project}/{name}"))
    assert decision == "deny"
    assert f"{name} is protected" in reason


def test_what_is_not_protected_is_written(window: Window) -> None:
    lets_run(window, "protect-files.sh", "PreToolUse", "Edit|Write|MultiEdit")
    assert window.calls("Write", file_path=f"{window.project}/environment.py") is None


def test_the_desktop_is_told_that_somebody_waits(window: Window) -> None:
    program(window, "notify-send", 'printf "%s|" "$@" >told')
    lets_run(window, "notify-idle.sh", "Notification", "idle_prompt", **{"async": True})
    assert window.says("Notification", notification_type="idle_prompt") is None
    told, name = Path(window.project, "told"), Path(window.project).name
    until(lambda: told.exists() and told.read_text() == f"Claude Code|waits for you in {name}|")


def git(window: Window, *args: str) -> str:
    config = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    return subprocess.run(
        ["git", *args],
        cwd=window.project,
        env={"PATH": os.environ["PATH"]} | config,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout


def test_what_a_session_leaves_is_committed_to_its_branch(window: Window) -> None:
    git(window, "init", "--quiet", "--initial-branch=work")
    git(window, "config", "user.name", "a")
    git(window, "config", "user.email", "a@b")
    lets_run(window, "commit-at-end.sh", "SessionEnd", timeout=30, **{"async": True})
    written(window, "left.txt")
    window.says("SessionEnd", reason="other")
    until(lambda: "left.txt" in git(window, "log", "--all", "--name-only"))
    assert window.id in git(window, "log", "--format=%s")


def test_nothing_is_committed_to_main(window: Window) -> None:
    git(window, "init", "--quiet", "--initial-branch=main")
    written(window, "left.txt")
    env = {"PATH": os.environ["PATH"], "HOOKD_PROJECT_DIR": window.project}
    subprocess.run([HOOKS / "commit-at-end.sh"], env=env, timeout=60, check=True)
    assert git(window, "status", "--porcelain") == "?? left.txt\n"
