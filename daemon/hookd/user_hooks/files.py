"""Files of user hooks, as they are read from disk."""

import hashlib
import os
import stat as stat_of
from collections.abc import Iterable
from pathlib import Path

from hookd.core.hook_rules.sources import HookFileLocation
from hookd.lazy_dataclass import dataclass

_LARGEST = 256 * 1024
"""Bytes of one file of settings; a project's may be anybody's, and is read before it is trusted."""

Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class HookFile:
    """A file as it was found: `text` is None where there is none, `fault` why it cannot be read."""

    place: HookFileLocation
    stamp: Stamp | None = None
    text: bytes | None = None
    error: str = ""


def plugins(config: str) -> tuple[HookFileLocation, ...]:
    """Return the files of hooks in the folder for plugins, by their names."""
    found = sorted(Path(config, "plugins").glob("*/hooks.json"))
    return tuple(HookFileLocation("plugin", str(path)) for path in found)


def stamp(path: str) -> Stamp | None:
    """Return what changes with a file, None where there is none."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):  # ValueError: no name of a file holds a NUL
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def read(place: HookFileLocation) -> HookFile:
    """Read one regular file, up to its limit. Another user may have written it."""
    try:
        number = os.open(place.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return HookFile(place)
    except OSError as error:
        return HookFile(place, stamp(place.path), error=error.strerror or str(error))
    try:
        found = os.fstat(number)
        seen = (found.st_mtime_ns, found.st_size, found.st_ino)
        if not stat_of.S_ISREG(found.st_mode):
            return HookFile(place, seen, error="it is no regular file")
        with open(number, "rb", closefd=False) as file:
            text = file.read(_LARGEST + 1)
    finally:
        os.close(number)
    if len(text) > _LARGEST:
        return HookFile(place, seen, error=f"it is larger than {_LARGEST // 1024} KiB")
    return HookFile(place, seen, text)


def digest(sheets: Iterable[HookFile]) -> str:
    """Return what tells the content of some files from any other: SHA-256 of paths and bytes."""
    whole = hashlib.sha256()
    for sheet in sorted(sheets, key=lambda one: one.place.path):
        text = sheet.text or b""
        whole.update(f"{sheet.place.path}\0{len(text)}\0".encode("utf-8", "surrogateescape"))
        whole.update(text)
    return whole.hexdigest()
