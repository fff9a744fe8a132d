"""Files of exported data: private, new, and gone after a failure."""

import stat
from pathlib import Path

import pytest

from hookd.cli.lib.errors import Problem
from hookd.cli.lib.private_file import private_file


def test_a_new_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "new"
    with private_file(str(path), force=False) as file:
        file.write("text \udcff")
    assert (stat.S_IMODE(path.stat().st_mode), path.read_text()) == (0o600, "text \\udcff")


def test_an_existing_file_and_a_link_are_refused(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "old")
    for name, force in (("old", False), ("link", True), ("none/new", False)):
        with pytest.raises(Problem), private_file(str(tmp_path / name), force=force):
            pass
    assert (tmp_path / "old").read_text() == "old"


def test_after_a_failure_a_new_file_is_gone(tmp_path: Path) -> None:
    def fail() -> None:
        raise KeyError("fault")

    with pytest.raises(KeyError), private_file(str(tmp_path / "new"), force=False):
        fail()
    with (
        pytest.raises(Problem, match="No space"),
        private_file(str(tmp_path / "new"), force=False),
    ):
        raise OSError(28, "No space left on device")
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_overwritten_is_kept_if_there_is_nothing_to_write(tmp_path: Path) -> None:
    """A host's file has the only copy of its password."""
    path = tmp_path / "old"
    path.write_text("a long old text")
    with pytest.raises(KeyError), private_file(str(path), force=True):
        raise KeyError("fault")
    assert path.read_text() == "a long old text"
    with private_file(str(path), force=True) as file:
        file.write("new")
    assert path.read_text() == "new"
    with private_file("/dev/null", force=True) as file:
        file.write("new")
