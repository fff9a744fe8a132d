"""Log files of efforts."""

import errno
import os
import stat
from io import FileIO
from pathlib import Path

from hookd.core.model.effects.after_commit import AppendLog
from hookd.core.model.effects.forget import LogEntry
from hookd.redaction.redact import redact


def append(effect: AppendLog) -> None:
    """Put the entry at the file's end, in one write; a missing file is made, with its folders.

    Secrets are redacted. Raise OSError.
    """
    path = Path(effect.path)
    if not path.parent.resolve().is_relative_to(Path(effect.root).resolve()):
        raise OSError(errno.EPERM, f"it leads out of {effect.root}", effect.path)
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    # A pipe in its place would keep everybody waiting; a link might lead anywhere.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags, 0o644), "ab", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", effect.path)
        begun = file.tell() > 0
        start = "\n" if begun else f"# {effect.title}\n\n"
        file.write((start + redact(effect.entry).rstrip("\n") + "\n").encode("utf-8", "replace"))


def erase(entry: LogEntry) -> str:
    """Remove an entry from the file that it was appended to. Return why not, or an empty text."""
    path = Path(entry.path)
    if not path.parent.resolve().is_relative_to(Path(entry.root).resolve()):
        return f"{path}: it leads out of {entry.root}"
    try:
        flags = os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
        with os.fdopen(os.open(path, flags), "r+b", buffering=0) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return f"{path}: it is no regular file"
            return _erased(
                file, (redact(entry.text).rstrip("\n") + "\n").encode("utf-8", "replace")
            )
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{path}: {error.strerror}"


def _erased(file: FileIO, entry: bytes) -> str:
    """Remove an entry and the empty line before it; the file is written in its place."""
    text = file.read()
    parts = text.partition(b"\n" + entry) if b"\n" + entry in text else text.partition(entry)
    if not parts[1]:
        return f"{file.name}: an entry of the session is not there as hookd wrote it"
    file.seek(0)
    file.write(parts[0] + parts[2])
    file.truncate()
    return ""
