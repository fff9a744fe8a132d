"""Whether git has the content of a file, as git itself tells it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hookd.core.model.fact_requests import GitCopy
from hookd.system import git_copy
from hookd.system.file_lookup import look
from hookd.system.git_copy import state_of

HERE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}


def git(folder: Path, *args: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    command = ["git", "-C", str(folder), *who, *args]
    subprocess.run(command, env=HERE, check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "orders"
    (place / "data").mkdir(parents=True)
    git(place, "init", "-q")
    for name in ("app.db", "data/app.db", "a" * 200, "b.db", "bb.db", "ö.db", "empty"):
        (place / name).write_text("" if name == "empty" else f"content of {name}")
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "x")
    return place


def test_what_git_has_is_the_same_until_it_changes(root: Path) -> None:
    for name in ("app.db", "data/app.db", "a" * 200, "b.db", "bb.db", "ö.db", "empty"):
        assert (name, state_of(str(root / name))) == (name, "same")
    os.utime(root / "app.db", (1, 1))
    assert state_of(str(root / "app.db")) == "same"
    (root / "app.db").write_text("content of App.db")  # of the same length
    assert state_of(str(root / "app.db")) == "none"
    git(root, "add", "app.db")
    assert state_of(str(root / "app.db")) == "same"
    git(root, "rm", "-q", "--cached", "app.db")
    assert state_of(str(root / "app.db")) == "none"


def test_files_that_git_does_not_have(root: Path) -> None:
    (root / "new.db").write_text("content of b.db")
    for name in ("new.db", ".", "data"):
        assert (name, state_of(str(root / name))) == (name, "none")
    for name in ("gone.db", "app.db/x", "nowhere/x"):
        assert (name, state_of(str(root / name))) == (name, "absent")
    outside = root.parent / "x.db"
    outside.write_text("x")
    assert state_of(str(outside)) == "none"


def test_a_link_is_followed_and_a_worktree_has_an_index_of_its_own(root: Path) -> None:
    (root / "link.db").symlink_to("data/app.db")
    assert state_of(str(root / "link.db")) == "same"
    beside = root.parent / "beside"
    git(root, "worktree", "add", "-q", str(beside))
    assert state_of(str(beside / "b.db")) == "same"
    (beside / "b.db").write_text("other")
    assert (state_of(str(beside / "b.db")), state_of(str(root / "b.db"))) == ("none", "same")


def test_entries_with_further_flags_are_read(root: Path) -> None:
    (root / "later.db").write_text("x")
    git(root, "add", "--intent-to-add", "later.db")  # an index of version 3
    assert state_of(str(root / "later.db")) == "none"
    assert state_of(str(root / "b.db")) == "same"


@pytest.mark.parametrize("version", ["4"])
def test_an_index_that_is_not_read_counts_as_no_copy(root: Path, version: str) -> None:
    git(root, "update-index", "--index-version", version)
    assert state_of(str(root / "b.db")) == "none"


@pytest.mark.parametrize("index", [b"", b"DIRC", b"x" * 100, b"DIRC\0\0\0\2" + b"b.db\0" * 40])
def test_a_damaged_index_has_no_copy(root: Path, index: bytes) -> None:
    (root / ".git" / "index").write_bytes(index)
    assert state_of(str(root / "b.db")) == "none"


def test_a_look_that_fails_tells_nothing(root: Path) -> None:
    (root / ".git" / "index").unlink()
    (root / "hookd.db").write_text("x")
    there, broken, locked = (
        GitCopy(str(root / "b.db")),
        GitCopy(f"{root}/a\0b"),
        GitCopy(str(root / "hookd.db")),
    )
    assert look((there, broken, locked)) == {there: None, broken: None, locked: "none"}


@pytest.mark.parametrize("part", [1, 7, 65, 300])
def test_an_entry_is_found_wherever_a_part_of_the_index_ends(
    root: Path, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    monkeypatch.setattr(git_copy, "_PART", part)
    test_what_git_has_is_the_same_until_it_changes(root)


LOOK = """
import sys
from contextlib import suppress
from hookd.system.git_copy import state_of
for _ in range(500):
    with suppress(OSError):
        state_of(sys.argv[1])
"""


def test_an_index_that_is_cut_meanwhile_does_not_end_the_process(root: Path) -> None:
    for number in range(2_000):
        (root / f"a_file_with_a_long_name_{number}").touch()
    (root / "z.db").write_text("z")
    git(root, "add", ".")
    index = root / ".git" / "index"
    whole = index.read_bytes()
    with subprocess.Popen([sys.executable, "-c", LOOK, str(root / "z.db")]) as looking:
        while looking.poll() is None:
            index.write_bytes(whole)  # it is cut, and written again
    assert looking.returncode == 0
