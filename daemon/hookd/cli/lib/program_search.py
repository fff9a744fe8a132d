"""PATH search for programs that a registration names: folders that others control are skipped.

A registered program runs at every hook, so it must not be replaceable by a project that the user
has cloned, nor by another user of the machine.
"""

import grp
import os
import pwd
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from hookd import paths

_MARKS = (".git", ".claude", ".hookd")
"""What the root of a project contains."""

_ADMIN = 80
"""Group of the administrators on macOS, who own the folders of its package managers."""


def candidates(name: str) -> Iterator[str]:
    """Yield the programs of this name on the PATH that can be registered, in its order."""
    return (place for place, why in _found(name) if not why)


def refused(name: str) -> list[str]:
    """Return a sentence for each program of this name on the PATH that is not registered."""
    return [f"{place} is not used: {why}" for place, why in _found(name) if why]


def refusal(program: str) -> str:
    """Return why a program cannot be registered; "" if it can. Links are followed."""
    folders = (os.path.realpath(Path(one).parent) for one in (program, os.path.realpath(program)))
    for folder in map(Path, dict.fromkeys(folders)):
        if root := _project_of(folder):
            return f"it is in the project {root}"
        if not _is_private(folder, sticky=False):
            return f"others can write to {folder}"
        if above := next((one for one in folder.parents if not _is_private(one)), None):
            return f"others can write to {above}"
    return "" if _is_private(Path(program), sticky=False) else "others can write to it"


def _found(name: str) -> Iterator[tuple[str, str]]:
    for folder in dict.fromkeys(paths.search_path().split(os.pathsep)):
        place = Path(folder, name)
        if place.is_file() and os.access(place, os.X_OK):
            why = (
                refusal(str(place)) if place.is_absolute() else "its folder on the PATH is relative"
            )
            yield str(place), why


def _project_of(folder: Path) -> Path | None:
    """Return the root of the project that a folder is in, if it is below the home or around here.

    A folder around the home is no project, and a package manager may have its own in git.
    """
    home = Path(os.path.realpath(Path.home()))
    try:
        here = Path.cwd()
    except OSError:  # it is gone
        here = home
    for root in (folder, *folder.parents):
        near = root.is_relative_to(home) or here.is_relative_to(root)
        if near and not home.is_relative_to(root) and any((root / one).exists() for one in _MARKS):
            return root
    return None


def _is_private(path: Path, *, sticky: bool = True) -> bool:
    """Return whether only root, the user and administrators can replace what is at a path.

    `sticky`: a folder in which everyone replaces only their own files counts as private.
    """
    try:
        found = path.stat()
    except OSError:
        return False
    if found.st_uid not in (0, os.geteuid()):
        return False
    if sticky and found.st_mode & stat.S_ISVTX:
        return True
    shared = found.st_mode & stat.S_IWGRP and not _is_trusted(found.st_gid)
    return not (shared or found.st_mode & stat.S_IWOTH)


def _is_trusted(group: int) -> bool:
    """Return whether a group is root's, the administrators', or the user's private one."""
    if group == 0 or (group == _ADMIN and sys.platform == "darwin"):
        return True
    try:
        return grp.getgrgid(group).gr_name == pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
