"""Report the size of the database: the file, its write-ahead log, and the rows of each table."""

from typing import Any

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Rows, Sizes, Wire


class Params(Wire):
    """No parameters."""


class Bodies(Wire):
    """Whole payloads beyond the excerpt in `events.payload`: number, characters and bytes on disk.

    Null if counting took too long.
    """

    count: int | None
    characters: int | None
    bytes: int | None


class Result(Wire):
    """`bytes` is the size of the file, `free` its free bytes, `log` its write-ahead log.

    `givesBack`: free pages are returned to the file system; `daemon.compact` turns it on. `tables`
    has the rows by table, null if counting took too long. `oldest` is the time of the oldest event.
    `toCut` is the number of the last event whose payload an older hookd stored whole; 0: none.
    `maxBytes` and `days` are the limits of the settings, 0: none.
    """

    bytes: int
    free: int
    log: int
    gives_back: bool
    tables: dict[str, int | None]
    bodies: Bodies
    oldest: str | None
    to_cut: int
    max_bytes: int
    days: int


def select(_params: Params, _identity: Identity) -> Sizes:
    """Request the sizes."""
    return Sizes()


def shape(_params: Params, rows: Rows) -> Result:
    """Return the sizes."""
    known: dict[str, Any] = dict(zip(rows.columns, rows.rows[0], strict=True))
    return Result(**known)


METHOD = ListMethod("daemon.size", Params, Result, select, shape, (Example({}),))
