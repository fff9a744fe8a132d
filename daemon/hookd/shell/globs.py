"""Globs of permission rules: over texts, paths and host names. None backtracks.

A path's glob is one line of a gitignore: `*` stays within a folder's name, `**` crosses folders, a
glob without a slash matches at any depth, and everything in a folder that matches, matches, too. It
is anchored: `//x` at the root, `~/x` at home, `/x` at the project's root, any other at the working
folder. The project's root is a working folder, too, since `cd` changes the latter. A file outside
the anchor does not match. Symlinks are not resolved.
"""

import posixpath
from collections.abc import Iterator
from fnmatch import fnmatchcase

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True)
class GlobRoots:
    """Absolute folders that globs are anchored at; "" if unknown."""

    cwd: str = ""
    home: str = ""
    project: str = ""


def text_fits(glob: str, text: str) -> bool:
    """Return whether a glob in which only `*` is special matches a text.

    A ` *` at the end, or its older spelling `:*`, also matches nothing.
    """
    if glob.endswith(":*"):
        glob = f"{glob[:-2]} *"
    return _like(glob, text) or (glob.endswith(" *") and _like(glob[:-2], text))


def _like(glob: str, text: str) -> bool:
    head, *rest = glob.split("*")
    if not rest:
        return text == glob
    *middle, tail = rest
    at, end = len(head), len(text) - len(tail)
    if not text.startswith(head) or end < at or not text.endswith(tail):
        return False
    for part in middle:
        at = text.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True


def path_fits(glob: str, path: str, places: GlobRoots) -> bool:
    """Return whether a gitignore glob matches a path, at any of its anchors."""
    whole = _absolute(path, places)
    return whole is not None and any(
        _beneath(rest, whole, base) for base, rest in _anchored(glob, places) if base
    )


def _absolute(path: str, places: GlobRoots) -> str | None:
    if path.startswith("~/") and places.home:
        path = f"{places.home}/{path[2:]}"
    whole = posixpath.normpath(posixpath.join(places.cwd, path))
    return f"/{whole.lstrip('/')}" if whole.startswith("/") else None


def _anchored(glob: str, places: GlobRoots) -> Iterator[tuple[str, str]]:
    """Yield folders, and the rest of the glob in them; it begins with `/` if anchored."""
    if glob.startswith("//"):
        yield "/", glob[1:]
    elif glob.startswith("~/"):
        yield places.home, glob[1:]
    elif glob.startswith("/"):
        yield places.project or places.cwd, glob
    else:
        for base in dict.fromkeys((places.cwd, places.project)):
            yield _climbed(glob, base)


def _climbed(glob: str, base: str) -> tuple[str, str]:
    while glob.startswith(("./", "../")):
        step, _, rest = glob.partition("/")
        base = posixpath.dirname(base.rstrip("/")) if step == ".." else base
        glob = rest if rest.startswith(("./", "../")) else f"/{rest}"
    return base, glob


def _beneath(glob: str, whole: str, base: str) -> bool:
    root = posixpath.normpath(base).rstrip("/") + "/"
    if not whole.startswith(root):
        return False
    steps = glob_steps(glob)
    return not steps or _reaches(steps, whole[len(root) :].split("/"))


def glob_steps(glob: str) -> list[str]:
    """Return the globs for each name of a path; a folder's whole content is one more `*`."""
    steps = [step for step in glob.split("/") if step]
    if not steps:
        return []
    if glob.endswith("/") or steps[-1] == "**":
        steps = [*(steps[:-1] if steps[-1] == "**" else steps), "*"]
    return steps if "/" in glob.rstrip("/") or glob == "**" else ["**", *steps]


def _reaches(steps: list[str], names: list[str]) -> bool:
    """Return whether the steps match the path, or a folder above it."""
    reached = skipped_folders({0}, steps)
    for name in names:
        after = {
            at if steps[at] == "**" else at + 1
            for at in reached
            if steps[at] == "**" or fnmatchcase(name, steps[at])
        }
        reached = skipped_folders(after, steps)
        if len(steps) in reached:
            return True
    return False


def skipped_folders(reached: set[int], steps: list[str]) -> set[int]:
    """Add the steps that are reached if a `**` matches no folder."""
    todo = list(reached)
    while todo:
        at = todo.pop()
        if at < len(steps) and steps[at] == "**" and at + 1 not in reached:
            reached.add(at + 1)
            todo.append(at + 1)
    return reached


def host_fits(glob: str, host: str) -> bool:
    """Return whether a glob matches a host: `*` stays within a label, a leading `*.` takes many."""
    parts = glob.lower().rstrip(".").split(".")
    labels = host.lower().rstrip(".").split(".")
    if parts == ["*"]:
        return True
    if parts[0] == "*" and len(labels) >= len(parts):
        parts, labels = parts[1:], labels[1 - len(parts) :]
    return len(parts) == len(labels) and all(map(_like, parts, labels))
