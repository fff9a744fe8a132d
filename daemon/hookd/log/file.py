"""The log file of the daemon: one JSON object a line, redacted, rotated."""

import json
import logging
import os
from contextlib import suppress
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from hookd.config.models import LogOptions
from hookd.core.model.facts import iso
from hookd.log.logger import LOG
from hookd.redaction.redact import redact

_KEPT = 3

FORGOTTEN = "[forgotten]"
"""The text in the place of a free text of a forgotten session."""

_NAMES = frozenset(
    {"at", "level", "message", "policy", "event", "hook", "method", "effect", "kind"}
)
"""Keys whose values are names of hookd's own, or the user's names of hooks."""


def _safe(value: object) -> object:
    return value if isinstance(value, int | float | None) else redact(str(value))


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": iso(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "about", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        # Value by value: in the text of the whole line a secret hides behind escapes.
        return json.dumps({name: _safe(line[name]) for name in line}, ensure_ascii=False)


class _Private(RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        number = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.fchmod(number, 0o600)  # an existing file may have wider permissions
        return os.fdopen(number, "a", encoding="utf-8", errors="replace")


def open_log(path: Path, options: LogOptions) -> logging.Handler:
    """Log into the file from now on. Raise OSError if it cannot be written."""
    handler = _Private(path, maxBytes=options.max_bytes, backupCount=_KEPT)
    handler.setFormatter(_JsonLines())
    LOG.addHandler(handler)
    LOG.propagate = False
    adjust_log(options)
    return handler


def adjust_log(options: LogOptions) -> None:
    """Write as much, into files as long, as the options say from now on."""
    LOG.setLevel(options.level.upper())
    for handler in LOG.handlers:
        if isinstance(handler, RotatingFileHandler):
            handler.maxBytes = options.max_bytes


def close_log(handler: logging.Handler) -> None:
    """Write out what waits and let go of the file."""
    LOG.removeHandler(handler)
    handler.close()


def erase_texts(conversation: str, began: str, ended: str) -> tuple[str, ...]:
    """Remove texts of a conversation from the log: lines from one time to another.

    Lines that name the conversation are deleted. Others keep their message, names and numbers, and
    lose free texts, such as the text of an error. Return the files that could not be rewritten.
    """
    left: list[str] = []
    for handler in LOG.handlers:
        if not isinstance(handler, RotatingFileHandler):
            continue
        name = handler.baseFilename
        handler.acquire()
        try:
            handler.flush()
            for path in (Path(name), *(Path(f"{name}.{part}") for part in range(1, _KEPT + 1))):
                with suppress(FileNotFoundError):
                    _rewrite(path, conversation, began, ended)
        except OSError as error:
            left.append(f"{name}: {error.strerror}")
        finally:
            handler.release()
    return tuple(left)


def _rewrite(path: Path, conversation: str, began: str, ended: str) -> None:
    """Rewrite a file of the log in its place: the handler continues to append to it."""
    with path.open("r+b") as file:
        lines = file.read().decode("utf-8", "replace").splitlines(keepends=True)
        kept = "".join(_without_texts(line, conversation, began, ended) for line in lines)
        if kept != "".join(lines):
            file.seek(0)
            file.write(kept.encode("utf-8", "replace"))
            file.truncate()


def _without_texts(line: str, conversation: str, began: str, ended: str) -> str:
    """Return a line of the log without texts, or nothing if it names the conversation."""
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not began <= str(found.get("at", "")) <= ended:
        return "" if conversation in line else line
    if conversation in line:
        return ""
    for key, value in found.items():
        if isinstance(value, str) and key not in _NAMES:
            found[key] = FORGOTTEN
    return json.dumps(found, ensure_ascii=False) + "\n"
