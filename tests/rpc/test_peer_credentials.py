"""A daemon accepts its own user and the administrator; it logs all others."""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from hookd.config.models import LogOptions
from hookd.core.model.client_process import Process
from hookd.log.file import close_log, open_log
from hookd.log.logger import LOG
from hookd.rpc import peer_credentials
from hookd.rpc.peer_credentials import Callers, PeerGate
from hookd.system import ancestry
from support.parametrize import parametrize_all


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


NAMED = {"CLAUDE_PID": "7"}


@parametrize_all(
    ("events", "lookups"),
    [
        # Seconds, the client's name, and its variables.
        ([(0, "codex", {}), (1, "codex", {}), (59, "codex", {})], 1),
        ([(0, "codex", {}), (60, "codex", {})], 2),
        ([(0, "codex", {}), (1, "gemini", {}), (2, "codex", {})], 2),
        # What a client inherits from a Claude Code above it says nothing of the client.
        ([(0, "", NAMED), (1, "codex", NAMED), (2, "codex", NAMED)], 2),
        ([(0, "", NAMED), (1, "", NAMED)], 1),
        ([(0, "", {}), (1, "", {})], 2),
    ],
)
def test_a_client_is_looked_up_once_a_minute(
    monkeypatch: pytest.MonkeyPatch,
    events: list[tuple[float, str, Mapping[str, object]]],
    lookups: int,
) -> None:
    looked: list[int] = []

    def lineage(pid: int) -> Iterator[Process]:
        looked.append(pid)
        return ancestry.lineage(pid)

    monkeypatch.setattr(peer_credentials, "lineage", lineage)
    times = iter(at for at, client, env in events if client or env)
    callers = Callers(times.__next__)
    for _, client, env in events:
        callers.learn(os.getpid(), env, client)
    assert len(looked) == lookups
