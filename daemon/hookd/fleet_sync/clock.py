"""Clock of the sync process: its only reader of the time of day."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the time, in whole milliseconds, as items have it."""
    now = datetime.now(UTC)  # noqa: TID251 - a process of its own
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
