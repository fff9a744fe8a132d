"""The home of globs that guard files: what they mean on a disk that has links.

A glob begins at the project's root, or it is absolute (`/...`, `~/...`). `*` stays within a name,
`**` crosses folders, a glob without a slash is met at any depth. The folder that a glob names
letter by letter is followed through links, as the paths are that are held against it.
"""

import posixpath
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from hookd.shell.globs import GlobRoots, path_fits

_WILD = frozenset("*?[")
_NO_MEANING = frozenset("{}!\\\0")


@dataclass(frozen=True, slots=True)
class PathGlob:
    """A glob in two parts: the folder that it names letter by letter, and what may lie there."""

    text: str
    base: str
    rest: str
    inside: bool  # of the project


@dataclass(frozen=True, slots=True)
class GlobContext:
    """Where the project and the home are; `real` says where a path leads, None: nobody knows."""

    root: str
    home: str
    real: Callable[[str], str | None]

    def has(self, real: str) -> bool:
        """Return whether a resolved path is in the project."""
        root = self.real(self.root)
        return root is not None and _within(real, root)

    def glob(self, text: str) -> PathGlob:
        """Part a glob where its first sign stands for something."""
        inside, base, rest = False, "/", text
        if text.startswith("~/"):
            base, rest = self.home, text[1:]
        elif not text.startswith("/"):
            inside, base = True, self.root
        if "/" not in rest.rstrip("/"):
            return PathGlob(text, base, rest, inside)
        steps = [step for step in rest.split("/") if step not in ("", ".")]
        while len(steps) > 1 and not _WILD & set(steps[0]):
            base = posixpath.join(base, steps.pop(0))
        end = "/" if rest.endswith("/") else ""
        return PathGlob(text, base, f"/{'/'.join(steps)}{end}", inside)


def check(glob: str) -> str:
    """Return a glob that a user wrote. ValueError with a sentence where it cannot mean anything."""
    if not glob.strip() or _NO_MEANING & set(glob):
        raise ValueError(f"{glob!r} is no glob: only *, **, ? and [] stand for something")
    if ".." in glob.split("/"):
        raise ValueError(f"{glob!r} climbs; an absolute glob says where a file is")
    return glob


def denies(glob: PathGlob, path: str, land: GlobContext, *, whole: bool = False) -> bool:
    """Whether a glob is met by a path, in upper or lower case.

    With `whole` also where the path is a folder in which the glob's files lie.
    """
    low = posixpath.normpath(path).lower()
    bases = {base.lower() for base in (glob.base, land.real(glob.base)) if base}
    if any(path_fits(glob.rest.lower(), low, GlobRoots(project=base)) for base in bases):
        return True
    return whole and any(_within(base, low) for base in bases)


def allows(glob: PathGlob, real: str, land: GlobContext) -> bool:
    """Whether a glob is met by where a path really leads, by the name of the file itself.

    One that begins at the project's root leads nowhere outside of it.
    """
    base, root = land.real(glob.base), land.real(land.root)
    if base is None or root is None or (glob.inside and not _within(base, root)):
        return False
    last = glob.rest.rpartition("/")[2]
    named = last in ("", "*", "**") or fnmatchcase(real.rpartition("/")[2], last)
    return named and path_fits(glob.rest, real, GlobRoots(project=base))


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")
