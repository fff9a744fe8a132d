"""Content of events in mode `events`: payload and answer, redacted again, without denied fields.

In the other modes SQLite builds the lines, and nothing of an event's payload is read.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hookd.core.fleet.deny_fields import MARK, without_fields
from hookd.core.model.membership import Stream
from hookd.json_text import dump, parse
from hookd.lazy_pattern import lazy_compile
from hookd.redaction.redact import redact_json
from hookd.store.outbox import Batch, EventContent, Outbox, OutboxRow, Rows

_NUL, _NO_NUL = lazy_compile(r"(?<!\\)((?:\\\\)*)\\u0000"), r"\1\\ufffd"
"""A NUL in JSON, which PostgreSQL does not store, and its replacement."""

_ROWS = 500
"""Rows of a batch with content: a payload has up to 64 kB."""


class Content:
    """Batches of one outbox, with content where the mode says so."""

    def __init__(self, outbox: Outbox, denied: Sequence[str]) -> None:
        self._outbox = outbox
        self._denied = tuple(denied)

    def batch(self, stream: Stream, after: int, limit: int, until: int) -> Batch | None:
        """Return at most `limit` rows above a number, as lines for COPY; None if none is there."""
        member = self._outbox.membership()
        if member is None or member.mode != "events":
            return self._outbox.batch(stream, after, limit, until)
        found = self.rows(stream, after, min(limit, _ROWS), until)
        if found.last <= after:
            return None
        first = found.rows[0].seq if found.rows else 0
        return Batch(len(found.rows), first, found.last, b"\n".join(map(_line, found.rows)))

    def rows(self, stream: Stream, after: int, limit: int, until: int) -> Rows:
        """Return the rows one by one, as they are sent."""
        found = self._outbox.rows(stream, after, limit, until)
        member = self._outbox.membership()
        if member is None or member.mode != "events":
            return found
        events = [one.row_id for one in found.rows if one.kind == "event" and one.row_id]
        contents = self._outbox.contents(events)
        filled = [self._filled(row, contents.get(row.row_id or 0)) for row in found.rows]
        return Rows(filled, found.last)

    def _filled(self, row: OutboxRow, content: EventContent | None) -> OutboxRow:
        if row.kind != "event":
            return row
        body = json.loads(row.body)
        body["detail"] = self._detail(content) if content else None
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        return OutboxRow(row.seq, row.kind, row.at, row.row_id, _NUL.sub(_NO_NUL, text))

    def _detail(self, content: EventContent) -> dict[str, Any]:
        answer = self._clean(content.answer) if content.answer else None
        return {"payload": self._clean(content.payload), "answer": answer}

    def _clean(self, text: str) -> Any:
        """Return a stored JSON text as a value without denied fields and secrets.

        A text in which fields cannot be found is not sent: it is no JSON, or was not kept whole.
        """
        try:
            value = without_fields(parse(text.encode("utf-8", "replace")), self._denied)
            return parse(redact_json(dump(value).decode()).encode())
        except ValueError:
            return MARK


def _line(row: OutboxRow) -> bytes:
    body = row.body.replace("\\", "\\\\")
    return f"{row.seq}\t{row.kind}\t{row.at}\t{body}".encode("utf-8", "replace")


def printed(rows: Iterable[OutboxRow]) -> Iterable[dict[str, Any]]:
    """Yield rows as objects, for --dry-run."""
    for row in rows:
        yield {"seq": row.seq, "kind": row.kind, "at": row.at, "body": json.loads(row.body)}
