"""Stale views: whether a file has changed since a conversation last read or wrote it."""

from datetime import UTC, datetime, timedelta

from hookd.core.model.claim import MAX_HASHED_BYTES, FilePlace, FileView, Stamp
from hookd.core.model.claim_requests import FileHash
from hookd.core.model.facts import Facts, iso

_FORMATTED = timedelta(seconds=10)
"""Time after a write of the conversation in which a formatter may change the file."""

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)


def is_stale(place: FilePlace, view: FileView, facts: Facts) -> bool:
    """Return whether a file has changed since the conversation saw it. Raise MissingFacts.

    A file that it never saw is none of these: the client has a check of its own.
    """
    if place.stamp is None or place.stamp == view.stamp:
        return False
    if view.touched_at is not None and place.stamp.mtime_ns <= _nanoseconds(view.touched_at):
        return False  # read or written while the conversation was alone
    if view.written_at and not view.since and _is_formatted(place.stamp, view.written_at):
        return False
    if view.stamp is None:
        return view.touched_at is not None
    if place.stamp.size != view.stamp.size or place.stamp.size > MAX_HASHED_BYTES:
        return True
    return view.sha256 is None or facts.require(FileHash(place.real)) != view.sha256


def _is_formatted(stamp: Stamp, written_at: str) -> bool:
    """Return whether a file that no other has claimed changed shortly after its own write."""
    until = datetime.fromisoformat(written_at) + _FORMATTED
    return stamp.mtime_ns <= _nanoseconds(iso(until))


def _nanoseconds(at: str) -> int:
    """Return the end of the millisecond of a stored time, in nanoseconds since 1970."""
    microseconds = (datetime.fromisoformat(at) - _BEGIN) // timedelta(microseconds=1)
    return (microseconds + 1_000) * 1_000
