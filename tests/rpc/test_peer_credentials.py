"""A daemon accepts its own user and the administrator; it logs all others."""

import json
import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookd.config.models import LogOptions
from hookd.log.file import close_log, open_log
from hookd.log.logger import LOG
from hookd.rpc.peer_credentials import PeerGate, admitted, parse_xucred, uid_of

XUCRED = "@IIh16I"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    before = LOG.level, LOG.propagate
    handler = open_log(tmp_path / "hookd.log", LogOptions())
    yield tmp_path / "hookd.log"
    close_log(handler)
    LOG.setLevel(before[0])
    LOG.propagate = before[1]


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
def test_a_daemon_hears_its_own_user_and_root(uid: int | None, own: int, may: bool) -> None:
    assert admitted(uid, own) is may


def test_the_kernel_tells_who_opened_the_other_end(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as door, socket.socket(socket.AF_UNIX) as guest:
        door.bind(str(tmp_path / "s"))
        door.listen()
        guest.connect(str(tmp_path / "s"))
        link, _ = door.accept()
        with link:
            assert uid_of(link) == os.geteuid()
            assert PeerGate(lambda: 0.0).admits(link)


def test_where_the_kernel_does_not_tell_nobody_is_known() -> None:
    with socket.socket(socket.AF_UNIX) as link:
        link.close()
        assert uid_of(link) is None
        assert not PeerGate(lambda: 0.0).admits(link)


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


def test_the_log_is_told_at_once_and_then_once_a_minute_with_the_count(log: Path) -> None:
    moments = [5.0, 6.0, 64.0, 65.0, 66.0, 124.9, 125.0]
    door = PeerGate(iter(moments).__next__)
    for _ in moments:
        door.log_refusal(1001)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["since the last line"] for line in lines] == [1, 3, 3]
    assert {(line["level"], line["user"]) for line in lines} == {("warning", 1001)}
