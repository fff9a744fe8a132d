"""Claims that are open, and views of files."""

import json
import posixpath
import sqlite3
from collections.abc import Iterator

from hookd.core.model.claim import Claim, FilePlace, FileView, HeldFiles, Stamp
from hookd.core.model.claim_requests import AskedFile, FilesHeld, OpenClaims
from hookd.redaction.redact import redact
from hookd.store.facts.rows import one

_COLUMNS = (
    "SELECT c.id, c.root, c.kind, c.pattern, c.conversation, c.session_id, c.agent, s.client,"
    " c.why, c.automatic, c.created_at, c.expires_at"
    " FROM claims c LEFT JOIN sessions s ON s.id = c.session_id"
)
_CLAIM = f"{_COLUMNS} WHERE c.released_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > ?1)"
_AT_PATHS = (
    f"{_CLAIM} AND c.root = ?2 AND c.kind = 'glob' UNION ALL "  # noqa: S608 - constants
    f"{_CLAIM} AND c.root = ?2 AND c.kind = 'path'"
    " AND c.pattern IN (SELECT value FROM json_each(?3)) ORDER BY 1"
)
_SINCE = (
    f"{_COLUMNS} WHERE c.root = ?1 AND c.conversation <> ?2 AND c.kind <> 'resource'"
    " AND (c.released_at IS NULL OR c.released_at > ?3) AND (c.automatic = 0 OR c.pattern = ?4)"
    " ORDER BY c.id"
)
_VIEW = (
    "SELECT size, mtime_ns, inode, sha256, at, opened FROM file_views"
    " WHERE conversation = ? AND call = '' AND path = ?"
)
# Events of the conversation that name the file: while it was alone, no view was stored. The second
# time is that of the last write, by whose event the view may be stored.
_TOUCHED = (
    "SELECT max(e.at) FILTER (WHERE e.at > ?2), max(e.at) FILTER (WHERE e.tool_name <> 'Read')"
    " FROM sessions s JOIN events e ON e.session_id = s.id"
    " WHERE s.claude_session_id = ?1 AND e.event = 'PostToolUse' AND e.at >= ?2"
    " AND e.id > (SELECT max(id) FROM events) - 20000"
    " AND e.tool_name IN ('Read', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'ApplyPatch')"
    " AND instr(e.payload, ?3)"
)


def files_held(db: sqlite3.Connection, want: FilesHeld) -> HeldFiles:
    """Return the claims that may cover files, and the views of those that are named."""
    claims = {claim.id: claim for asked in want.files for claim in _covering(db, asked, want.at)}
    views = tuple(_view(db, want.conversation, asked) for asked in want.files if asked.named)
    return HeldFiles(tuple(claims[number] for number in sorted(claims)), views)


def open_claims(db: sqlite3.Connection, want: OpenClaims) -> tuple[Claim, ...]:
    """Return the open claims in one repository, or all, the oldest first."""
    sql = f"{_CLAIM} AND (?2 IS NULL OR c.root = ?2) ORDER BY c.id"
    return tuple(map(_claim, db.execute(sql, (want.at, want.root))))


def _covering(db: sqlite3.Connection, asked: AskedFile, at: str) -> Iterator[Claim]:
    place = asked.place
    if asked.wide:
        sql = f"{_CLAIM} AND c.root = ?2"
        yield from map(_claim, db.execute(sql, (at, place.root)))
    else:
        yield from map(_claim, db.execute(_AT_PATHS, (at, place.root, json.dumps(_above(place)))))


def _above(place: FilePlace) -> list[str]:
    """Return the patterns of a file in its repository, and of the folders around it."""
    found, folder = [place.relative, f"{place.relative}/", ""], posixpath.dirname(place.relative)
    while folder:
        found.append(f"{folder}/")
        folder = posixpath.dirname(folder)
    return found


def _claim(row: tuple[object, ...]) -> Claim:
    values = list(row)
    values[9] = bool(values[9])
    return Claim(*values)  # type: ignore[arg-type]


def _view(db: sqlite3.Connection, conversation: str, asked: AskedFile) -> FileView:
    row = one(db, _VIEW, conversation, redact(asked.place.real))
    stamp = Stamp(*row[:3]) if row else None
    digest, at, opened = row[3:] if row else (None, "", 0)
    if asked.place.stamp in (None, stamp):
        return FileView(stamp, digest)
    named = json.dumps(asked.named, ensure_ascii=False)
    touched_at, written_at = one(db, _TOUCHED, conversation, at, named) or (None, None)
    key = (asked.place.root, conversation, max(at, touched_at or ""), asked.place.relative)
    since = tuple(map(_claim, db.execute(_SINCE, key))) if opened or touched_at else ()
    written = written_at if (written_at or "") >= (touched_at or "") else None
    return FileView(stamp, digest, touched_at, since, written)
