"""Inventory of hookd's own files: an uninstall keeps them, `--purge` removes them.

A file is hookd's by its name, its folder and its owner. Other files in these folders are foreign:
they are listed and never removed, nor are their folders.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from hookd.cli.history.db import amount
from hookd.cli.lib.output import cell
from hookd.cli.lifecycle.demo import is_demo
from hookd.clients.claude_code.status_line_entry import LINE_SHIM
from hookd.core.model.shim_paths import ALONE, COLD, FORMER, NATIVE, SHIM, is_scope
from hookd.lazy_dataclass import dataclass
from hookd.paths import SHORT_RUN, Paths
from hookd.system.native_shim import RECORD

_DATABASE = re.compile(r"hookd\.db(\.corrupt-\w+)?(-wal|-shm|-journal)?")
_LOG = re.compile(r"hookd\.(log(\.[1-9])?|hung|checked)")
_LOCK = re.compile(r"hookd\.lock")
_SETTINGS = re.compile(r"settings\.json|\.settings\.json\.\w{8}")
_RECORD = re.compile(r"(install|mcp)\.json|\.(install|mcp)\.json\.\w{8}")
_VERSION = re.compile(r"version|\.version\.\w{8}")
_RUN = re.compile(
    r"hookd\.(sock|pid|stopped|judge[12]|unjudged(\.\d+-\d+)?|\d+\.pipe)"
    r"|\.hookd\.stopped\.\w+|\.\d+"
)
_ANY_TEXT = re.compile(r".+\.txt")
_SHIMS = "|".join(map(re.escape, (SHIM, COLD, ALONE, LINE_SHIM, NATIVE, RECORD, *FORMER)))
_SHIM = re.compile(rf"({_SHIMS})|\.({_SHIMS})\.\w{{8}}")
_ANY = re.compile(r".+")
_PID = re.compile(r"pid")


@dataclass(frozen=True)
class Group:
    """Files of one kind; `path` is the one to print, `files` are all, `size` is in bytes."""

    what: str
    path: Path
    files: tuple[Path, ...]
    size: int


@dataclass(frozen=True)
class Inventory:
    """hookd's own files, and the foreign ones in its folders."""

    groups: list[Group]
    foreign: list[Path]
    folders: list[Path]
    """Folders to remove once they are empty, the innermost first."""


def take(places: Paths) -> Inventory:
    """Return the inventory of `places`."""
    parts = _parts(places)
    kinds: dict[tuple[str, Path], list[Path]] = {}
    foreign: list[Path] = []
    folders = list(dict.fromkeys(folder for _, _, folder, _ in parts))
    for folder in folders:
        named = [(what, path, form) for what, path, place, form in parts if place == folder]
        for entry in _entries(folder):
            if entry in folders:
                continue
            key = next(((w, p) for w, p, form in named if form.fullmatch(entry.name)), None)
            if key and _own_file(entry):
                kinds.setdefault(key, []).append(entry)
            elif _demo(entry, places):
                kinds[("demo", entry)] = [entry]
            else:
                foreign.append(entry)
    groups = [
        Group(what, path, tuple(files), sum(map(_size, files)))
        for (what, path), files in kinds.items()
    ]
    return Inventory(groups, foreign, _emptied(folders, places))


def row_text(row: dict[str, Any]) -> str:
    """Return one row as text: kind, path and size."""
    size = "" if row["bytes"] is None else f" ({amount(row['bytes'])})"
    return f"{row['what']}: {cell(row['path'])}{size}"


def _parts(places: Paths) -> list[tuple[str, Path, Path, re.Pattern[str]]]:
    """Return the possible files: kind, path to print, folder, pattern of names."""
    run, shims, spill = places.socket.parent, places.shims, places.state / "spill"
    starting = places.socket.with_name(f"{places.socket.name}.lock")
    parts = [
        ("settings", places.settings, places.config, _SETTINGS),
        ("database", places.database, places.state, _DATABASE),
        ("log", places.log, places.state, _LOG),
        ("lock", places.lock, places.state, _LOCK),
        ("long texts", spill, spill, _ANY_TEXT),
        ("run files", run, run, _RUN),
        ("run files", run, starting, _PID),
        ("record of installs", places.data / "install.json", places.data, _RECORD),
        ("version in use", places.data / "version", places.data, _VERSION),
        ("shims", shims, shims, _SHIM),
    ]
    # A linked folder of shims was not made by install.
    if shims.is_symlink():
        parts = [part for part in parts if part[2] != shims]
    else:
        scopes = [one for one in _entries(shims) if is_scope(one.name)]
        parts += [("shims", shims, one, _ANY) for one in scopes if not one.is_symlink()]
    return parts


def _emptied(folders: list[Path], places: Paths) -> list[Path]:
    """Return the folders that may be removed if they are empty, the innermost first."""
    run = places.socket.parent
    short = [run.parent] if run.parent.name.startswith(SHORT_RUN) else []
    found = [one for one in folders + short if one.is_dir() and not one.is_symlink()]
    return sorted(found, key=lambda one: -len(one.parts))


def _entries(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from sorted(folder.iterdir())


def _own_file(path: Path) -> bool:
    """Return whether a path is the user's own, and no folder; of a link, the link itself."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return found.st_uid == os.geteuid() and not stat.S_ISDIR(found.st_mode)


def _demo(path: Path, places: Paths) -> bool:
    return path == places.state / "demo" and not path.is_symlink() and is_demo(path)


def _size(path: Path) -> int:
    """Return the bytes of a file, or of all files below a folder."""
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            return sum(map(_size, _entries(path)))
        return path.lstat().st_size
    return 0
