"""`hookd fleet` on screens: what fits, which rows are left out, the alternate screen."""

import os
import pty
import signal
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from fcntl import ioctl
from sqlite3 import connect
from termios import TIOCSWINSZ

import pytest

from support.home import HOOKD, Home, place, window_in
from support.screen import on_screen

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"


@pytest.fixture(scope="module")
def scene() -> Iterator[Home]:
    """A daemon of its own with two agents: one works, the other was silent for an hour.

    The table of a daemon with many sessions is too wide for a narrow screen.
    """
    with place() as home:
        yield lived(home.serves())


def lived(home: Home) -> Home:
    for name in ("orders", "silent"):
        window = window_in(home, AGENT_ID=name)
        window.says("UserPromptSubmit", prompt="Add pages to GET /orders, and say so in the docs.")
    window.says("Stop")
    hour_ago = (datetime.now(UTC) - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    with connect(home.database) as db:
        silent = "status_at = ?1, created_at = ?1 WHERE id = 'silent'"
        db.execute(f"UPDATE agents SET {silent}", (hour_ago,))
        db.execute("UPDATE sessions SET last_event_at = ? WHERE owner = 'silent'", (hour_ago,))
    db.close()
    return home


@pytest.mark.parametrize("width", [60, 80, 120])
def test_idle_rows_are_left_out_and_counted(scene: Home, width: int) -> None:
    lines = on_screen(("fleet",), scene.env, scene.path, width)
    assert lines[0].split()[:3] == ["agent", "status", "project"]
    assert max(map(len, lines)) <= width
    assert [line.split()[0] for line in lines[2:] if "orders" in line] == ["orders"]
    assert not [line for line in lines if line.startswith("silent")]
    assert lines[-1].endswith("idle: hookd fleet --all")
    every = on_screen(("fleet", "--all"), scene.env, scene.path, width)
    assert [line for line in every if line.startswith("silent")]


@contextmanager
def watching(home: Home, **env: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run `hookd fleet --watch` on a terminal; yield it and the terminal's other end."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown = home.env | {"TERM": "xterm"} | env
    command = [HOOKD, "fleet", "--watch"]
    with subprocess.Popen(command, env=shown, stdin=theirs, stdout=theirs, stderr=theirs) as one:
        os.close(theirs)
        try:
            yield one, ours
        finally:
            one.kill()
    os.close(ours)


def read_until(screen: int, word: bytes) -> bytes:
    """Return what the terminal gets until a word, and what came with it."""
    seen = b""
    end = time.monotonic() + 30
    while word not in seen:
        assert time.monotonic() < end, seen
        seen += os.read(screen, 65_536)
    return seen


def rest(screen: int) -> bytes:
    """Return what else the terminal gets until the command has ended."""
    seen = b""
    try:
        while chunk := os.read(screen, 65_536):
            seen += chunk
    except OSError:  # Linux: the other end is closed
        pass
    return seen


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_restored(scene: Home, number: signal.Signals) -> None:
    with watching(scene) as (one, screen):
        seen = read_until(screen, b"Ctrl-C ends it.")
        assert seen.index(ENTER) < seen.index(b"orders")
        assert LEAVE not in seen
        one.send_signal(number)
        assert rest(screen).rstrip(b"^C\r\n").endswith(LEAVE)
        assert one.wait() == 128 + number


def test_another_size_is_drawn_at_once(scene: Home) -> None:
    with watching(scene) as (one, screen):
        read_until(screen, b"Ctrl-C ends it.")
        ioctl(screen, TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        one.send_signal(signal.SIGWINCH)  # it is not the terminal's own session
        again = read_until(screen, b"Ctrl-C ends it.").decode()
        lines = again.replace("\r", "").split("\n")
        assert max(len(line) for line in lines if "─" in line and "\x1b" not in line) <= 60


def test_without_a_daemon_the_screen_is_not_taken(home: Home) -> None:
    with watching(home) as (one, screen):
        seen = rest(screen)
        assert (ENTER in seen, b"hookd start" in seen, one.wait()) == (False, True, 1)


def test_a_dumb_terminal_gets_plain_tables(scene: Home) -> None:
    with watching(scene, TERM="dumb") as (one, screen):
        assert ENTER not in read_until(screen, b"orders")
        one.send_signal(signal.SIGINT)
        assert LEAVE not in rest(screen)
