"""The git branch of a folder, as git itself tells it: with worktrees, detached, and without git."""

import os
import subprocess
from pathlib import Path

import pytest

from hookd.system.git_head import branch

HERE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}


def git(folder: Path, *args: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    command = ["git", "-C", str(folder), *who, *args]
    return subprocess.run(command, env=HERE, check=True, capture_output=True, text=True).stdout


def test_it_is_the_branch_that_git_tells(tmp_path: Path) -> None:
    root = tmp_path / "orders"
    (root / "src").mkdir(parents=True)
    assert branch(str(root)) is None
    git(root, "init", "-q")
    assert branch(str(root / "src")) == "main"
    git(root, "commit", "-q", "--allow-empty", "-m", "x")
    git(root, "checkout", "-q", "-b", "feature/pages")
    assert branch(str(root)) == "feature/pages"
    git(root, "worktree", "add", "-q", "-b", "other", str(tmp_path / "beside"))
    assert branch(str(tmp_path / "beside")) == "other"
    git(root, "checkout", "-q", "--detach")
    assert branch(str(root)) == git(root, "rev-parse", "HEAD")[:8]
    assert branch("src") is None
    assert branch(str(root / "gone" / "for good")) == branch(str(root))


@pytest.mark.parametrize("head", ["", "nonsense", "ref: refs/remotes/x", "ref: refs/heads/"])
def test_what_is_no_head_tells_nothing(tmp_path: Path, head: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head)
    assert branch(str(tmp_path)) is None


@pytest.mark.parametrize("text", ["", "gitdir:", "gitdir: ../nowhere", "elsewhere: /x"])
def test_a_git_file_that_leads_nowhere_tells_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text)
    try:
        assert branch(str(tmp_path)) is None
    except FileNotFoundError:
        assert "nowhere" in text


def test_a_pipe_in_its_place_keeps_nobody_waiting(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "HEAD")
    assert branch(str(tmp_path)) is None
