"""The kernel tells which user and which process opened the other end of a socket."""

import os
import socket
import struct
from pathlib import Path

import pytest

from hookd.system.socket_peer import admitted, is_own_socket, parse_xucred, pid_of, uid_of

XUCRED = "@IIh16I"


def test_a_socket_of_this_user_is_told_from_other_files(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        assert is_own_socket(tmp_path / "s")
    (tmp_path / "file").touch()
    assert not is_own_socket(tmp_path / "file")
    with pytest.raises(FileNotFoundError):
        is_own_socket(tmp_path / "none")


@pytest.mark.parametrize(
    ("uid", "own", "may"),
    [
        (1000, 1000, True),
        (0, 1000, True),
        (0, 0, True),
        (1001, 1000, False),
        (1000, 0, False),
        (65534, 1000, False),
        (4294967295, 1000, False),
        (None, 1000, False),
        (None, 0, False),
    ],
)
def test_a_daemon_admits_its_own_user_and_root(uid: int | None, own: int, may: bool) -> None:
    assert admitted(uid, own) is may


def test_the_kernel_tells_who_opened_the_other_end(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as door, socket.socket(socket.AF_UNIX) as guest:
        door.bind(str(tmp_path / "s"))
        door.listen()
        guest.connect(str(tmp_path / "s"))
        link, _ = door.accept()
        with link:
            assert uid_of(link) == os.geteuid()
            assert pid_of(link) == os.getpid()


def test_a_user_is_unknown_if_the_kernel_does_not_tell() -> None:
    with socket.socket(socket.AF_UNIX) as link:
        link.close()
        assert uid_of(link) is None
        assert pid_of(link) is None


@pytest.mark.parametrize(
    ("said", "uid"),
    [
        (struct.pack(XUCRED, 0, 501, 1, 20, *[0] * 15), 501),
        (struct.pack(XUCRED, 0, 0, 1, 0, *[0] * 15), 0),
        (struct.pack(XUCRED, 0, 501, 1, 20, *[0] * 15) + b"\0" * 8, 501),
        (struct.pack(XUCRED, 1, 501, 1, 20, *[0] * 15), None),
        (struct.pack(XUCRED, 0, 501, 1, 20, *[0] * 15)[:40], None),
        (b"", None),
    ],
)
def test_the_form_of_macos_is_read_or_nobody_is_known(said: bytes, uid: int | None) -> None:
    assert parse_xucred(said) == uid
