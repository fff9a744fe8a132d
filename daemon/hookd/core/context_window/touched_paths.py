"""Touched paths: the file and folder of a tool call, the folders above it, a file's aliases."""

import posixpath
from itertools import accumulate

from hookd.core.model.fact_requests import DirListing, FileText
from hookd.core.model.facts import Facts
from hookd.events.model import ToolInput

_FILES = {
    "Read": "file_path",
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "Write": "file_path",
    "NotebookEdit": "notebook_path",
}
_SEARCHES = ("Glob", "Grep")


def touched_file(event: ToolInput) -> str | None:
    """Return the path of the file that a call reads or writes; None for other tools."""
    return _absolute(event.tool_input.get(_FILES.get(event.tool_name, "")), event)


def touched_files(event: ToolInput) -> tuple[str, ...]:
    """Return the paths of all files that a call reads or writes: several only for a patch."""
    files = (part.primary for part in event.call.parts if part.name in _FILES)
    paths = (touched_file(event), *(_absolute(file, event) for file in files))
    return tuple(dict.fromkeys(path for path in paths if path))


def touched_folders(event: ToolInput) -> tuple[str, ...]:
    """Return the folders that a call touches."""
    own = touched_folder(event)
    folders = map(posixpath.dirname, touched_files(event)) if event.call.parts else ()
    return tuple(dict.fromkeys(folder for folder in (own, *folders) if folder))


def touched_folder(event: ToolInput) -> str | None:
    """Return the path of the folder that a call touches; None if it touches none."""
    if event.tool_name in _SEARCHES:
        given = event.tool_input.get("path")
        return _absolute(event.cwd if given is None else given, event)
    file = touched_file(event)
    return posixpath.dirname(file) if file else None


def _absolute(path: object, event: ToolInput) -> str | None:
    if not isinstance(path, str) or not path:
        return None
    return posixpath.normpath(posixpath.join(event.cwd or "/", path))


def within(path: str, root: str) -> bool:
    """Return whether a path is a root or below it; symlinks are not resolved.

    >>> within("/work/orders/api", "/work/orders"), within("/work/orders-old", "/work/orders")
    (True, False)
    """
    return path == root or path.startswith(root.rstrip("/") + "/")


def folders_below_root(
    folder: str, roots: tuple[str, ...], facts: Facts
) -> tuple[str, tuple[str, ...]]:
    """Return the root that contains a folder, and the folders from the root down to it.

    For a symlink the last folder is its target. Empty if no root contains the folder.
    """
    for root in roots:
        if within(folder, root):
            return root, _steps(folder, root)
    facts.require_all(*(DirListing(one, root) for root in roots for one in (folder, root)))
    for root in roots:
        there, base = facts.require(DirListing(folder, root)), facts.require(DirListing(root, root))
        if there and base and within(there.path, base.path):
            return base.path, _steps(there.path, base.path)
    return "", ()


def _steps(folder: str, root: str) -> tuple[str, ...]:
    parts = posixpath.relpath(folder, root).split("/") if folder != root else []
    return tuple(accumulate(parts, posixpath.join, initial=root))


def path_aliases(path: str, facts: Facts) -> tuple[str, ...]:
    """Return the paths of a file: the given one, normalized, and with symlinks resolved.

    For a deleted file the symlinks of its folder are resolved.
    """
    normal = posixpath.normpath(path)
    if not normal.startswith("/"):
        return (path,)
    there = facts.require(FileText(normal, "/", max_chars=1))
    real = there.path if there is not None else normal
    if (
        there is None
        and (above := facts.require(DirListing(posixpath.dirname(normal), "/"))) is not None
    ):
        real = posixpath.join(above.path, posixpath.basename(normal))
    return tuple(dict.fromkeys((path, normal, real)))
