"""Files of a fleet: the credential, which only the user can read, and the cursor beside it."""

import fcntl
import json
import os
import stat
from pathlib import Path

from hookd.core.fleet.credential import Credential, credential, credential_text
from hookd.core.model.membership import Position

_PRIVATE = 0o077
"""Permission bits of others than the user."""


def read_credential(path: Path) -> Credential:
    """Return the credential in a file. Raise OSError, or ValueError with a sentence about it."""
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("it is no regular file")
        if status.st_uid != os.geteuid():
            raise ValueError("it belongs to another user")
        if status.st_mode & _PRIVATE:
            raise ValueError(f"others can read it: its mode is {status.st_mode & 0o777:o}, not 600")
        return credential(file.read(1_000_000).decode("utf-8", "replace"))


def write_credential(path: Path, value: Credential) -> None:
    """Write a credential, readable by the user only. Raise OSError."""
    _write(path, credential_text(value))


def remove(path: Path) -> None:
    """Remove a file if it exists. Raise OSError."""
    path.unlink(missing_ok=True)


def read_cursor(path: Path) -> tuple[str, Position]:
    """Return the epoch, and what the database recorded as sent; ("", nothing) if unknown.

    It is outside of the database: a database that knows less was replaced by an older copy.
    """
    try:
        found = json.loads(path.read_text("utf-8"))
        sent: Position = {"changes": int(found["sent"]), "events": int(found.get("events", 0))}
        return str(found["epoch"]), sent
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "", {"changes": 0, "events": 0}


def write_cursor(path: Path, epoch: str, sent: Position) -> None:
    """Store the cursor. Raise OSError."""
    _write(path, json.dumps({"epoch": epoch, "sent": sent["changes"], "events": sent["events"]}))


def _write(path: Path, text: str) -> None:
    """Replace a file in a private folder in one step."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    try:
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def sync_process(lock: Path) -> int | None:
    """Return the id of the running sync process, 0 if it is unknown; None if none runs."""
    try:
        with lock.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                number = file.read(20).strip()
                return int(number) if number.isdigit() else 0
    except OSError:
        pass
    return None
