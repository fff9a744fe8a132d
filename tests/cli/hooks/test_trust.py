"""Trust covers the shown content or the user's own change, and no change made meanwhile."""

import json
import os
import pty
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.hooks import own_files, write_trusted
from hookd.cli.lib.errors import Problem
from support import forkserver
from support.home import Home, Window
from support.project_hooks import ENTRY, file_of, holding, refused, run, written


def trusted(window: Window) -> Any:
    return window.home.rpc("userHooks.list", {"root": window.project})["trusted"]


def asked(
    window: Window, answer: str, before: Callable[[], object] = lambda: None, **env: str
) -> tuple[int, str]:
    """Run `hookd trust` at a terminal, with an answer to its question."""
    master, slave = pty.openpty()
    reads, writes = os.pipe()
    said = b""
    one = forkserver.Child(("trust",), window.home.env | env, window.project, slave, writes, writes)
    os.close(writes)
    with os.fdopen(reads, "rb", buffering=0) as told:
        while b"[y/N]" not in said and (more := told.read(65_536)):
            said += more
        before()
        os.write(master, f"{answer}\n".encode())
        said += told.readall()
    code = one.wait()
    os.close(slave)
    os.close(master)
    return code, said.decode()


def test_all_that_would_run_is_shown_and_how_long_it_is_hides_nothing(window: Window) -> None:
    hidden = {**ENTRY, "command": "ruff" + " " * 600 + "; touch pwned\x1b[8m", "inherit_env": True}
    headers = {"headers": {"X-Key": "$KEY"}, "allowedEnvVars": ["KEY"]}
    sent = {"type": "http", "url": "https://x.example/", **headers}
    written(window, holding(hidden, sent, disabled_hooks=["guard-*", "lint\x1b[2J"]))
    code, said = asked(window, "n", COLUMNS="80")
    assert code == 1
    assert "; touch pwned\\x1b[8m" in said
    assert "the whole environment" in said
    assert "https://x.example/" in said
    assert "sent with: X-Key, KEY" in said
    assert "switches off: guard-*, lint\\x1b[2J" in said
    assert "\x1b" not in said
    assert trusted(window) is False


def test_what_a_project_says_of_policies_is_told_in_words_and_with_its_faults(
    window: Window,
) -> None:
    said_there = {"disabled": ["destructive-guard"], "options": {"heartbeat": {"block_after": 20}}}
    written(window, {"policies": said_there, "policy": 1})
    code, said = asked(window, "n", COLUMNS="80")
    assert code == 1
    assert "destructive-guard is off here, instead of enforce" in said
    assert "heartbeat: block_after is 20 here, instead of 10" in said
    assert "settings.json: policy: note: there is no such setting; did you mean `policies`?" in said
    assert f"{window.project} is not trusted: its own settings do not apply." in said
    assert "Aborted" not in said
    assert trusted(window) is False


def test_a_policy_that_there_is_not_is_told_before_and_when_nobody_is_asked(
    window: Window,
) -> None:
    written(window, {"policies": {"disabled": ["destructive-gard"]}})
    fault = "policies.disabled[0]: there is no such policy; did you mean `destructive-guard`?"
    assert fault in asked(window, "n", COLUMNS="80")[1]
    done = run(window, "trust", "--yes")
    assert fault in done.stderr
    assert "is trusted: its hooks and policies apply from now on" in done.stdout


def test_what_changes_while_somebody_looks_is_not_what_he_agrees_to(window: Window) -> None:
    written(window, holding({**ENTRY, "command": "harmless"}))
    code, said = asked(window, "y", lambda: written(window, holding(ENTRY)))
    assert code == 1
    assert "The files have changed since they were shown." in said
    assert trusted(window) is False
    assert window.bash("ls") is None


def test_a_question_never_stands_before_json(window: Window) -> None:
    written(window, holding(ENTRY))
    assert "add --yes" in refused(window, "trust", "--json", code=2)
    told = json.loads(run(window, "trust", "--yes", "--json").stdout)
    assert told == json.loads(run(window, "trust", "--json").stdout)
    assert json.loads(run(window, "trust", "--remove", "--json").stdout)["root"] == window.project


def test_a_change_of_ones_own_does_not_carry_what_others_wrote_meanwhile(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in window.home.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(window.project)
    run(window, "hooks", "add", "Stop", "true", "--scope", "local")
    assert trusted(window) is True
    mine = own_files.read("local", window.project)
    written(window, holding(ENTRY))
    told = write_trusted.write(mine, holding({**ENTRY, "command": "true"}, event="SessionEnd"))
    assert told == (True, False)
    assert trusted(window) is False
    assert window.bash("ls") is None


def test_a_file_that_somebody_else_wrote_meanwhile_is_not_written_over(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in window.home.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(window.project)
    mine = own_files.read("local", window.project)
    path = written(window, holding(ENTRY), "settings.local.json")
    before = path.read_bytes()
    with pytest.raises(Problem, match="changed by another process"):
        write_trusted.write(mine, holding(event="Stop"))
    assert path.read_bytes() == before
    assert trusted(window) is False


def test_a_file_behind_a_link_is_written_where_it_is_and_stays_trusted(window: Window) -> None:
    elsewhere = Path(window.project, "shared.json")
    elsewhere.write_text('{"description": "ours", "n": 1.0e1}')
    elsewhere.chmod(0o640)
    link = file_of(window)
    link.symlink_to(elsewhere)
    done = run(
        window, "hooks", "add", "PreToolUse", ENTRY["command"], "--id", "no", "--scope", "project"
    )
    assert "no now runs on PreToolUse" in done.stdout
    assert trusted(window) is True
    assert "is off" in run(window, "hooks", "disable", "no").stdout
    assert "is on again" in run(window, "hooks", "enable", "no").stdout
    assert "no longer runs" in run(window, "hooks", "remove", "no").stdout
    assert link.is_symlink()
    assert elsewhere.stat().st_mode & 0o777 == 0o640
    assert '"n": 1.0e1' in elsewhere.read_text()


def test_of_two_hooks_with_one_id_none_is_switched_off_for_the_other(home: Home) -> None:
    project = home.path / "p"
    (project / ".hookd").mkdir(parents=True)
    home.hookd("hook", "add", "Stop", "true", "--id", "one")
    shared = holding({**ENTRY, "id": "one"}, event="Stop")
    (project / ".hookd" / "settings.json").write_text(json.dumps(shared))
    (project / ".hookd" / "settings.local.json").write_text("{}")
    home.serves()
    where = ("--project-dir", str(project))
    home.hookd("trust", str(project), "--yes")
    listed = json.loads(home.hookd("hook", "list", "--json", *where).stdout)["hooks"]
    renamed = next(one["id"] for one in listed if one["layer"] == "project")
    done = home.hookd("hook", "disable", renamed, *where, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "both would be off" in done.stderr
    said = home.hookd("hook", "remove", renamed, *where).stdout
    assert f"removed from {project}/.hookd/settings.json" in said


def test_without_a_daemon_nothing_of_a_project_is_said_to_run(home: Home) -> None:
    (home.path / "p").mkdir()
    add = (
        "hooks",
        "add",
        "Stop",
        "true",
        "--scope",
        "project",
        "--project-dir",
        str(home.path / "p"),
    )
    done = home.hookd(*add)
    assert "is to run on Stop" in done.stdout
    assert "do not apply yet" in done.stderr
    assert "now runs" in home.hookd("hook", "add", "Stop", "true").stdout
