"""The lock that keeps a second sync process of a host away."""

import fcntl
from pathlib import Path

import pytest

from hookd.fleet_sync import process
from hookd.paths import Paths, paths


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("HOOKD_HOME", str(tmp_path))
    found = paths()
    found.fleet.mkdir(parents=True)
    found.sync_lock.parent.mkdir(parents=True, exist_ok=True)
    return found


def test_a_command_that_looks_for_the_process_does_not_end_a_new_one(
    places: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`hookd start` looks while the process begins, as `status` and the status line do."""
    places.sync_lock.touch()
    looking = places.sync_lock.open("rb")
    fcntl.flock(looking, fcntl.LOCK_SH)
    monkeypatch.setattr(process.time, "sleep", lambda _seconds: looking.close())
    with process.locked(places):
        assert looking.closed


def test_a_second_process_is_refused(places: Paths) -> None:
    with process.locked(places), pytest.raises(process.RunningError), process.locked(places):
        pass
