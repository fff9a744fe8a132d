"""Tell how large the database is: the file, and the rows of each table."""

from hookd.core.identity import Identity
from hookd.core.method import Example, ListMethod, Rows, Sizes, Wire


class Params(Wire):
    """Nothing is asked for."""


class Result(Wire):
    """`bytes` is what the file takes without its journal; `tables` has the rows by table."""

    bytes: int
    tables: dict[str, int]


def select(_params: Params, _identity: Identity) -> Sizes:
    """Ask for the sizes."""
    return Sizes()


def shape(_params: Params, rows: Rows) -> Result:
    """Arrange them: the file comes first, under an empty name."""
    (_, size), *tables = rows.rows
    return Result(bytes=size, tables=dict(tables))


METHOD = ListMethod("daemon.size", Params, Result, select, shape, (Example({}),))
