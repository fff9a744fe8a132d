"""Overflow files: whole texts that were too long for an answer, readable by the user alone."""

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from hookd.log.logger import LOG
from hookd.redaction.redact import redact


def keep(path: str, text: str) -> None:
    """Store a text, its secrets redacted; log a failure to store it."""
    try:
        _write(path, text)
    except OSError as fault:
        LOG.error("a long text could not be kept", extra={"about": {"error": str(fault)}})


def _write(path: str, text: str) -> None:
    file = Path(path)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(number, "w", encoding="utf-8", errors="replace") as out:
        out.write(redact(text))


def forget(folder: str, before: datetime) -> int:
    """Delete what was kept before; return how many files. What cannot be deleted stays."""
    return sum(_deleted(file, before) for file in Path(folder).glob("*.txt"))


def remove(folder: str, events: Iterable[int]) -> tuple[str, ...]:
    """Delete what was kept of these events; return the files that could not be deleted."""
    left = []
    for number in events:
        file = Path(folder) / f"{number}.txt"
        try:
            file.unlink(missing_ok=True)
        except OSError as fault:
            left.append(f"{file}: {fault.strerror}")
    return tuple(left)


def _deleted(file: Path, before: datetime) -> bool:
    try:
        old = file.lstat().st_mtime < before.timestamp()
        if old:
            file.unlink(missing_ok=True)
    except OSError as fault:
        LOG.warning("a long text could not be deleted", extra={"about": {"error": str(fault)}})
        return False
    return old
