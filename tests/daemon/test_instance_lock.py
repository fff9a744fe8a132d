"""The locks of the one daemon: whether another daemon holds them."""

import os
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from hookd.daemon.instance_lock import AlreadyRunningError, alone
from hookd.paths import paths


def test_a_daemon_whose_backlog_is_full_serves_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOOKD_HOME", str(tmp_path / "h"))
    places = paths()
    places.socket.parent.mkdir(parents=True)
    with ExitStack() as stack:
        stack.enter_context(alone(places, 0))
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(os.fspath(places.socket))
        listener.listen(0)
        listener.setblocking(False)
        for _ in range(2):  # macOS accepts one more than Linux
            waiting = stack.enter_context(socket.socket(socket.AF_UNIX))
            waiting.setblocking(False)
            waiting.connect_ex(os.fspath(places.socket))
        with pytest.raises(AlreadyRunningError) as refused, alone(places, 0):
            pass
    assert refused.value.here
