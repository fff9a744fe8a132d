"""Tell how large the database is: the file, its write-ahead log, and the rows of each table."""

from typing import Any

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Rows, Sizes, Wire


class Params(Wire):
    """Nothing is asked for."""


class Bodies(Wire):
    """Whole payloads beyond what `events.payload` shows: how many, how long, and in how many bytes.

    Null where counting took too long.
    """

    count: int | None
    characters: int | None
    bytes: int | None


class Result(Wire):
    """`bytes` is the size of the file, `free` what of it is free, `log` its write-ahead log.

    `givesBack`: free pages are given back to the file system; `daemon.compact` turns it on.
    `tables` has the rows by table, null where counting took too long. `oldest` is the time of the
    oldest event. `toCut` is the number of the last event whose payload is still as an older hookd
    kept it; 0: none. `maxBytes` and `days` are the limits of the settings, 0: none.
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
    """Ask for the sizes."""
    return Sizes()


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them."""
    known: dict[str, Any] = dict(zip(rows.columns, rows.rows[0], strict=True))
    return Result(**known)


METHOD = ListMethod("daemon.size", Params, Result, select, shape, (Example({}),))
