"""Copies of files in git, read from the index of their repository: no process is started.

The index has the name of each file, and the digest of the content that git stored for it. A sparse
or a split index, one with compressed names, and digests other than SHA-1 are not read: then git
counts as without a copy.
"""

import os
import stat
from hashlib import sha1
from pathlib import Path
from typing import Literal

from hookd.system.git_head import repository

_MAX_BYTES = 32 * 1024 * 1024
"""Bytes of a file that are read; git counts as without a copy of a longer one."""

_MAX_INDEX = 256 * 1024 * 1024
_HEADER, _STAT, _DIGEST, _FLAGS = 12, 40, 20, 2
"""Bytes of the parts of an index, and of one entry before its name."""

_BEFORE_NAME = _STAT + _DIGEST + 2 * _FLAGS
_PART = 1 << 20
"""Bytes of an index that are read at once."""

_MAX_NAME = 0xFFF
"""Length of a name from which on an entry does not tell it."""

_EXTENDED, _STAGE = 0x4000, 0x3000
_VERSIONS = (2, 3)

State = Literal["same", "absent", "none"]


def state_of(path: str) -> State:
    """Return whether git has the content of a file. Raise OSError for what cannot be read."""
    real = Path(os.path.realpath(path))
    try:
        state = real.stat()
    except (FileNotFoundError, NotADirectoryError):
        return "absent"
    if not stat.S_ISREG(state.st_mode) or state.st_size > _MAX_BYTES:
        return "none"
    found = repository(real.parent)
    stored = found and _digest(found[1] / "index", os.fsencode(real.relative_to(found[0])))
    return "same" if stored and stored == _own_digest(real) else "none"


def _own_digest(path: Path) -> bytes:
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(number, "rb") as file:
        content = file.read(_MAX_BYTES)
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).digest()


def _digest(index: Path, name: bytes) -> bytes | None:
    """Return the digest of the content that an index has for a name; None without an entry.

    It is read in parts, and not mapped: a mapped file that is cut meanwhile ends the process.
    """
    number = os.open(index, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(number, "rb") as file:
        state = os.fstat(number)
        if not stat.S_ISREG(state.st_mode) or not _HEADER < state.st_size <= _MAX_INDEX:
            return None
        data, offset = file.read(_HEADER), 0
        if data[:4] != b"DIRC" or int.from_bytes(data[4:8], "big") not in _VERSIONS:
            return None
        while part := file.read(_PART):
            data += part
            at = data.find(name + b"\0")
            while at >= 0:
                if (digest := _entry(data, at, len(name), offset)) is not None:
                    return digest
                at = data.find(name + b"\0", at + 1)
            kept = data[-(_BEFORE_NAME + len(name)) :]  # an entry may end in the next part
            data, offset = kept, offset + len(data) - len(kept)
    return None


def _entry(data: bytes, at: int, length: int, offset: int) -> bytes | None:
    """Return the digest of the entry whose name begins at `at`; None if no entry does.

    `offset` is the place of the data in the index.
    """
    for extra in (0, _FLAGS):
        flags_at = at - _FLAGS - extra
        start = flags_at - _DIGEST - _STAT
        if start < 0 or start + offset < _HEADER or (start + offset - _HEADER) % _ALIGNED:
            continue
        flags = int.from_bytes(data[flags_at : flags_at + _FLAGS], "big")
        fits = flags & _MAX_NAME == min(length, _MAX_NAME) and not flags & _STAGE
        if fits and bool(flags & _EXTENDED) == bool(extra):
            return data[flags_at - _DIGEST : flags_at]
    return None


_ALIGNED = 8
"""Length of an entry is a multiple of this; with a longer digest, none begins where one would."""
