"""Read and write a client's settings file.

It is a person's file: its indent, line ends, numbers, mode and links are preserved. It is replaced
atomically, and never over a change that another process made meanwhile.
"""

import difflib
import hashlib
import json
import os
import re
import shlex
import stat
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from hookd.cli.lib.errors import Problem
from hookd.cli.lib.json_splice import splice, without_comments
from hookd.lazy_dataclass import dataclass

MEND = "Fix the file, then run the command again. Nothing was changed."
MISSING = "missing"
"""Instead of the digest of a file that does not exist."""


@dataclass(frozen=True)
class Number:
    """A number that Python would write differently, such as 1.0e3: it keeps its text."""

    text: str


@dataclass(frozen=True)
class Document:
    """A settings file as it was read. `raw` is None without a file; links are resolved."""

    path: Path
    raw: bytes | None
    value: dict[str, Any]

    @property
    def backup(self) -> Path:
        """Path of the backup, beside the file."""
        return backup_of(self.path)

    def render(self, value: dict[str, Any]) -> bytes:
        """Return the file's text changed to `value`; equal parts stay as written."""
        text = (self.raw or b"").decode("utf-8-sig")
        newline = "\r\n" if "\r\n" in text else "\n"
        indent = re.search(r'^([ \t]+)"', text, re.MULTILINE)
        step = indent[1] if indent else "  "
        if without_comments(text).strip():
            return splice(text, self.value, value, partial(_text, step), step).encode()
        # Only comments are left in a text: they stay at its head.
        head = text.rstrip() + newline if text.strip() else ""
        return (head + _text(step, value, newline) + newline).encode()

    @property
    def plain(self) -> dict[str, Any]:
        """The value with all numbers as numbers; a too large one is infinite."""
        value: dict[str, Any] = plain(self.value)
        return value

    def rewritten(self, value: dict[str, Any]) -> bytes | None:
        """Return the file changed to `value`, or unchanged if it has that value."""
        return self.raw if value == self.value else self.render(value)

    def diff(self, after: bytes | None) -> list[str]:
        """Return the lines of a unified diff between the file and its new content."""
        old, new = (_lines(raw) for raw in (self.raw, after))
        return list(difflib.unified_diff(old, new, str(self.path), str(self.path), lineterm=""))


def backup_of(settings: Path) -> Path:
    """Return the path of a settings file's backup; `settings` is its real path."""
    return settings.with_name(f"{settings.name}.hookd-backup")


def read(path: Path, *, comments: bool = False) -> Document:
    """Return the settings in `path`; a missing or empty file has none.

    `comments`: the file may have comments, since its client skips them. Raise Problem if the file
    is not one JSON object, or has a key twice: writing it would lose one of the two.
    """
    # os.path: Path.resolve raises on a loop of links; opening it has a better error.
    path = Path(os.path.realpath(path))
    raw = contents(path)
    text = _decode(path, raw or b"")
    value = _parse(path, without_comments(text) if comments else text)
    if not isinstance(value, dict):
        raise Problem(f"{path} is not a JSON object.", MEND)
    return Document(path, raw, value)


def contents(path: Path) -> bytes | None:
    """Return the bytes of a file, None if it is missing. Raise Problem for a non-file."""
    if path.exists() and not path.is_file():
        raise Problem(f"{path} is not a regular file.", f"look at it: ls -ld {path}")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def plain(value: Any) -> Any:
    """Return a value of a document with all numbers as numbers."""
    if isinstance(value, Number):
        return float(value.text)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def digest(content: bytes | None) -> str:
    """Return the SHA-256 of a file's bytes, or MISSING."""
    return MISSING if content is None else hashlib.sha256(content).hexdigest()


def expect_writable(path: Path) -> None:
    """Raise Problem if a file is read-only by its mode: a person made it so."""
    if path.exists() and not path.stat().st_mode & stat.S_IWUSR:
        step = f"chmod u+w {shlex.quote(str(path))}, then run the command again"
        raise Problem(f"{path} is read-only. Nothing was changed.", step)


def replace(path: Path, before: bytes | None, after: bytes | None, mode: int | None = None) -> None:
    """Replace a file whose content is `before` with `after`; None is no file.

    Without `mode` it is preserved, and 0600 for a new file. Raise Problem if the content is no
    longer `before`: another process wrote it. A write in the microseconds between this check and
    the replacement is lost; file systems have no better way.
    """
    if after is None:
        _expect(path, before)
        path.unlink(missing_ok=True)
        return
    if mode is None:
        mode = 0o600 if before is None else stat.S_IMODE(path.stat().st_mode)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = _temporary(path, after, mode)
    try:
        _expect(path, before)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _decode(path: Path, raw: bytes) -> str:
    try:
        # A byte order mark is accepted, and not written again: JSON has none.
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(f"{path} is not UTF-8: see byte {error.start}.", MEND) from None


def _parse(path: Path, text: str) -> Any:
    if not text.strip():
        return {}
    try:
        return json.loads(
            text,
            parse_int=_number,
            parse_float=Number,
            parse_constant=_no_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Problem(f"{path} is not valid JSON: {place}: {error.msg}.", MEND) from None
    except ValueError as error:
        raise Problem(f"{path}: {error}.", MEND) from None


def _number(text: str) -> int | Number:
    value = int(text) if len(text) < 20 else 0
    return value if str(value) == text else Number(text)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            # The key may have control characters, which must not reach the terminal.
            raise ValueError(f"the key {json.dumps(key)} is twice in one object")
        value[key] = item
    return value


def _lines(raw: bytes | None) -> list[str]:
    # Not splitlines: JSON text may have other line separators.
    text = (raw or b"").decode("utf-8-sig").removesuffix("\n")
    return text.split("\n") if text else []


def _text(indent: str, value: Any, margin: str) -> str:
    """Return `value` as indented JSON. `margin` begins each line: a line end and spaces."""
    inner = margin + indent
    if isinstance(value, Number):
        return value.text
    if isinstance(value, dict) and value:
        parts = [f"{_scalar(key)}: {_text(indent, item, inner)}" for key, item in value.items()]
        return "{" + ",".join(inner + part for part in parts) + margin + "}"
    if isinstance(value, list) and value:
        parts = [_text(indent, item, inner) for item in value]
        return "[" + ",".join(inner + part for part in parts) + margin + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair is valid in JSON, but only as an escape.
        return json.dumps(value)
    return text


def _expect(path: Path, before: bytes | None) -> None:
    if contents(path) != before:
        raise Problem(f"{path} was changed by another process meanwhile.", "Run the command again.")


def _temporary(path: Path, content: bytes, mode: int) -> Path:
    """Write `content` to a new file in the folder of `path`, with fsync."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(handle, mode)
            os.fsync(handle)
    except BaseException:
        Path(name).unlink()
        raise
    return Path(name)
