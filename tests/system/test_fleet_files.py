"""Files of a fleet: private, replaced in one step, and refused if others can read them."""

import fcntl
import os
from pathlib import Path

import pytest

from hookd.core.fleet.credential import Credential
from hookd.system import fleet_files

GIVEN = Credential("acme", "ann", {"host": "/run"}, "r", "p", "k", "c", ("f",))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "fleet" / "credential.json"
    fleet_files.write_credential(path, GIVEN)
    return path


def test_only_the_user_can_read_it_and_no_draft_is_left(file: Path) -> None:
    assert fleet_files.read_credential(file) == GIVEN
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    fleet_files.write_credential(file, GIVEN)
    assert [one.name for one in file.parent.iterdir()] == ["credential.json"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_can_read_is_refused(file: Path, mode: int) -> None:
    file.chmod(mode)
    with pytest.raises(ValueError, match="others can read it"):
        fleet_files.read_credential(file)


def test_a_pipe_is_no_credential(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o700)
    with pytest.raises((ValueError, OSError)):
        fleet_files.read_credential(folder)


def test_a_cursor_is_kept_and_a_damaged_one_unknown(tmp_path: Path) -> None:
    file = tmp_path / "cursor.json"
    unknown = ("", {"changes": 0, "events": 0})
    assert fleet_files.read_cursor(file) == unknown
    fleet_files.write_cursor(file, "e1", {"changes": 7, "events": 9})
    assert fleet_files.read_cursor(file) == ("e1", {"changes": 7, "events": 9})
    file.write_text('{"epoch": "e1", "sent": 7}')
    assert fleet_files.read_cursor(file) == ("e1", {"changes": 7, "events": 0}), "of an older hookd"
    for damaged in ('{"epoch": 1}', "[]", "{"):
        file.write_text(damaged)
        assert fleet_files.read_cursor(file) == unknown


def test_a_sync_process_is_known_by_its_lock(tmp_path: Path) -> None:
    file = tmp_path / "sync.lock"
    assert fleet_files.sync_process(file) is None
    file.write_text("4711\n")
    assert fleet_files.sync_process(file) is None, "it has ended"
    number = os.open(file, os.O_RDWR)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        assert fleet_files.sync_process(file) == 4711
    finally:
        os.close(number)
