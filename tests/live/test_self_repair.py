"""Live: a daemon's files are deleted or replaced; it recovers, and stays the only one."""

import json
import shutil
import socket
import subprocess
from contextlib import closing
from sqlite3 import connect

import pytest

from support.bad_payloads import of
from support.home import Home, free, serving, until
from support.other_version import of_version

pytestmark = pytest.mark.gate


def ended(process: subprocess.Popen[str]) -> bool:
    """Whether a daemon has ended without a signal, with exit code 0."""
    return until(lambda: process.poll() is not None) and process.returncode == 0


def one(home: Home) -> bool:
    """Whether the daemon here is the only one: no other can take its locks."""
    said = home.hookd("serve", check=False).stderr
    return "a daemon is running already" in said


def test_a_deleted_socket_stands_again_and_leads_to_the_same_daemon(home: Home) -> None:
    with serving(home) as process:
        home.socket.unlink()
        assert home.said(of()) is None
        assert home.rpc("daemon.status")["pid"] == process.pid
        assert one(home)
        assert len(home.logged("daemon serves")) == 1


def test_its_folder_may_go_too(home: Home) -> None:
    with serving(home) as process:
        shutil.rmtree(home.socket.parent)
        until(home.socket.exists)
        assert home.said(of()) is None
        assert home.rpc("daemon.status")["pid"] == process.pid
        assert home.pid == process.pid


def test_a_connection_that_was_open_is_answered_on(home: Home) -> None:
    with serving(home), home.link() as link, link.makefile("rb") as answers:
        home.socket.unlink()
        until(home.socket.exists)
        link.sendall(b'{"jsonrpc": "2.0", "id": 1, "method": "daemon.status"}\n')
        assert json.loads(answers.readline())["result"]["events"] == 0


def test_a_deleted_lock_lets_no_second_daemon_in(home: Home) -> None:
    with serving(home) as process:
        (home.path / "hookd.lock").unlink()
        assert one(home)
        until((home.path / "hookd.lock").exists)
        with (home.path / "hookd.lock").open() as lock:
            until(lambda: not free(lock))
        assert one(home)
        assert home.rpc("daemon.status")["pid"] == process.pid


def test_without_socket_and_lock_there_is_still_one(home: Home) -> None:
    with serving(home) as process:
        home.socket.unlink()
        (home.path / "hookd.lock").unlink()
        assert home.said(of()) is None
        assert one(home)
        assert home.rpc("daemon.status")["pid"] == process.pid


def test_a_daemon_whose_home_is_gone_ends_and_leaves_the_new_one_alone(home: Home) -> None:
    with serving(home) as process:
        home.path.rename(f"{home.path}-old")
        home.path.mkdir(mode=0o700)
        try:
            home.serves()
            assert ended(process)
            assert home.pid != process.pid
            assert home.said(of()) is None
        finally:
            shutil.rmtree(f"{home.path}-old")


def test_a_daemon_whose_database_is_gone_ends_and_the_next_hook_begins_another(home: Home) -> None:
    with serving(home) as process:
        assert home.said(of()) is None
        for path in home.path.glob("hookd.db*"):
            path.unlink()
        assert ended(process)
        assert home.said(of()) is None
        assert home.rows("SELECT count(*) FROM events") == [(1,)]


def test_somebody_s_file_in_its_place_is_left_alone_and_named(home: Home) -> None:
    home.socket.parent.mkdir(mode=0o700)
    home.socket.write_text("notes")
    done = home.hook(of())
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"PreToolUse not judged" in done.stderr
    assert b"deny" in home.hook(of(), "--fail-closed").stdout
    for command in (("start",), ("status",), ("serve",)):
        done_by_hand = home.hookd(*command, check=False)
        assert done_by_hand.returncode != 0
        assert "hookd.sock" in done_by_hand.stdout + done_by_hand.stderr
    assert "it is something else" in home.hookd("serve", check=False).stderr
    assert home.socket.read_text() == "notes"
    home.socket.unlink()
    assert set(home.said(of()) or {}) <= {"systemMessage"}  # what was not judged, by then


def test_somebody_s_file_in_the_place_of_a_living_one_is_left_alone_until_it_goes(
    home: Home,
) -> None:
    with serving(home) as process:
        home.socket.unlink()
        home.socket.write_text("notes")
        until(lambda: home.logged("socket file cannot be created"))
        assert home.socket.read_text() == "notes"
        home.socket.unlink()
        assert home.said(of()) is None
        assert home.rpc("daemon.status")["pid"] == process.pid
        assert len(home.logged("socket file cannot be created")) == 1


def test_a_stranger_who_listens_in_its_place_is_not_replaced(home: Home) -> None:
    home.socket.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.bind(str(home.socket))
        stranger.listen()
        said = home.hookd("serve", check=False)
        assert (said.returncode, "another program listens" in said.stderr) == (1, True)
        assert home.socket.is_socket()
    home.serves()
    assert home.rpc("daemon.status")["pid"] == home.pid


@pytest.mark.slow
def test_a_start_has_a_daemon_of_another_version_hand_over(home: Home) -> None:
    for version in ("0.0.9", "99.0.0"):
        with of_version(home, version, home.path / "program.py") as process:
            assert home.said(of()) is None
            assert f"version   {version}" in home.hookd("status").stdout
            done = home.hookd("start").stdout
            assert f"The daemon of hookd {version} hands over to hookd " in done
            assert ended(process)
        assert home.rpc("daemon.status")["version"] != version
        assert home.said(of()) is None
        home.ends()
    assert home.rows("SELECT count(*) FROM events") == [(4,)]


def test_a_daemon_of_a_newer_database_is_left_running(home: Home) -> None:
    with of_version(home, "99.0.0", home.path / "program.py") as process:
        with closing(connect(home.database, timeout=30)) as db:
            db.execute("PRAGMA user_version = 99")
        done = home.hookd("start", check=False)
        assert done.returncode == 1
        assert "is left as it is" in done.stderr
        assert "newer hookd" in done.stderr
        assert process.poll() is None


def test_a_daemon_whose_program_is_replaced_ends_and_the_next_hook_starts_the_new_one(
    home: Home,
) -> None:
    program = home.path / "program.py"
    with of_version(home, "0.0.9", program) as process:
        assert home.said(of()) is None
        until(lambda: home.rpc("daemon.status"))
        program.write_text("# another version\n")
        assert ended(process)
        assert home.said(of()) is None
        assert home.rpc("daemon.status")["version"] != "0.0.9"


def test_a_daemon_whose_program_is_taken_away_serves_on(home: Home) -> None:
    program = home.path / "program.py"
    with of_version(home, "0.0.9", program) as process:
        program.unlink()
        home.socket.unlink()
        until(home.socket.exists)  # so it has looked since
        assert home.said(of()) is None
        assert process.poll() is None
