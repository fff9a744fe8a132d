"""Payload excerpt: a readable excerpt of a long payload, and the whole payload compressed.

The excerpt is JSON of the same shape; cut texts and lists have a mark.
"""

import zlib
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from pydantic_core import from_json, to_json

from hookd.redaction.redact import Record

MAX_EXCERPT_CHARS = 8_192
"""Maximum characters of JSON in `events.payload`."""

_LEVEL = 3  # of zlib: 0.3 ms for 20 kB, and 10 % more than the best
_MOST = 4_000_000  # maximum characters of a body, far above the limit of a payload

# Characters of a text and members of a list or an object, from mild to harsh.
_CUTS = ((4_000, 400), (1_500, 150), (500, 50), (150, 30), (50, 15), (20, 8))


def excerpt_record(kept: Record, whole: bytes | None = None) -> Record:
    """Return the record to store for a payload; `whole` is its source text."""
    if len(kept.text) <= MAX_EXCERPT_CHARS:
        return kept
    digest = kept.sha256 or sha256(whole or kept.text.encode()).hexdigest()
    body = zlib.compress(kept.text.encode(), _LEVEL)
    return Record(excerpt(kept.text), digest, body=body, size=len(kept.text))


def restore_text(body: bytes) -> str:
    """Return the text of a body. Raise ValueError if it is invalid."""
    try:
        return zlib.decompressobj().decompress(body, _MOST).decode()
    except zlib.error as error:
        raise ValueError(f"the body cannot be read: {error}") from error


def excerpt(text: str) -> str:
    """Return a JSON text of at most MAX_EXCERPT_CHARS characters; long parts are cut."""
    value = from_json(text)
    for longest, most in _CUTS:
        short = to_json(_cut(value, longest, most)).decode()
        if len(short) <= MAX_EXCERPT_CHARS:
            return short
    return to_json({"cut": f"[cut by hookd: {len(text)} characters in all]"}).decode()


def _cut(value: Any, longest: int, most: int) -> Any:
    if isinstance(value, str):
        if len(value) <= longest + 50:  # the mark takes as much
            return value
        return f"{value[:longest]}[cut by hookd: {len(value)} characters in all]"
    if isinstance(value, Mapping):
        kept = {key: _cut(value[key], longest, most) for key in list(value)[:most]}
        if len(value) > most:
            kept["..."] = f"[cut by hookd: {len(value)} members in all]"
        return kept
    if isinstance(value, list):
        some = [_cut(one, longest, most) for one in value[:most]]
        return [*some, f"[cut by hookd: {len(value)} in all]"] if len(value) > most else some
    return value
