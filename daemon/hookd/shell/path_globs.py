"""Globs that protect files, matched against real paths.

A glob is relative to the project's root, or absolute (`/...`, `~/...`). `*` matches within a name,
`**` crosses folders, a glob without a slash matches at any depth. Links in the literal folder of a
glob are followed, as in the paths that it is compared with.
"""

import posixpath
from collections.abc import Callable
from fnmatch import fnmatchcase

from hookd.lazy_dataclass import dataclass
from hookd.shell.globs import GlobRoots, glob_steps, path_fits, skipped_folders

_WILD = frozenset("*?[")
_NO_MEANING = frozenset("{}!\\\0")


@dataclass(frozen=True, slots=True)
class PathGlob:
    """A glob in two parts: its literal folder, and the pattern below it."""

    text: str
    base: str
    rest: str
    inside: bool  # of the project


@dataclass(frozen=True, slots=True)
class GlobContext:
    """Root of the project, home folder, and `real`: the real path of a path, None if unknown."""

    root: str
    home: str
    real: Callable[[str], str | None]

    def has(self, real: str) -> bool:
        """Return whether a resolved path is in the project."""
        root = self.real(self.root)
        return root is not None and _within(real, root)

    def glob(self, text: str) -> PathGlob:
        """Split a glob at its first wildcard."""
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
    """Return a glob that a user wrote. Raise ValueError if it is invalid."""
    if not glob.strip() or _NO_MEANING & set(glob):
        raise ValueError(f"invalid glob {glob!r}: only *, **, ? and [] are wildcards")
    if ".." in glob.split("/"):
        raise ValueError(f"invalid glob {glob!r}: use an absolute glob instead of ..")
    return glob


def denies(glob: PathGlob, path: str, land: GlobContext, *, whole: bool = False) -> bool:
    """Return whether a glob matches a path, ignoring case.

    With `whole`, a folder that contains files of the glob matches as well.
    """
    low = posixpath.normpath(path).lower()
    bases = {base.lower() for base in (glob.base, land.real(glob.base)) if base}
    if any(path_fits(glob.rest.lower(), low, GlobRoots(project=base)) for base in bases):
        return True
    return whole and any(_within(base, low) for base in bases)


def may_deny(glob: PathGlob, path: str, land: GlobContext, *, whole: bool = False) -> bool:
    """Return whether a glob may match a path with wildcards, of which `**` is any folders.

    With `whole`, so may a folder that contains files of the glob.
    """
    names = [name for name in path.lower().split("/") if name not in ("", ".")]
    bases = {base.lower() for base in (glob.base, land.real(glob.base)) if base}
    return any(_may_reach(names, base, glob.rest.lower(), whole=whole) for base in bases)


def _may_reach(names: list[str], base: str, rest: str, *, whole: bool) -> bool:
    folders = [step for step in base.split("/") if step]
    steps = [*folders, *glob_steps(rest)]
    reached = skipped_folders({0}, steps)
    for at, name in enumerate(names):
        if name == "**" and reached:
            if at == len(names) - 1:
                return True
            reached = set(range(min(reached), len(steps)))
            continue
        after = {
            step if steps[step] == "**" else step + 1
            for step in reached
            if steps[step] == "**" or _may_be(steps[step], name)
        }
        reached = skipped_folders(after, steps)
        if len(steps) in reached:
            return True
    return whole and bool(reached) and len(names) <= len(folders)


def _may_be(glob: str, name: str) -> bool:
    """Return whether a name, which may have wildcards, may match a glob."""
    if _WILD.isdisjoint(name):
        return fnmatchcase(name, glob)
    if _WILD.isdisjoint(glob):
        return fnmatchcase(glob, name)
    heads, tails = (_edge(glob, 1), _edge(name, 1)), (_edge(glob, -1), _edge(name, -1))
    return all(one.startswith(other) or other.startswith(one) for one, other in (heads, tails))


def _edge(glob: str, step: int) -> str:
    """Return the literal beginning of a glob; with -1 its literal end, reversed."""
    text = glob[::step]
    return text[: next((at for at, sign in enumerate(text) if sign in "*?[]"), len(text))]


def allows(glob: PathGlob, real: str, land: GlobContext) -> bool:
    """Return whether a glob matches a real path, including the file's own name.

    A glob relative to the project's root matches nothing outside of it.
    """
    base, root = land.real(glob.base), land.real(land.root)
    if base is None or root is None or (glob.inside and not _within(base, root)):
        return False
    last = glob.rest.rpartition("/")[2]
    named = last in ("", "*", "**") or fnmatchcase(real.rpartition("/")[2], last)
    return named and path_fits(glob.rest, real, GlobRoots(project=base))


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")
