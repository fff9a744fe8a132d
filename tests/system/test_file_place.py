"""The place of a file in its repository: worktrees are one; a changed file has another state."""

import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from hookd.core.model.claim import MAX_HASHED_BYTES, FilePlace, Stamp
from hookd.core.model.claim_requests import FileHash, PlaceOfFile
from hookd.system.file_lookup import look
from hookd.system.file_place import hash_of

GIT = ["git", "-c", "user.email=a@b", "-c", "user.name=a", "-c", "protocol.file.allow=always"]


def git(folder: Path, *args: str) -> None:
    subprocess.run([*GIT, *args], cwd=folder, check=True, capture_output=True)


def place(path: Path | str) -> FilePlace:
    found = look([PlaceOfFile(str(path))])[PlaceOfFile(str(path))]
    assert isinstance(found, FilePlace)
    return found


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path)) / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("one")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    return root


def test_worktrees_links_and_new_files_have_one_root(repository: Path) -> None:
    tree, link = repository.parent / "tree", repository.parent / "link"
    git(repository, "worktree", "add", "-q", str(tree))
    link.symlink_to(repository)
    for folder in (repository, tree, link):
        found = place(folder / "src" / "a.py")
        assert (found.root, found.relative, found.kind) == (str(repository), "src/a.py", "file")
    new = place(tree / "new" / "b.py")
    assert (new.root, new.relative, new.kind, new.stamp) == (
        str(repository), "new/b.py", "nothing", None,
    )  # fmt: skip
    top = place(tree)
    assert (top.root, top.relative, top.kind) == (str(repository), "", "folder")
    assert place(repository / "src" / "a.py" / "below").kind == "nothing"


def test_a_bare_repository_is_the_root_of_its_worktrees(repository: Path) -> None:
    bare, tree = repository.parent / "shop.git", repository.parent / "tree"
    git(repository, "clone", "-q", "--bare", str(repository), str(bare))
    git(bare, "worktree", "add", "-q", str(tree))
    assert place(tree / "src" / "a.py").root == str(bare)


def test_a_submodule_is_a_repository_of_its_own(repository: Path) -> None:
    outer = repository.parent / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "add", "-q", str(repository), "inner")
    found = place(outer / "inner" / "src" / "a.py")
    assert (found.root, found.relative) == (str(outer / "inner"), "src/a.py")


def test_without_a_repository_the_root_is_that_of_the_machine(tmp_path: Path) -> None:
    found = place(tmp_path / "a.py")
    assert found.root == "/"
    assert f"/{found.relative}" == os.path.realpath(tmp_path / "a.py")


def test_a_file_that_changes_has_another_state(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("one")
    first = place(path).stamp
    assert first == Stamp(3, path.stat().st_mtime_ns, path.stat().st_ino)
    other = tmp_path / "b.py"
    other.write_text("two")
    os.utime(other, ns=(0, path.stat().st_mtime_ns))
    other.rename(path)
    assert place(path).stamp != first, "replaced by one of the same size and time"


def test_a_hash_is_that_of_the_content_in_the_state_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("one")
    digest = sha256(b"one").hexdigest()
    state = place(path).stamp
    assert state is not None
    assert hash_of(str(path)) == hash_of(str(path), state) == digest
    assert look([FileHash(str(path))]) == {FileHash(str(path)): digest}
    assert hash_of(str(path), Stamp(3, 1, 1)) is None
    path.write_bytes(b"x" * (MAX_HASHED_BYTES + 1))
    assert hash_of(str(path)) is None
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert look([FileHash(str(pipe)), FileHash("/nowhere")]) == {
        FileHash(str(pipe)): None,
        FileHash("/nowhere"): None,
    }
