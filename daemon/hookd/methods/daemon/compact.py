"""Compact the database: drop its free pages, which are released incrementally from then on.

It takes some seconds for each gigabyte, and disk space for two copies. Events are judged meanwhile;
those that arrive while the copy is written back are not stored.
"""

from hookd.core.model.identity import Identity
from hookd.core.model.method import Compaction, Example, ListMethod, Rows, Wire


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """The size of the file in bytes, before and after."""

    before: int
    after: int


def select(_params: Params, _identity: Identity) -> Compaction:
    """Request the compaction."""
    return Compaction()


def shape(_params: Params, rows: Rows) -> Result:
    """Report the sizes."""
    before, after = rows.rows[0]
    return Result(before=before, after=after)


METHOD = ListMethod("daemon.compact", Params, Result, select, shape, (Example({}),))
