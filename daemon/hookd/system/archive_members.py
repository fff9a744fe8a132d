"""Listing of archives, patches and folders for decisions, bounded in bytes, names and time.

Archives are read by the standard library: tar (plain, gz, bz2, xz) and zip. Nothing is unpacked.
"""

import bz2
import lzma
import os
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from io import RawIOBase
from pathlib import Path
from time import perf_counter
from typing import IO, Protocol

from hookd.core.model.fact_requests import ArchiveMembers, ExistingPaths

_MOST_BYTES = 256 * 1024 * 1024
"""Bytes of an unpacked archive, or of a patch, that are read at most."""

_MOST_NAMES = 50_000
_DIRECTORY = 16 * 1024 * 1024
"""Bytes of a zip's list of files; a longer one is not read."""

_CHUNK = 256 * 1024
_SECONDS = 0.7
"""How long one listing may take: less than a look waits."""

_MEMORY = 128 * 1024 * 1024
_LINE = 4_096
_END = b"PK\x05\x06"


class TooMuch(Exception):  # noqa: N818 - no error: the file is larger than is looked at
    """A file cannot be listed in full within the bounds."""


def entries(want: ExistingPaths) -> tuple[str, ...] | None:
    """Return which of the wanted paths exist in a folder; None: there is no such folder."""
    if not Path(want.folder).is_dir():
        return None
    return tuple(path for path in want.paths if os.path.lexists(f"{want.folder}/{path}"))


def members(want: ArchiveMembers) -> tuple[str, ...] | None:
    """Return the telling names in an archive, or header lines of a patch; None: not listed."""
    number = os.open(want.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return None
        telling = re.compile(want.containing)
        listed = _lines(file) if want.kind == "patch" else _names(file)
        try:
            return tuple(name for name in listed if telling.search(name.lower()))
        except (TooMuch, *_FAULTS):
            return None


_FAULTS = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, ValueError, OverflowError, MemoryError, RecursionError),
    *(NotImplementedError, RuntimeError, LookupError, struct.error),
)
"""Errors of a damaged or malicious file."""


class _Bounds:
    """Remaining bytes and seconds of one listing."""

    def __init__(self) -> None:
        self._left = _MOST_BYTES
        self._until = perf_counter() + _SECONDS

    def spend(self, size: int) -> None:
        """Raise TooMuch if the limits of a listing are exceeded."""
        self._left -= size
        if self._left < 0 or perf_counter() > self._until:
            raise TooMuch


def _lines(file: IO[bytes]) -> Iterator[str]:
    bounds = _Bounds()
    for line in iter(lambda: file.readline(_CHUNK), b""):
        bounds.spend(len(line))
        if line[:1] in b"+-*dIrc":
            yield line[:_LINE].decode("utf-8", "replace").rstrip("\r\n")


def _names(file: IO[bytes]) -> Iterator[str]:
    start = file.read(6)
    file.seek(0)
    if start[:2] == b"PK":
        yield from _zipped(file)
        return
    opener = next((one for magic, one in _PACKERS.items() if start.startswith(magic)), None)
    reader = _Reader(file, opener)
    with closing(reader), tarfile.open(fileobj=reader, mode="r|", bufsize=_CHUNK) as archive:
        for number, one in enumerate(archive):
            if number >= _MOST_NAMES:
                raise TooMuch
            yield f"{one.name}/" if one.isdir() else one.name
            if one.issym() or one.islnk():
                yield one.linkname


def _zipped(file: IO[bytes]) -> Iterator[str]:
    """Yield the names in a zip, if its list of files is of a sane size."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 65_557))
    tail = file.read()
    at = tail.rfind(_END)
    directory = int.from_bytes(tail[at + 12 : at + 16], "little")
    if at < 0 or directory > _DIRECTORY:
        raise TooMuch
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
    if len(names) > _MOST_NAMES:
        raise TooMuch
    yield from names


class _Unpacker(Protocol):
    """What the decompressors of the standard library have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes: ...


_PACKERS: dict[bytes, Callable[[], _Unpacker]] = {
    b"\x1f\x8b": lambda: zlib.decompressobj(31),
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ": lambda: lzma.LZMADecompressor(memlimit=_MEMORY),
    b"]\x00\x00": lambda: lzma.LZMADecompressor(memlimit=_MEMORY),
}
"""By the first bytes of a file."""


class _Reader(RawIOBase):
    """Reads a packed file as it is unpacked, within bounds, all of its members in turn."""

    def __init__(self, file: IO[bytes], opener: Callable[[], _Unpacker] | None) -> None:
        super().__init__()
        self._file, self._opener = file, opener
        self._unpacker = opener() if opener else None
        self._bounds = _Bounds()
        self._rest = b""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes; none at the end."""
        size = _CHUNK if size < 0 else min(size, _CHUNK)
        data = self._next(size)
        self._bounds.spend(len(data))
        return data

    def _next(self, size: int) -> bytes:
        if self._opener is None:
            return self._file.read(size)
        while True:
            unpacker = self._unpacker
            fed = unpacker is None or unpacker.eof or getattr(unpacker, "needs_input", True)
            given = self._rest or (self._file.read(_CHUNK) if fed else b"")
            if unpacker is None or unpacker.eof:
                if not given.strip(b"\0"):
                    return b""
                unpacker = self._unpacker = self._opener()
            data = unpacker.decompress(given, size)
            tail = getattr(unpacker, "unconsumed_tail", b"")
            self._rest = unpacker.unused_data if unpacker.eof else tail
            if data:
                return data
            if fed and not given and not unpacker.eof:
                raise EOFError
            self._bounds.spend(1)
