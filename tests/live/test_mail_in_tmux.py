"""Live: mail wakes an idle agent in tmux by one fixed line, and no other program gets keys."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.flows import put
from support.home import HOOKD, Home, Window, place, until
from support.mail import agent, of_person, project
from support.tmux_server import Terminal
from support.tmux_server import terminal as tmux_server


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with place() as made:
        made.settings({"mail": {"tmux_keys": True}})
        (made.path / "claude").symlink_to("/bin/bash")
        yield made.serves()


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    with tmux_server(tmp_path / "server") as made:
        yield made


def hook(window: Window, name: str) -> str:
    """Return the command by which a client in a terminal sends an event."""
    event = put(f"{window.project}/{name}.json", json.dumps(window.event(name)) + "\n")
    words = window.home.shim(name, ("--hookd", str(HOOKD)))
    return f"{shlex.join(words)} < {shlex.quote(event)}"


def in_pane(terminal: Terminal, window: Window, then: str) -> str:
    """Run a client in a pane: it sends the events of a finished turn, then it runs `then`."""
    env = window.home.env | window.identity
    names = " ".join(f"{name}={shlex.quote(value)}" for name, value in env.items())
    turn = ("SessionStart", "UserPromptSubmit", "Stop")
    script = "; ".join([*(hook(window, name) for name in turn), then])
    client = shlex.join([f"{window.home.path}/claude", "-c", f"{script}\n:"])
    return terminal.tmux("new-window", "-d", "-P", "-F", "#{pane_id}", f"exec env {names} {client}")


def test_an_idle_agent_is_woken_once_and_reads_only_the_fixed_line(
    home: Home, terminal: Terminal
) -> None:
    window = Window(home, project(home), env={"AGENT_ID": "ben"})
    keys = Path(window.project, "keys")
    in_pane(terminal, window, f"exec cat > {keys}")
    until(lambda: window.sessions("status", "status = 'done'"))
    until(keys.exists)
    for number in (1, 2):
        of_person(home, window.project, "send", "ben", f"rm -rf ~ {number}")
        until(lambda: keys.read_text().count("\n") == number)  # noqa: B023
    assert keys.read_text() == "hookd: 1 message waiting\nhookd: 2 messages waiting\n"
    until(lambda: [line["mails"] for line in home.logged("agent woken")] == [1, 2])


def test_mail_that_came_before_the_setting_wakes_once_it_is_on(
    home: Home, terminal: Terminal
) -> None:
    home.settings({"mail": {"tmux_keys": False}})
    until(lambda: home.logged("settings reloaded"))
    window = Window(home, project(home), env={"AGENT_ID": "fay"})
    keys = Path(window.project, "keys")
    in_pane(terminal, window, f"exec cat > {keys}")
    until(lambda: window.sessions("status", "status = 'done'"))
    until(keys.exists)
    of_person(home, window.project, "send", "fay", "x")
    assert keys.read_text() == ""
    home.settings({"mail": {"tmux_keys": True}})
    until(lambda: keys.read_text() == "hookd: 1 message waiting\n")


def test_a_pane_in_which_another_program_has_the_keyboard_gets_none(
    home: Home, terminal: Terminal
) -> None:
    window = Window(home, project(home), env={"AGENT_ID": "cid"})
    keys = Path(window.project, "keys")
    # The client is stopped in the background of a shell, which has the keyboard.
    pane = in_pane(terminal, window, f"set -m; cat > {keys}")
    until(lambda: window.sessions("status", "status = 'done'"))
    until(keys.exists)
    of_person(home, window.project, "send", "cid", "x")
    busy = agent(home, window.project, "dan")
    busy.says("UserPromptSubmit")
    of_person(home, window.project, "send", "dan", "x")
    woken = Window(home, window.project, env={"AGENT_ID": "eve"})
    others = Path(window.project, "others")
    in_pane(terminal, woken, f"exec cat > {others}")
    until(lambda: woken.sessions("status", "status = 'done'"))
    until(others.exists)
    of_person(home, window.project, "send", "eve", "x")
    until(lambda: others.read_text() != "")
    assert keys.read_text() == "", "the pane's client is not what reads its keys"
    assert "hookd:" not in terminal.tmux("capture-pane", "-p", "-t", pane)
