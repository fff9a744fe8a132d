"""Hooks at a terminal in a hostile or odd folder: reported, and not changed."""

import json
import os
import pty
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support import forkserver
from support.home import HOOKD, Home, Window
from support.project_hooks import ENTRY, file_of, holding, refused, run, written


def odd_fifo(path: Path) -> None:
    os.mkfifo(path)


def odd_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def odd_loop(path: Path) -> None:
    path.symlink_to(path.name)


def odd_folder(path: Path) -> None:
    path.mkdir()


def odd_size(path: Path) -> None:
    path.write_text(" " * 300_000)


def odd_depth(path: Path) -> None:
    path.write_text('{"hooks": ' + "[" * 50_000 + "]" * 50_000 + "}")


def odd_levels(path: Path) -> None:
    path.write_text('{"model": ' + "[" * 200 + "]" * 200 + "}")


ODD = [odd_fifo, odd_device, odd_loop, odd_folder, odd_size, odd_depth, odd_levels]


@pytest.mark.parametrize("make", ODD)
def test_what_no_file_of_settings_is_is_neither_read_nor_written(
    window: Window, make: Callable[[Path], None]
) -> None:
    make(file_of(window))
    said = refused(window, "hooks", "add", "Stop", "true", "--scope", "project")
    assert f"{window.project}/.hookd/settings.json" in said
    assert "next: " in said


@pytest.mark.parametrize("make", [odd_fifo, odd_size, odd_depth])
def test_a_file_that_cannot_be_read_keeps_a_project_from_being_trusted_and_says_so(
    window: Window, make: Callable[[Path], None]
) -> None:
    written(window, holding(ENTRY), "settings.local.json")
    make(file_of(window))
    for args in (["trust"], ["trust", "--yes"], ["trust", "--yes", "--json"]):
        said = refused(window, *args)
        assert ".hookd/settings.json: " in said
        assert "none can be trusted" in said
    done = run(window, "settings", "check", check=False)
    assert done.returncode == 1
    assert ".hookd/settings.json:1: error: it is" in done.stdout


def test_a_broken_file_of_a_project_leaves_hooks_of_ones_own_in_reach(home: Home) -> None:
    project = home.path / "p"
    (project / ".hookd").mkdir(parents=True)
    for name in ("settings.json", "settings.local.json"):
        os.mkfifo(project / ".hookd" / name)
    where = ("--project-dir", str(project))
    home.hookd("hook", "add", "Stop", "true", "--id", "mine", *where)
    assert "is off" in home.hookd("hook", "disable", "mine", *where).stdout
    assert "is on again" in home.hookd("hook", "enable", "mine", *where).stdout
    assert "no longer runs" in home.hookd("hook", "remove", "mine", *where).stdout
    done = home.hookd("hook", "remove", "theirs", *where, check=False)
    assert "it is no regular file" in done.stderr


def test_a_name_of_a_strangers_choice_does_not_reach_the_terminal(window: Window) -> None:
    file_of(window, "settings.local.json").symlink_to("evil\x1b[2J.json")
    told = [
        run(window, "hooks", "add", "Stop", "true", "--id", "one", "--scope", "local").stdout,
        run(window, "hooks", "disable", "one").stdout,
        run(window, "hooks", "enable", "one").stdout,
        run(window, "hooks", "remove", "one").stdout,
    ]
    assert all("evil\\x1b[2J.json" in one and "\x1b" not in one for one in told)


def test_a_next_step_can_be_typed_whatever_the_folder_is_called(window: Window) -> None:
    root = Path(window.project, "a b$(touch pwned)")
    root.mkdir()
    inside = Window(window.home, str(root))
    written(inside, holding(ENTRY))
    step = run(inside, "hooks", "list").stderr.rpartition("next: ")[2]
    assert step == f"hookd trust '{root}'\n"
    asks = run(inside, "hooks", "add", "Stop", "true", "--scope", "local").stderr
    assert f"hookd trust '{root}'" in asks
    assert f"--project-dir '{root}'" in refused(inside, "trust")
    assert f"hookd trust '{root}'" in run(inside, "hooks", "test", "Stop").stderr


def test_numbers_of_any_form_are_read_as_numbers(home: Home) -> None:
    entry = '{"type": "command", "command": "true", "id": "one", "timeout": 1.0e1}'
    home.settings(f'{{"hooks": {{"Stop": [{{"hooks": [{entry}]}}]}}}}')
    home.hookd("hook", "add", "Stop", "false", "--id", "two")
    assert '"timeout": 1.0e1' in (home.path / "settings.json").read_text()
    done = home.hookd("hook", "test", "Stop", "--dry-run", "--json")
    assert [one["timeout"] for one in json.loads(done.stdout)["hooks"]] == [10.0, 60.0]


