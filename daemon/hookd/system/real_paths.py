"""Resolved paths of a request: symbolic links followed. Imports no event loop."""

import os
from dataclasses import replace
from stat import S_ISLNK

from hookd.core.model.identity import Identity


def real(path: str | None) -> str | None:
    """Return an absolute path with its links resolved; anything else is None."""
    if not path or not path.startswith("/") or "\0" in path:
        return None
    return RealPaths().real(path)


def located(
    identity: Identity, runs: frozenset[str] = frozenset(), peer: int | None = None
) -> Identity:
    """Return the identity with its folders resolved, so that one folder has one name.

    `runs` and `peer` are what the daemon knows besides.
    """
    cwd = real(identity.cwd)
    project = cwd if identity.project_dir == identity.cwd else real(identity.project_dir)
    return replace(identity, cwd=cwd, project_dir=project, runs=runs, peer=peer)


_MAX_STEPS = 64
"""Parts of a path that are resolved one by one."""

_DOTS = ("//", "/./", "/../")
_DOTS_AT_END = ("/", "/.", "/..")


class RealPaths:
    """Real paths as `os.path.realpath` returns them; each folder is looked at once.

    For paths that are resolved at the same moment: most of them share their folders.
    """

    def __init__(self) -> None:
        self._known = {"": ""}

    def real(self, path: str) -> str:
        """Return the real path. Raise ValueError if a path cannot be one: it contains a NUL."""
        dotted = path.endswith(_DOTS_AT_END) or any(dots in path for dots in _DOTS)
        if path[:1] != "/" or dotted or path.count("/") > _MAX_STEPS:
            return os.path.realpath(path)
        return self._resolved(path) or "/"

    def _resolved(self, path: str) -> str:
        real = self._known.get(path)
        if real is None:
            folder, _, name = path.rpartition("/")
            real = f"{self._resolved(folder)}/{name}"
            if _is_link(real):
                real = os.path.realpath(real).rstrip("/")
            self._known[path] = real
        return real


def _is_link(path: str) -> bool:
    try:
        return S_ISLNK(os.lstat(path).st_mode)
    except OSError:
        return False
