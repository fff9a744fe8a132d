"""`install --scope local` asks the real git what it ignores, and runs nothing of a clone's."""

import subprocess
from pathlib import Path

import pytest

from support.home import Home

LOCAL = ".claude/settings.local.json"


@pytest.fixture
def repository(home: Home) -> Path:
    """A repository with an index, whose configuration names programs."""
    root = home.path / "clone"
    git(home, "init", "--quiet", str(root))
    (root / "a.txt").write_text("a")
    git(home, "-C", str(root), "add", "a.txt")
    mark = f"touch {home.path}/mark; false"
    for key in ("core.fsmonitor", "core.pager", "pager.check-ignore", "alias.check-ignore"):
        git(home, "-C", str(root), "config", key, f"!{mark}" if key.startswith("alias") else mark)
    return root


def git(home: Home, *words: str) -> None:
    subprocess.run(["git", *words], env=home.env, check=True, capture_output=True, timeout=60)


def test_what_the_configuration_of_a_clone_names_is_not_run(home: Home, repository: Path) -> None:
    done = home.hookd("install", "--scope", "local", cwd=repository)
    assert f"git does not ignore {repository / LOCAL}" in done.stdout
    assert not (home.path / "mark").exists()


@pytest.mark.parametrize("file", [".gitignore", ".git/info/exclude"])
def test_what_git_ignores_is_no_matter(home: Home, repository: Path, file: str) -> None:
    (repository / file).write_text(f"{LOCAL}\n")
    assert "git does not" not in home.hookd("install", "--scope", "local", cwd=repository).stdout
