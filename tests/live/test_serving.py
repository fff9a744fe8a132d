"""Live: a daemon in the foreground, and how it ends."""

import json
import os
import signal
import socket
from contextlib import ExitStack, closing
from sqlite3 import connect

import pytest

from support.bad_payloads import of
from support.home import Home, serving, until
from support.payloads import header, payload

END = signal.SIGTERM


def ended(home: Home) -> None:
    """See that an ended daemon left nothing behind but its files, and those whole."""
    assert not home.socket.exists()
    assert not home.socket.with_suffix(".pid").exists()
    assert not home.database.with_name("hookd.db-wal").exists()
    with closing(connect(home.database)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    text = (home.path / "hookd.log").read_text()
    assert "Traceback" not in text
    assert len(home.logged("daemon ended")) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_code_0_and_nothing_left_over(
    home: Home, number: signal.Signals
) -> None:
    with serving(home) as process:
        assert home.pid == process.pid
        home.said(payload("PreToolUse.Bash"))
        process.send_signal(number)
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    ended(home)
    assert home.rows("SELECT count(*) FROM events") == [(1,)]


def test_a_request_in_flight_is_finished(home: Home) -> None:
    with serving(home) as process:
        body = json.dumps(of(session_id="late")).encode()
        with home.link() as link, link.makefile("rb") as answers:
            link.sendall(header("PreToolUse") + body[:40])
            assert b"hooks.accepted" in answers.readline()
            process.send_signal(END)
            until(lambda: refused(home))
            link.sendall(body[40:] + b"\x1e")
            assert json.loads(answers.readline()) == {"jsonrpc": "2.0", "id": 1, "result": None}
            assert answers.read() == b""
        assert process.wait(30) == 0
    ended(home)
    assert home.rows("SELECT event FROM events WHERE claude_session_id = 'late'") == [
        ("PreToolUse",)
    ]


def refused(home: Home) -> bool:
    """Whether the daemon takes no new connections any more."""
    with socket.socket(socket.AF_UNIX) as link:
        try:
            link.connect(str(home.socket))
        except OSError:
            return True
    return False


def test_idle_clients_do_not_hold_up_the_end(home: Home) -> None:
    asked = b'{"jsonrpc":"2.0","id":1,"method":"daemon.status"}\n'
    with serving(home) as process, ExitStack() as open_links:
        links = [open_links.enter_context(home.link()) for _ in range(3)]
        for link, sent in zip(links, (b"", asked[:-10], asked), strict=True):
            link.sendall(sent)
        streams = [open_links.enter_context(link.makefile("rb")) for link in links]
        assert json.loads(streams[2].readline())["result"]["pid"] == process.pid
        process.send_signal(END)
        assert process.wait(30) == 0
        assert [stream.read() for stream in streams] == [b""] * 3
    ended(home)


def test_a_client_that_asks_it_to_stop_gets_its_answer(home: Home) -> None:
    with serving(home) as process:
        assert home.rpc("daemon.stop") == {"pid": process.pid}
        assert process.wait(30) == 0
    ended(home)


def test_a_stranger_s_socket_in_its_place_is_left_alone(home: Home) -> None:
    with serving(home) as process:
        home.socket.unlink()
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.bind(str(home.socket))
            process.send_signal(END)
            assert process.wait(30) == 0
            assert home.socket.exists()
    home.socket.unlink()
    home.socket.with_suffix(".pid").unlink(missing_ok=True)


def test_a_second_one_says_that_it_is_running_and_leaves_the_first_alone(home: Home) -> None:
    with serving(home) as process:
        for command in (("serve",), ("serve", "--detach")):
            done = home.hookd(*command)
            assert "a daemon is running already" in done.stderr
        assert "running already" in home.hookd("start").stdout
        assert home.rpc("daemon.status")["pid"] == process.pid


def test_a_dead_socket_in_its_place_is_replaced(home: Home) -> None:
    home.socket.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(home.socket))
    home.serves()
    assert home.rpc("daemon.status")["pid"] == home.pid


def test_what_it_makes_is_its_user_s_alone(home: Home) -> None:
    (home.path / "run").mkdir(mode=0o755)
    home.path.chmod(0o755)
    mask = os.umask(0)
    try:
        with serving(home):
            home.said(payload("PreToolUse.Bash"))
            modes = {
                path.name: oct(path.lstat().st_mode & 0o777)
                for path in (home.path, *home.path.iterdir(), *home.socket.parent.iterdir())
            }
    finally:
        os.umask(mask)
    folders = {modes.pop(home.path.name), modes.pop("run")}
    assert folders == {"0o700"}
    private = {"hookd.db", "hookd.db-wal", "hookd.db-shm", "hookd.log", "hookd.sock", "hookd.lock"}
    assert {name: modes[name] for name in private} == dict.fromkeys(private, "0o600")
