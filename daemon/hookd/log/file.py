"""The log file of the daemon: one JSON object a line, redacted, rotated."""

import json
import logging
import os
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from hookd.config.models import LogOptions
from hookd.core.model.facts import iso
from hookd.log.logger import LOG
from hookd.redaction.redact import redact

_KEPT = 3


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
