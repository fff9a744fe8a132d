"""`hookd checkpoint` in real repositories: what is kept, what stays, and what comes back."""

import json
import re
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from support.home import Home

WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")


def git(tree: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", tree, *WHO, *words], capture_output=True, text=True, check=True, timeout=30
    )
    return done.stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with a commit, changes staged and not, a new file, and an ignored one."""
    tree = tmp_path / "orders"
    tree.mkdir()
    git(tree, "init", "-q", "-b", "main")
    for name in ("kept.txt", "staged.txt", "gone.txt"):
        tree.joinpath(name).write_text("first\n")
    tree.joinpath(".gitignore").write_text("*.log\n")
    git(tree, "add", "--all")
    git(tree, "commit", "-q", "-m", "Begin")
    tree.joinpath("staged.txt").write_text("staged\n")
    git(tree, "add", "staged.txt")
    tree.joinpath("kept.txt").write_text("changed\n")
    tree.joinpath("gone.txt").unlink()
    tree.joinpath("ünew file.txt").write_text("new\n")
    tree.joinpath("noise.log").write_text("noise\n")
    return tree


def state(tree: Path) -> tuple[str, ...]:
    """Return all that a checkpoint must leave alone."""
    return (
        git(tree, "status", "--porcelain"),
        git(tree, "diff", "--cached"),
        git(tree, "diff"),
        git(tree, "rev-parse", "HEAD"),
        git(tree, "for-each-ref", "refs/heads", "refs/stash"),
        git(tree, "reflog"),
    )


def saved(home: Home, tree: Path, *words: str) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(home.hookd("checkpoint", *words, "--json", cwd=tree).stdout)
    return kept


def test_a_checkpoint_keeps_all_files_and_leaves_everything_as_it_was(
    home: Home, tree: Path
) -> None:
    before = state(tree)
    kept = saved(home, tree, "before")
    assert state(tree) == before
    assert kept["name"].endswith("Z-before")
    assert kept["base"] == before[3].strip()
    found = git(tree, "ls-tree", "-r", "-z", "--name-only", kept["commit"]).split("\0")[:-1]
    assert found == [".gitignore", "kept.txt", "staged.txt", "ünew file.txt"]
    assert git(tree, "show", f"{kept['commit']}:kept.txt") == "changed\n"


def test_it_is_kept_from_any_folder_of_the_tree_and_survives_tidying_up(
    home: Home, tree: Path
) -> None:
    folder = tree / "deep"
    folder.mkdir()
    kept = saved(home, folder)
    git(tree, "gc", "-q", "--prune=now")
    assert "kept.txt" in git(tree, "ls-tree", "-r", "--name-only", kept["commit"])


def test_a_repository_without_any_commit_has_checkpoints_as_well(
    home: Home, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q")
    tmp_path.joinpath("a.txt").write_text("a\n")
    kept = saved(home, tmp_path)
    assert kept["base"] is None
    shown = json.loads(
        home.hookd("checkpoint", "show", kept["name"], "--json", cwd=tmp_path).stdout
    )
    assert shown["changes"] == [{"change": "added", "path": "a.txt"}]


def test_the_newest_of_a_name_is_meant_and_all_are_listed(home: Home, tree: Path) -> None:
    first = saved(home, tree, "step")
    tree.joinpath("kept.txt").write_text("later\n")
    second = saved(home, tree, "step")
    listed = json.loads(home.hookd("checkpoint", "list", "--json", cwd=tree).stdout)
    assert [one["name"] for one in listed] == [second["name"], first["name"]]
    shown = json.loads(home.hookd("checkpoint", "show", "step", "--json", cwd=tree).stdout)
    assert shown["commit"] == second["commit"]
    assert {"change": "deleted", "path": "gone.txt"} in shown["changes"]
    assert second["name"] in home.hookd("checkpoint", "list", cwd=tree).stdout


def test_it_is_restored_into_a_new_folder_and_never_over_another(
    home: Home, tree: Path, tmp_path: Path
) -> None:
    saved(home, tree, "before")
    before = state(tree)
    home.hookd("checkpoint", "restore", "before", "--to", str(tmp_path / "back"), cwd=tree)
    back = tmp_path / "back"
    assert sorted(one.name for one in back.iterdir()) == [
        *(".gitignore", "kept.txt", "staged.txt", "ünew file.txt")
    ]
    assert back.joinpath("kept.txt").read_text() == "changed\n"
    again = ("checkpoint", "restore", "before", "--to", str(back))
    done = home.hookd(*again, cwd=tree, check=False)
    assert done.returncode == 1
    assert "already exists" in done.stderr
    told = home.hookd("checkpoint", "restore", "before", cwd=tree).stdout
    assert "git restore --source=" in told
    assert state(tree) == before


def test_a_checkpoint_is_removed_by_its_name(home: Home, tree: Path) -> None:
    kept = saved(home, tree, "before")
    assert kept["commit"] in home.hookd("checkpoint", "remove", "before", cwd=tree).stdout
    assert json.loads(home.hookd("checkpoint", "list", "--json", cwd=tree).stdout) == []
    assert "No checkpoints" in home.hookd("checkpoint", "list", cwd=tree).stdout


def test_no_hook_of_the_repository_is_run(home: Home, tree: Path) -> None:
    hook = tree / ".git" / "hooks" / "reference-transaction"
    hook.write_text(f"#!/bin/sh\ntouch {tree}/ran.log\n")
    hook.chmod(0o755)
    saved(home, tree)
    assert not tree.joinpath("ran.log").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("a b",), "cannot name a checkpoint"),
        (("../x",), "cannot name a checkpoint"),
        (("show", "nothing"), "There is no checkpoint nothing here"),
        (("remove", "../../heads/main"), "There is no checkpoint"),
    ],
)
def test_a_bad_name_is_one_sentence(
    home: Home, tree: Path, words: tuple[str, ...], said: str
) -> None:
    done = home.hookd("checkpoint", *words, cwd=tree, check=False)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_outside_of_a_repository_it_says_so(home: Home, tmp_path: Path) -> None:
    done = home.hookd("checkpoint", cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert "is not in a working tree of git" in done.stderr
    assert "git init" in done.stderr


@pytest.mark.parametrize(
    ("name", "meant"), [("lst", "list"), ("ls", "list"), ("restor", "restore"), ("rm", "remove")]
)
def test_a_name_that_is_nearly_a_command_makes_no_checkpoint(
    name: str, meant: str, home: Home, tree: Path
) -> None:
    done = home.hookd("checkpoint", name, cwd=tree, check=False)
    assert done.returncode == 1
    assert f"There is no command {name}; did you mean {meant}?" in done.stderr
    assert json.loads(home.hookd("checkpoint", "list", "--json", cwd=tree).stdout) == []
    assert saved(home, tree, "save", name)["name"].endswith(f"-{name}")


def test_the_list_prints_times_as_all_lists_do(home: Home, tree: Path) -> None:
    at = saved(home, tree)["at"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", at)
    listed = home.hookd("checkpoint", "list", cwd=tree).stdout
    (shown,) = re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d", listed)
    assert datetime.fromisoformat(shown) == datetime.fromisoformat(at)
