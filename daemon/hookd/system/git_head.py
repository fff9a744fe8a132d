"""The git branch of a folder, read from .git/HEAD: no process is started."""

import os
import stat
from pathlib import Path

from hookd.lazy_pattern import lazy_compile

_HEAD = lazy_compile(
    r"ref: refs/heads/(?P<branch>[^\0\n]{1,200})\s*\Z|(?P<commit>[0-9a-f]{40,64})\s*\Z"
)
_LONGEST = 1_024
_HIGHEST = 40
"""Limit of parent folders that are checked."""


def branch(folder: str) -> str | None:
    """Return the branch that a folder is on, or 8 digits of a detached commit; None without git.

    Raise OSError for what cannot be read.
    """
    start = Path(folder)
    if not start.is_absolute():
        return None
    found = repository(start)
    return _of(found[1]) if found else None


def repository(folder: Path) -> tuple[Path, Path] | None:
    """Return the working tree around an absolute folder, and git's own folder; None without git.

    Raise OSError for what cannot be read.
    """
    for place in (folder, *list(folder.parents)[:_HIGHEST]):
        git = place / ".git"
        try:
            kind = git.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        own = git if stat.S_ISDIR(kind) else _linked(git)
        return (place, own) if own else None
    return None


def _linked(file: Path) -> Path | None:
    """Return the folder that a .git file names: of a worktree or of a submodule."""
    name, _, path = _read(file).partition(":")
    return file.parent / path.strip() if name == "gitdir" and path.strip() else None


def _of(git: Path) -> str | None:
    found = _HEAD.match(_read(git / "HEAD"))
    if found is None:
        return None
    return found["branch"].strip() if found["branch"] else found["commit"][:8]


def _read(path: Path) -> str:
    """Return the beginning of a regular file: what else has the name could keep the reader."""
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return ""
        return os.read(number, _LONGEST).decode("utf-8", "replace")
    finally:
        os.close(number)
