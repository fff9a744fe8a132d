"""Recorded facts: what a decision knew from outside the database, as stored with its event.

A replay evaluates the event again with these facts, not with those of today's disk. Each fact is
stored by a digest of its request, since the decision makes the same request again, and a path that
is no link as `true`. A text that is long, or that has a secret, is not stored: then the replay
lacks that fact.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from zlib import crc32

from hookd.core.model.claim import FilePlace, Stamp
from hookd.core.model.fact_requests import (
    FactRequest,
    File,
    FileRequest,
    Folder,
    RealPath,
    RealPathsOf,
)
from hookd.core.model.facts import Facts, FactValue
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import redact

_MAX_CHARS = 400
"""Characters of a fact that are stored; what is longer is left out."""

_CWD, _EFFORT, _USAGE = "cwd", "effort", "usage"
_FILE, _FOLDER, _TEXTS = "file", "folder", "texts"
_PLACE, _STAMP = "place", "stamp"


def facts_record(facts: Facts, cwd: str | None, sent_cwd: object) -> str | None:
    """Return the facts from outside the database as JSON text, None if there are none.

    `cwd` is the event's folder with links resolved, `sent_cwd` the folder in its payload.
    """
    parts = [text for request, value in facts.resolved.items() if (text := _entry(request, value))]
    session, effort = facts.session, facts.effort
    if session is not None and session.context_usage is not None:
        parts.append(f'"{_USAGE}":{session.context_usage!r}')
    if effort is not None:
        parts.append(f'"{_EFFORT}":{effort.id}')
    if cwd is not None and cwd != sent_cwd and _clean(cwd):
        parts.append(f'"{_CWD}":{_json(cwd)}')
    return f"{{{','.join(parts)}}}" if parts else None


@dataclass(frozen=True, slots=True)
class RecordedFacts:
    """The facts that were stored with one event; `values` is the parsed record."""

    values: Mapping[str, Any]

    @classmethod
    def of(cls, resolved: Mapping[FactRequest, FactValue | None]) -> "RecordedFacts":
        """Return the record of these facts."""
        return parse_record(facts_record(Facts(resolved=resolved), None, None))

    @property
    def cwd(self) -> str | None:
        """The event's folder with links resolved, None if it is the one in the payload."""
        value = self.values.get(_CWD)
        return value if isinstance(value, str) else None

    @property
    def effort(self) -> int | None:
        """The number of the effort that was active."""
        value = self.values.get(_EFFORT)
        return value if isinstance(value, int) else None

    @property
    def usage(self) -> float | None:
        """The used share of the context window."""
        value = self.values.get(_USAGE)
        return float(value) if isinstance(value, int | float) else None

    def find(self, request: FactRequest) -> FactValue | None:
        """Return a recorded fact, None if there was none. Raise KeyError if it is not recorded."""
        if not isinstance(request, FileRequest):
            raise KeyError(request)
        return _value(request, self.values[_key(request)])


NO_RECORD = RecordedFacts({})
"""The record of an event without any: from a transcript, or from an older hookd."""


def parse_record(text: str | None) -> RecordedFacts:
    """Return a stored record. Raise ValueError if it is damaged."""
    if text is None:
        return NO_RECORD
    values = json.loads(text)
    if not isinstance(values, dict):
        raise ValueError("the facts of the event are no JSON object")
    return RecordedFacts(values)


def _entry(request: FactRequest, value: FactValue | None) -> str:
    """Return the member of the record for one fact, "" if it is not stored."""
    if type(request) is RealPath:
        path = request.path
        if value == path:
            return f'"{crc32(path.encode("utf-8", "surrogatepass")):x}":true'
    elif type(request) is RealPathsOf:
        return _paths_entry(request, value)
    elif not isinstance(request, FileRequest):
        return ""
    stored = _stored(value)
    return f'"{_key(request)}":{stored}' if stored else ""


@lru_cache(maxsize=64)
def _paths_entry(request: RealPathsOf, value: tuple[str | None, ...] | None) -> str:
    """Return the member for the protected files of a project: the same for most of its events."""
    if value is None or len(value) != len(request.paths):
        return f'"{_key(request)}":null'
    pairs = zip(request.paths, value, strict=True)
    changed = {str(place): real for place, (path, real) in enumerate(pairs) if path != real}
    stored = _json(changed) if changed else "true"
    return f'"{_key(request)}":{stored}' if _clean(stored) else ""


def _key(request: FileRequest) -> str:
    text = request.path if isinstance(request, RealPath) else repr(request)
    return f"{crc32(text.encode('utf-8', 'surrogatepass')):x}"


def _stored(value: FactValue | None) -> str:
    """Return a fact as JSON text, "" if it is too long, has a secret, or is of no known kind."""
    shape: Any = value
    if isinstance(value, File):
        shape = {_FILE: [value.path, value.text, value.stamp, value.whole]}
    elif isinstance(value, Folder):
        shape = {_FOLDER: [value.path, *value.names]}
    elif isinstance(value, FilePlace):
        stamp = value.stamp
        state = [stamp.size, stamp.mtime_ns, stamp.inode] if stamp else []
        shape = {_PLACE: [value.real, value.root, value.relative, value.kind, *state]}
    elif isinstance(value, Stamp):
        shape = {_STAMP: [value.size, value.mtime_ns, value.inode]}
    elif isinstance(value, tuple):
        if not all(isinstance(one, str | None) for one in value):
            return ""
        shape = {_TEXTS: list(value)}
    elif not isinstance(value, str | int | None):
        return ""
    text = _json(shape)
    return text if len(text) <= _MAX_CHARS and _clean(text) else ""


def _value(request: FileRequest, stored: Any) -> FactValue | None:  # noqa: PLR0911
    """Return a stored fact in its shape. Raise KeyError if it is damaged."""
    if isinstance(request, RealPath) and stored is True:
        return request.path
    if isinstance(request, RealPathsOf) and stored is not None:
        changed = stored if isinstance(stored, dict) else {}
        return tuple(changed.get(str(place), path) for place, path in enumerate(request.paths))
    if not isinstance(stored, dict):
        known: FactValue | None = stored
        return known
    if _FILE in stored:
        return File(*stored[_FILE])
    if _STAMP in stored:
        return Stamp(*stored[_STAMP])
    if _PLACE in stored:
        real, root, relative, kind, *state = stored[_PLACE]
        return FilePlace(real, root, relative, kind, Stamp(*state) if state else None)
    if _FOLDER in stored:
        path, *names = stored[_FOLDER]
        return Folder(path, tuple(names))
    return tuple(stored[_TEXTS])


@lru_cache(maxsize=256)
def _clean(text: str) -> bool:
    """Return whether a text has no secret."""
    return redact(text) == text


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
