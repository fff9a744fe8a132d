"""Read files and folders for decisions: bounded, within a root, links followed, cached."""

import os
import stat
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from pathlib import Path

from hookd.core.model.claim import FilePlace, Stamp
from hookd.core.model.claim_requests import FileHash, PlaceOfFile, StampOfFile
from hookd.core.model.fact_requests import (
    ArchiveMembers,
    DirListing,
    ExistingPaths,
    FactRequest,
    File,
    FileRequest,
    FileText,
    Folder,
    GitBranch,
    GitCopy,
    HookContexts,
    RealPath,
    RealPathsOf,
)
from hookd.events.hook_contexts import hook_contexts
from hookd.redaction.redact import redact
from hookd.system import git_copy, git_head, transcripts
from hookd.system.file_place import hash_of, place_of, stamp_of
from hookd.system.real_paths import RealPaths

_LOCKED = frozenset({"hookd.db", "hookd.db-shm"})
"""Names of files that are never opened here: to close one would let go of SQLite's locks on it,
which are the whole process's, and whoever else reads it would delete the log under the daemon."""

_TRANSCRIPT_END = 2_097_152
"""Bytes of a transcript's end that are read for what hooks have added."""

_MOST_NAMES = 20_000
"""Names of one folder that are looked at."""


Found = File | Folder | FilePlace | Stamp | str | tuple[str | None, ...]
"""What a look at a file, a folder, a path, an archive or a transcript brings."""


def look(wanted: Iterable[FactRequest]) -> dict[FactRequest, Found | None]:
    """Return what is there of all the files and folders that are wanted; None: nothing readable."""
    paths = RealPaths()
    return {want: _seen(want, paths) for want in wanted if isinstance(want, FileRequest)}


def _seen(want: FileRequest, paths: RealPaths) -> Found | None:  # noqa: PLR0911
    try:
        if isinstance(want, RealPath | RealPathsOf):
            return _resolved(want, paths)
        if isinstance(want, PlaceOfFile | StampOfFile | FileHash):
            return _state(want, paths)
        if isinstance(want, GitBranch | GitCopy):
            return _of_git(want)
        if isinstance(want, HookContexts):
            return hook_contexts(transcripts.tail(os.path.realpath(want.path), _TRANSCRIPT_END))
        if isinstance(want, ExistingPaths | ArchiveMembers):
            return _listed(want)
        return _folder(want) if isinstance(want, DirListing) else _file(want)
    except (OSError, ValueError):  # ValueError: a path that holds a NUL
        return None


def _resolved(want: RealPath | RealPathsOf, paths: RealPaths) -> str | tuple[str | None, ...]:
    if isinstance(want, RealPath):
        return paths.real(want.path)
    return tuple(_real(path, paths) for path in want.paths)


def _state(
    want: PlaceOfFile | StampOfFile | FileHash, paths: RealPaths
) -> FilePlace | Stamp | str | None:
    if isinstance(want, PlaceOfFile):
        return place_of(want.path, paths.real(want.path))
    if isinstance(want, StampOfFile):
        return stamp_of(want.path)
    return None if _is_locked(want.path) else hash_of(want.path)


def _real(path: str, paths: RealPaths) -> str | None:
    try:
        return paths.real(path)
    except (OSError, ValueError):
        return None


def _listed(want: ExistingPaths | ArchiveMembers) -> tuple[str, ...] | None:
    from hookd.system import archive_members  # noqa: PLC0415 - it imports all packers, and is rarely needed

    if isinstance(want, ExistingPaths):
        return archive_members.entries(want)
    return None if _is_locked(want.path) else archive_members.members(want)


def _of_git(want: GitBranch | GitCopy) -> str | None:
    if isinstance(want, GitBranch):
        return git_head.branch(want.folder)
    return "none" if _is_locked(want.path) else git_copy.state_of(want.path)


def _is_locked(path: str) -> bool:
    return Path(os.path.realpath(path)).name in _LOCKED


def _inside(path: str, root: str) -> str | None:
    """Return the real path, if it does not lead out of the root."""
    real, base = os.path.realpath(path), os.path.realpath(root)
    return real if real == base or real.startswith(base.rstrip("/") + "/") else None


def _folder(want: DirListing) -> Folder | None:
    real = _inside(want.folder, want.root)
    if real is None:
        return None
    with os.scandir(real) as entries:
        names = [entry.name for entry in islice(entries, _MOST_NAMES) if _is_file(entry)]
    return Folder(real, tuple(sorted(names)))


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link to itself, or into a private folder: the others exist
        return False


def _file(want: FileText) -> File | None:
    real = _inside(want.path, want.root)
    if real is None:
        return None
    state = Path(real).stat()
    if not stat.S_ISREG(state.st_mode):
        return None
    stamp = f"{state.st_mtime_ns}-{state.st_size}-{state.st_ino}"
    if Path(real).name in _LOCKED:
        return File(real, "", stamp, whole=False)
    return _read(real, stamp, want.max_chars, want.tail)


@lru_cache(maxsize=64)
def _read(path: str, stamp: str, most: int, tail: bool) -> File | None:
    """Read a file; the stamp is part of what is remembered, so a changed file is read again."""
    # A pipe that took its place meanwhile would keep the reader waiting.
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    with os.fdopen(number, "rb") as file:
        state = os.fstat(number)
        if not stat.S_ISREG(state.st_mode):
            return None
        room = most * 4  # bytes of a character in UTF-8
        if tail and state.st_size > room:
            file.seek(-room, os.SEEK_END)
        text = file.read(room).decode("utf-8", "replace")
    whole = state.st_size <= room and len(text) <= most
    if not whole:  # a secret that is cut in two would not be known for one
        text = redact(text)
    return File(path, text[-most:] if tail else text[:most], stamp, whole)
