"""Incremental reading of transcripts, in pieces of bounded size.

An offset is all that is remembered between two reads. An offset that is not behind a newline
stands inside a line, and the rest of that line is passed over.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from hookd.lazy_dataclass import dataclass

LONG = 4_000_000
"""Bytes from which on a transcript that is new to us is read from near its end only."""

TAIL = 1_000_000
"""Bytes of such a transcript that are read."""

_PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole lines, and the offset to continue from; `more`: there is more behind it already.

    `skipped` are the bytes of a line that was too long to be read.
    """

    lines: tuple[bytes, ...]
    offset: int
    more: bool = False
    skipped: int = 0


def read_new(path: str, offset: int, most: int = 1_000_000) -> Chunk:
    """Return lines that end behind `offset`, some 64 kB of them, and at most `most` bytes.

    A shorter file is read from its beginning; a missing one has no lines. `path` has its links
    resolved. Raise OSError if it cannot be read or is no transcript.
    """
    with _opened(path) as (number, size):
        if number is None:
            return Chunk((), offset)
        return _read(number, _start(offset, size), size, most)


def tail(path: str, limit: int = 262_144) -> tuple[bytes, ...]:
    """Return the last whole lines of a file, out of its last `limit` bytes; a missing one has none.

    Raise OSError for what cannot be read or is no transcript. `path` has its links resolved.
    """
    with _opened(path) as (number, size):
        if number is None:
            return ()
        start = max(size - limit, 0)
        data = b"".join(_stretch(number, start, size))
        lines = data[: data.rfind(b"\n") + 1].split(b"\n")
        return tuple(filter(None, lines[1 if _inside(number, start) else 0 :]))


@contextmanager
def _opened(path: str) -> Iterator[tuple[int | None, int]]:
    """Open a transcript; yield its descriptor and its size, or None where it is missing."""
    if not path.endswith(".jsonl"):
        raise OSError(errno.EINVAL, "it is no .jsonl file", path)
    # A pipe in its place would keep everybody waiting; a link was set after the path was resolved.
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW
    try:
        number = os.open(path, flags)
    except FileNotFoundError:
        yield None, 0
        return
    try:
        about = os.fstat(number)
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", path)
        yield number, about.st_size
    finally:
        os.close(number)


def _start(offset: int, size: int) -> int:
    start = offset if 0 < offset <= size else 0
    return size - TAIL if start == 0 and size > LONG else start


def _read(number: int, start: int, size: int, most: int) -> Chunk:
    inside = _inside(number, start)
    data = _pieces(number, start, min(start + most, size))
    end, whole = start + len(data), data.rfind(b"\n") + 1
    if whole == 0 and (inside or len(data) >= most):
        return Chunk((), end, more=end < size, skipped=0 if inside else len(data))
    lines = data[:whole].split(b"\n")[1 if inside else 0 :]
    return Chunk(tuple(filter(None, lines)), start + whole, more=end < size)


def _inside(number: int, start: int) -> bool:
    """Whether a place in the file is inside of a line."""
    return start > 0 and os.pread(number, 1, start - 1) != b"\n"


def _pieces(number: int, start: int, end: int) -> bytes:
    """Return the bytes from `start` on, up to a piece that holds the end of a line."""
    data = bytearray()
    for piece in _stretch(number, start, end):
        data += piece
        if b"\n" in piece:
            break
    return bytes(data)


def _stretch(number: int, start: int, end: int) -> Iterator[bytes]:
    """Yield what stands between two places, piece by piece; a file that was cut has less."""
    while start < end and (piece := os.pread(number, min(_PIECE, end - start), start)):
        yield piece
        start += len(piece)
