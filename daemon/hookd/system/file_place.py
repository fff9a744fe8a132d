"""The place of a file in its repository, and its state: what claims and views are compared by."""

import os
import posixpath
import stat
from hashlib import sha256
from pathlib import Path

from hookd.core.model.claim import MAX_HASHED_BYTES, FilePlace, Stamp
from hookd.system.git_head import repository

_MAX_BYTES = 1_024


def place_of(path: str, real: str) -> FilePlace:
    """Return the place of a file by its path and its real path. Raise OSError, ValueError."""
    root, relative = _placed(real)
    try:
        state = Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return FilePlace(real, root, relative)
    if stat.S_ISDIR(state.st_mode):
        return FilePlace(real, root, relative, "folder")
    stamp = _stamp(state)
    return FilePlace(real, root, relative, "file" if stamp else "nothing", stamp)


def stamp_of(path: str) -> Stamp | None:
    """Return the state of a file, None for what is no file. Raise OSError, ValueError."""
    return _stamp(os.stat(path))  # noqa: PTH116 - of every Read; a Path costs as much again


def hash_of(path: str, state: Stamp | None = None) -> str | None:
    """Return the SHA-256 of a file's content, None for a longer one than is hashed.

    None, too, if the file has another state than `state`, before or after it was read.
    """
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(number, "rb") as file:
        before = _stamp(os.fstat(number))
        if before is None or before.size > MAX_HASHED_BYTES or state not in (None, before):
            return None
        content = file.read(MAX_HASHED_BYTES + 1)
        same = _stamp(os.fstat(number)) == before and len(content) == before.size
    return sha256(content).hexdigest() if same else None


def _stamp(state: os.stat_result) -> Stamp | None:
    if not stat.S_ISREG(state.st_mode):
        return None
    return Stamp(state.st_size, state.st_mtime_ns, state.st_ino)


def _placed(real: str) -> tuple[str, str]:
    """Return the root of the repository around a real path, and the path below its working tree."""
    found = repository(Path(real))
    if found is None:
        return "/", real.lstrip("/")
    top, own = found
    below = posixpath.relpath(real, top)
    return _root(top, own), "" if below == "." else below


def _root(top: Path, own: Path) -> str:
    """Return the root that all working trees of a repository share.

    `own` is git's folder of the working tree `top`; that of a linked one names the common folder.
    """
    try:
        named = _first_line(own / "commondir")
    except OSError:
        return str(top)
    common = os.path.realpath(own / named) if named else str(own)
    folder, name = os.path.split(common)
    return folder if name == ".git" else common


def _first_line(file: Path) -> str:
    number = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return ""
        return os.read(number, _MAX_BYTES).decode("utf-8", "replace").strip()
    finally:
        os.close(number)
