"""Live: the daemon's files are its user's alone, and other users are refused."""

import json
import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.home import Home, serving, until, window_in

pytestmark = pytest.mark.gate

OTHER_USERS = [65534] if os.geteuid() == 0 else []
"""Ids of other users whose connections can be tried here. Without root, only the table of admitted
users is tested."""

PRIVATE = {
    *("hookd.db", "hookd.db-wal", "hookd.db-shm", "hookd.lock", "hookd.sock", "hookd.pid"),
    *("hookd.log", "hookd.log.1", "copy.db", "hookd.stopped", "1.txt"),
}
FOLDERS = {"run", "spill"}
LONG = {"type": "command", "command": "seq 9000"}
STATUS = b'{"jsonrpc": "2.0", "id": 1, "method": "daemon.status"}\n'
SETTINGS = {"log": {"max_bytes": 10_000}, "hooks": {"SessionStart": [{"hooks": [LONG]}]}}


@contextmanager
def acting_as(user: int) -> Iterator[None]:
    """Connect as another user: the kernel notes who it was at that moment."""
    own = os.geteuid()
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(own)


def modes(home: Home) -> dict[str, str]:
    """Return the mode of what hookd made below a home, by its name."""
    ours = {home.path / "settings.json", *(home.path / "projects").rglob("*")}
    found = [path for path in home.path.rglob("*") if path not in ours and path.name != "projects"]
    return {path.name: oct(path.lstat().st_mode & 0o777) for path in found}


def test_whatever_the_umask_all_that_hookd_makes_is_its_user_s_alone(home: Home) -> None:
    mask = os.umask(0)
    try:
        home.settings(SETTINGS)
        with serving(home):
            window_in(home).says("SessionStart", source="startup")
            home.hookd("db", "backup", str(home.path / "copy.db"))
            until(lambda: home.bare(b"{") and (home.path / "hookd.log.1").exists())
            found = modes(home)
            home.hookd("stop", "--yes")
        found |= modes(home)
    finally:
        os.umask(mask)
    assert {name for name, mode in found.items() if mode != "0o600"} == FOLDERS
    assert {found[name] for name in FOLDERS} == {"0o700"}
    assert found.keys() >= PRIVATE


def test_what_was_wider_before_is_narrowed(home: Home) -> None:
    home.serves().ends()
    wide = [home.path / "hookd.db", home.path / "hookd.log", home.socket.with_suffix(".pid")]
    for path in wide:
        path.touch()
        path.chmod(0o666)
    home.serves()
    assert [oct(path.stat().st_mode & 0o777) for path in wide] == ["0o600"] * 3


def test_its_own_user_is_heard(daemon: Home) -> None:
    assert json.loads(daemon.line(STATUS.strip()))["result"]["pid"] == daemon.pid
    assert not daemon.logged("connection of another user refused")


def test_another_user_gets_no_answer_though_the_modes_let_him_in(daemon: Home) -> None:
    daemon.path.chmod(0o711)
    daemon.socket.parent.chmod(0o711)
    daemon.socket.chmod(0o666)
    for user in OTHER_USERS * 3:
        with acting_as(user), daemon.link() as link:
            assert answer(link) == b""
    told = daemon.logged("connection of another user refused")
    assert [line["user"] for line in told] == OTHER_USERS
    assert daemon.rpc("daemon.status")["events"] == 0


def test_a_folder_that_another_user_put_in_its_way_is_not_used(home: Home) -> None:
    for user in OTHER_USERS:
        with tempfile.TemporaryDirectory(prefix="hk", dir="/tmp") as theirs:
            os.chown(theirs, user, user)
            done = home.hookd("start", env={"HOOKD_HOME": f"{theirs}/hookd"}, check=False)
            assert (done.returncode, done.stderr.splitlines()[0]) == (
                1,
                f"hookd: {theirs}: it is another user's.",
            )
            assert not list(Path(theirs).rglob("*.sock"))


def test_folders_on_the_way_are_made_for_the_user_alone(home: Home) -> None:
    mask = os.umask(0)
    try:
        deep = Home(home.path / "a" / "b", home.env | {"HOOKD_HOME": str(home.path / "a" / "b")})
        with serving(deep):
            made = (home.path / "a", deep.path, deep.socket.parent)
            assert [oct(path.stat().st_mode & 0o777) for path in made] == ["0o700"] * 3
    finally:
        os.umask(mask)


def answer(link: socket.socket) -> bytes:
    """Return what the daemon says to a request, nothing where it hangs up."""
    try:
        link.sendall(STATUS)
        said: bytes = link.recv(100)
    except (BrokenPipeError, ConnectionResetError):
        return b""
    return said
