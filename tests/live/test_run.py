"""Live: `hookd run` with the real daemon: a client hands over and restarts."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from support.flows import handover, kills
from support.home import HOOKD, SHIM, Home, until

CLIENT = """#!/bin/bash
# A client: begins a session through the real shim, writes down what it was told, and waits.
number=$(ls {folder} | grep -c '^args')
event='{{"hook_event_name":"SessionStart","session_id":"s-%s","source":"startup","cwd":"%s"}}\\n'
printf "$event" "$number" "$PWD" | {shim} --event SessionStart --socket {socket} --deadline 20 \\
  --hookd {hookd} > {folder}/told.$number
printf '%s\\n' "$HOOKD_RUN" > {folder}/run
printf '%s\\n' "$@" > {folder}/begun
mv {folder}/begun {folder}/args.$number
exec sleep 600
"""


@pytest.fixture
def folder(daemon: Home) -> Path:
    """Where the clients write down what they got."""
    folder = daemon.path / "seen"
    folder.mkdir()
    client = daemon.path / "claude"
    client.write_text(CLIENT.format(folder=folder, shim=SHIM, socket=daemon.socket, hookd=HOOKD))
    client.chmod(0o700)
    return folder


@contextmanager
def supervised(home: Home, *args: str) -> Iterator[subprocess.Popen[str]]:
    """A client that `hookd run` started, in a project of its own."""
    project = home.path / "project"
    project.mkdir(exist_ok=True)
    command = [str(HOOKD), "run", "--", str(home.path / "claude"), *args]
    with subprocess.Popen(
        command, cwd=project, env=home.env, stderr=subprocess.PIPE, text=True
    ) as one:
        try:
            yield one
        finally:
            one.terminate()
            one.wait(30)


def started(folder: Path, number: int) -> list[str]:
    """Return the arguments of a start, once it has begun its session."""
    path = folder / f"args.{number}"
    until(path.exists)
    return path.read_text().splitlines()


def hands_over(home: Home, folder: Path, number: int, **more: Any) -> Any:
    env = {
        "HOOKD_RUN": (folder / "run").read_text().strip(),
        "CLAUDE_CODE_SESSION_ID": f"s-{number}",
        "CLAUDE_PROJECT_DIR": str(home.path / "project"),
    }
    return home.rpc("handover.save", {"payload": handover(**more), "restart": True, "env": env})


def attached(home: Home, folder: Path, number: int, **more: Any) -> None:
    """Hand over as soon as the supervisor is there."""
    until(lambda: hands_over(home, folder, number, **more)["restarting"])


def test_a_client_that_hands_over_is_started_anew_with_what_it_left(
    daemon: Home, folder: Path
) -> None:
    with supervised(daemon, "--model", "opus", "--continue") as one:
        assert started(folder, 0) == ["--model", "opus", "--continue"]
        attached(daemon, folder, 0, summary="Half of it stands.")
        *args, mark, prompt = started(folder, 1)
        assert (args, mark) == (["--model", "opus"], "--")
        assert "handover is in your context" in prompt
        told = json.loads((folder / "told.1").read_text())
        assert "Half of it stands." in told["hookSpecificOutput"]["additionalContext"]
        sql = "SELECT claude_session_id, prev_session_id, run IS NOT NULL FROM sessions ORDER BY id"
        assert daemon.rows(sql) == [("s-0", None, 1), ("s-1", 1, 1)]
        one.terminate()
        assert one.wait(30) == 128 + 15
        assert one.stderr
        assert "handed over" in one.stderr.read()


def test_a_supervisor_finds_a_daemon_that_comes_back(daemon: Home, folder: Path) -> None:
    with supervised(daemon):
        started(folder, 0)
        until(lambda: hands_over(daemon, folder, 0)["restarting"])
        started(folder, 1)
        kills(daemon)
        daemon.serves()
        attached(daemon, folder, 1, summary="After the fall.")
        started(folder, 2)
        assert "After the fall." in (folder / "told.2").read_text()


def test_a_window_that_is_full_is_left_for_an_empty_one(home: Home) -> None:
    home.settings({"precompact": {"action": "restart"}})
    home.serves()
    folder = home.path / "seen"
    folder.mkdir()
    client = home.path / "claude"
    client.write_text(CLIENT.format(folder=folder, shim=SHIM, socket=home.socket, hookd=HOOKD))
    client.chmod(0o700)
    with supervised(home):
        started(folder, 0)
        run = (folder / "run").read_text().strip()
        home.rpc(
            "handover.save",
            {"payload": handover(), "env": {"CLAUDE_PROJECT_DIR": str(home.path / "project")}},
        )
        event = {"hook_event_name": "PreCompact", "session_id": "s-0", "trigger": "auto"}
        home.said(event, env={"HOOKD_RUN": run})
        started(folder, 1)
        assert home.rows("SELECT end_reason FROM sessions WHERE id = 1") == [("restart",)]