@pytest.mark.parametrize("seconds", ["0", "nan", "inf", "-inf"])
def test_a_timeout_that_is_no_time_is_refused(home: Home, seconds: str) -> None:
    done = home.hookd("hook", "add", "Stop", "true", f"--timeout={seconds}", check=False)
    assert done.returncode == 1
    assert "timeout: must be a number" in done.stderr
    assert not (home.path / "settings.json").exists()


@pytest.mark.parametrize("name", ["-x", "--help", "a\nb", "\x1b[2J", ""])
def test_an_id_that_nobody_could_name_is_refused(home: Home, name: str) -> None:
    done = home.hookd("hook", "add", "Stop", "true", f"--id={name}", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "id: " in done.stderr
    assert "\x1b" not in done.stderr


def test_what_a_glob_switches_off_is_switched_on_by_the_glob(home: Home) -> None:
    (home.path / "plugins" / "n").mkdir(parents=True)
    plugin = holding({**ENTRY, "id": "notes-stop"}, event="Stop")
    (home.path / "plugins" / "n" / "hooks.json").write_text(json.dumps(plugin))
    home.settings({"disabled_hooks": ["notes-*"]})
    done = home.hookd("hook", "enable", "notes-stop", check=False)
    assert "hookd hook enable 'notes-*'" in done.stderr
    assert "is on again" in home.hookd("hook", "enable", "notes-*").stdout
    assert json.loads((home.path / "settings.json").read_text()) == {}


@pytest.mark.gate
def test_a_folder_that_is_gone_is_told_of(home: Home) -> None:
    gone, there = home.path / "gone", home.path / "there"
    there.mkdir()
    gone.mkdir()
    # Not under the agent that the tests may run in: only a person adds a hook.
    added = forkserver.run(("hooks", "add", "Stop", "a"), home.env, gone, gone=True)
    assert (added.returncode, "The current folder no longer exists." in added.stderr) == (
        1,
        True,
    )
    for args in (["list"], ["test", "Stop", "--project-dir", str(there)]):
        gone.mkdir()
        text = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
        command = ["sh", "-c", text, "sh", str(gone), str(HOOKD), "hooks", *args]
        done = subprocess.run(command, env=home.env, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "The current folder no longer exists." in done.stderr


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (b'{"a": "\xff"}', 1, "is not UTF-8: see byte 7"),
        (b'{"a": 1e999}', 1, "Invalid payload: Infinity is not JSON"),
        (b'{"a": ' + b"[" * 900 + b"]" * 900 + b"}", 0, ""),
        (b'\xef\xbb\xbf{"a": "\\ud800"}', 0, ""),
    ],
)
def test_a_payload_is_read_as_the_daemon_reads_it(
    home: Home, text: bytes, code: int, said: str
) -> None:
    (home.path / "p.json").write_bytes(text)
    home.settings(holding({"type": "command", "command": "cat >&2"}, event="Stop"))
    done = home.hookd("hook", "test", "Stop", "--payload", str(home.path / "p.json"), check=False)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not home.database.exists()


def test_what_a_hook_answers_does_not_reach_the_terminal_as_it_is(home: Home) -> None:
    decided = {"permissionDecision": "deny", "permissionDecisionReason": "\x9b2J \u202e \x1b[2J"}
    said = {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decided}}
    home.settings(holding({"type": "command", "command": f"echo '{json.dumps(said)}'", "id": "a"}))
    done = home.hookd("hook", "test", "PreToolUse", "--tool", "Bash")
    assert "\\x9b2J \\u202e" in done.stdout
    assert not set(done.stdout) & set("\x1b\x9b\u202e")
    assert "The tool did not run. To turn it off: hookd hook disable a\n" in done.stdout


def test_where_no_colours_are_wanted_there_are_none(home: Home) -> None:
    home.settings(holding({"type": "command", "command": "true"}, event="Stop"))
    for env in ({}, {"NO_COLOR": "1"}):
        master, slave = pty.openpty()
        args = ("hooks", "test", "Stop")
        assert forkserver.Child(args, home.env | env, home.path, slave, slave, slave).wait() == 0
        os.close(slave)
        assert (b"\x1b" in os.read(master, 65536)) is not bool(env)
        os.close(master)
