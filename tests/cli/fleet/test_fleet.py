"""`hookd fleet --watch`: the board again at each change, on a terminal and in a pipe."""

import json
import os
import pty
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from hookd.cli.fleet.fleet import COLUMNS, columns_of
from support.home import HOOKD, Home, until


def test_what_agents_share_comes_before_branch_prompt_and_cost() -> None:
    assert columns_of([{"claims": None, "mail": 0, "work": None}]) == COLUMNS
    titles = [one.title for one in columns_of([{"claims": None, "mail": 2, "work": "#1 Parse"}])]
    assert titles[:6] == ["agent", "session", "status", "project", "mail", "work"]
    assert titles[-3:] == ["branch", "first prompt", "cost"]


@contextmanager
def watching(home: Home, *args: str) -> Iterator[subprocess.Popen[str]]:
    command = [HOOKD, "fleet", "--watch", *args]
    with subprocess.Popen(
        command, env=home.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as one:
        try:
            yield one
        finally:
            one.kill()


def test_a_pipe_gets_a_list_for_each_change(daemon: Home) -> None:
    daemon.rpc("agents.register", {"id": "orders"})
    with watching(daemon, "--json") as one:
        assert one.stdout
        assert [row["agent"] for row in json.loads(one.stdout.readline())] == ["orders"]
        daemon.rpc("agents.updateStatus", {"id": "orders", "status": "attention"})
        (row,) = json.loads(one.stdout.readline())
        assert row["status"] == "attention"


def test_a_client_selects_its_sessions(daemon: Home) -> None:
    for name, client in (("one", "codex"), ("two", "claude-code")):
        event = {
            "hook_event_name": "SessionStart",
            "session_id": name,
            "cwd": "/",
            "source": "startup",
        }
        daemon.rpc("hooks.dispatch", {"event": event, "env": {}, "client": client})
    with watching(daemon, "--json", "--all", "--client", "codex") as one:
        assert one.stdout
        assert [row["client"] for row in json.loads(one.stdout.readline())] == ["codex"]


def test_it_goes_on_when_the_daemon_comes_back(daemon: Home) -> None:
    daemon.rpc("agents.register", {"id": "orders"})
    with watching(daemon, "--json") as one:
        assert one.stdout
        assert one.stderr
        one.stdout.readline()
        daemon.hookd("stop", "--yes")
        assert "Waiting for it." in one.stderr.readline()
        daemon.serves()
        (row,) = json.loads(one.stdout.readline())
        assert row["agent"] == "orders"


def test_without_a_daemon_it_says_so_and_ends(home: Home) -> None:
    done = home.hookd("fleet", "--watch", check=False)
    assert done.returncode == 1
    assert "hookd start" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_terminal_is_drawn_anew_and_ctrl_c_ends_it(daemon: Home) -> None:
    daemon.rpc("agents.register", {"id": "orders"})
    master, slave = pty.openpty()
    command = [HOOKD, "fleet", "--watch"]
    with subprocess.Popen(
        command, env=daemon.env | {"TERM": "xterm"}, stdin=slave, stdout=slave, stderr=slave
    ) as one:
        os.close(slave)
        seen = bytearray()

        def shows(word: bytes) -> bool:
            seen.extend(os.read(master, 65_536))
            return word in seen

        until(lambda: shows(b"Ctrl-C ends it."))
        assert b"\x1b[H\x1b[2J" in seen
        assert b"orders" in seen
        seen.clear()
        daemon.rpc("agents.updateStatus", {"id": "orders", "status": "error"})
        until(lambda: shows(b"error"))
        one.send_signal(signal.SIGINT)
        until(lambda: one.poll() is not None)
        assert b"Traceback" not in seen
    os.close(master)
