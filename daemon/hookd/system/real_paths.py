"""Resolved paths of a request: symbolic links followed. Imports no event loop."""

import os
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from stat import S_ISLNK

from hookd.core.model.identity import Identity
from hookd.system.git_head import repository


def real(path: str | None) -> str | None:
    """Return an absolute path with its links resolved; anything else is None."""
    if not path or not path.startswith("/") or "\0" in path:
        return None
    return RealPaths().real(path)


def located(
    identity: Identity,
    runs: frozenset[str] = frozenset(),
    peer: int | None = None,
    *,
    claude_code: bool = True,
) -> Identity:
    """Return the identity with its folders resolved, so that one folder has one name.

    `runs` and `peer` are what the daemon knows besides. Without `claude_code` the caller is another
    client, which may set no project: what it has inherited counts only if its working folder is in
    it, and without one the repository around that folder is the project.
    """
    cwd = real(identity.cwd)
    project = cwd if identity.project_dir == identity.cwd else real(identity.project_dir)
    if not claude_code and cwd and not (project and _is_within(cwd, project)):
        project = _repository(cwd)
    return _placed(identity, cwd, project, runs, peer)


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _repository(folder: str) -> str | None:
    """Return the working tree of git around a folder; None without one, or if it is unreadable."""
    with suppress(OSError):
        found = repository(Path(folder))
        return str(found[0]) if found else None
    return None


@lru_cache(maxsize=256)
def _placed(
    identity: Identity,
    cwd: str | None,
    project: str | None,
    runs: frozenset[str],
    peer: int | None,
) -> Identity:
    """Return the identity at its place, cached: most events of a window have the same."""
    return replace(identity, cwd=cwd, project_dir=project, runs=runs, peer=peer)


_MAX_STEPS = 64
"""Parts of a path that are resolved one by one."""

_ODD = ("//", "/./", "/../", "\0")
_DOTS_AT_END = ("/", "/.", "/..")


class RealPaths:
    """Real paths as `os.path.realpath` returns them; each folder is looked at once.

    For paths that are resolved at the same moment: most of them share their folders.
    """

    def __init__(self) -> None:
        self._known = {"": ""}
        self._missing: set[str] = set()

    def real(self, path: str) -> str:
        """Return the real path. Raise ValueError if no path can have this name, such as a NUL."""
        odd = path.endswith(_DOTS_AT_END) or any(one in path for one in _ODD)
        if odd or path[:1] != "/" or path.count("/") > _MAX_STEPS or not path.isascii():
            return os.path.realpath(path)
        return self._resolved(path) or "/"

    def _resolved(self, path: str) -> str:
        real = self._known.get(path)
        if real is None:
            folder, _, name = path.rpartition("/")
            above = self._resolved(folder)
            real = f"{above}/{name}"
            if above in self._missing:  # so is all below it
                self._missing.add(real)
            elif self._is_link(real):
                real = os.path.realpath(real).rstrip("/")
            self._known[path] = real
        return real

    def _is_link(self, path: str) -> bool:
        try:
            return S_ISLNK(os.lstat(path).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            self._missing.add(path)
        except OSError:
            pass
        return False
