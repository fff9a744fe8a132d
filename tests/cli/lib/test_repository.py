"""The root that the worktrees of a repository share."""

from pathlib import Path
from subprocess import run

from hookd.cli.lib.repository import repository_root


def test_a_worktree_and_a_link_have_the_root_of_their_repository(tmp_path: Path) -> None:
    main, tree, link = tmp_path / "main", tmp_path / "tree", tmp_path / "link"
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(main)]
    run(["git", "init", "-q", main], check=True)
    run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    run([*git, "worktree", "add", "-q", tree], check=True, capture_output=True)
    link.symlink_to(main)
    for folder in (main, tree, link):
        assert repository_root({"CLAUDE_PROJECT_DIR": str(folder)}) == str(main.resolve())


def test_without_git_it_is_the_folder(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert repository_root({"CWD": str(link)}) == str(tmp_path.resolve())
    assert repository_root({"CWD": "/nowhere/at/all"}) == "/nowhere/at/all"
