"""A daemon accepts its own user and the administrator; it logs all others."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookd.config.models import LogOptions
from hookd.log.file import close_log, open_log
from hookd.log.logger import LOG
from hookd.rpc.peer_credentials import PeerGate


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    before = LOG.level, LOG.propagate
    handler = open_log(tmp_path / "hookd.log", LogOptions())
    yield tmp_path / "hookd.log"
    close_log(handler)
    LOG.setLevel(before[0])
    LOG.propagate = before[1]


def test_a_connection_of_the_own_user_is_admitted(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as door, socket.socket(socket.AF_UNIX) as guest:
        door.bind(str(tmp_path / "s"))
        door.listen()
        guest.connect(str(tmp_path / "s"))
        link, _ = door.accept()
        with link:
            assert PeerGate(lambda: 0.0).admits(link)


def test_a_connection_of_an_unknown_user_is_refused() -> None:
    with socket.socket(socket.AF_UNIX) as link:
        link.close()
        assert not PeerGate(lambda: 0.0).admits(link)


def test_the_log_is_told_at_once_and_then_once_a_minute_with_the_count(log: Path) -> None:
    moments = [5.0, 6.0, 64.0, 65.0, 66.0, 124.9, 125.0]
    door = PeerGate(iter(moments).__next__)
    for _ in moments:
        door.log_refusal(1001)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["since the last line"] for line in lines] == [1, 3, 3]
    assert {(line["level"], line["user"]) for line in lines} == {("warning", 1001)}
