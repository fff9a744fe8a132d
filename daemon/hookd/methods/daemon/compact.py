"""Compact the database: drop its free pages, which are released incrementally from then on.

It takes some seconds for each gigabyte, and room for two copies. Events are judged meanwhile, but
those that come while the copy is written back are not kept.
"""

from hookd.core.model.identity import Identity
from hookd.core.model.method import Compaction, Example, ListMethod, Rows, Wire


class Params(Wire):
    """Nothing is asked for."""


class Result(Wire):
    """The size of the file in bytes, before and after."""

    before: int
    after: int


def select(_params: Params, _identity: Identity) -> Compaction:
    """Ask for it."""
    return Compaction()


def shape(_params: Params, rows: Rows) -> Result:
    """Tell the sizes."""
    before, after = rows.rows[0]
    return Result(before=before, after=after)


METHOD = ListMethod("daemon.compact", Params, Result, select, shape, (Example({}),))
