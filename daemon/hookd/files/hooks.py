"""The home of the files that hold the user's hooks, as they are read from disk."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hookd.core.commands.places import Place

_LARGEST = 1_000_000
"""Bytes of one file of settings."""

Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file as it was found: `text` is None where there is none, `fault` why it cannot be read."""

    place: Place
    stamp: Stamp | None = None
    text: bytes | None = None
    fault: str = ""


def plugins(config: str) -> tuple[Place, ...]:
    """Return the files of hooks in the folder for plugins, by their names."""
    found = sorted(Path(config, "plugins").glob("*/hooks.json"))
    return tuple(Place("plugin", str(path)) for path in found)


def stamp(path: str) -> Stamp | None:
    """Return what changes with a file, None where there is none."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def read(place: Place) -> Sheet:
    """Read one file."""
    seen = stamp(place.path)
    if seen is None:
        return Sheet(place)
    if seen[1] > _LARGEST:
        return Sheet(place, seen, fault="it is larger than a megabyte")
    try:
        return Sheet(place, seen, Path(place.path).read_bytes())
    except OSError as error:
        return Sheet(place, seen, fault=error.strerror or str(error))


def digest(sheets: Iterable[Sheet]) -> str:
    """Return what tells the content of some files from any other: SHA-256 of paths and bytes."""
    whole = hashlib.sha256()
    for sheet in sorted(sheets, key=lambda one: one.place.path):
        text = sheet.text or b""
        whole.update(f"{sheet.place.path}\0{len(text)}\0".encode("utf-8", "surrogateescape"))
        whole.update(text)
    return whole.hexdigest()
