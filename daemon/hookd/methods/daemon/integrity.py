"""Check the database file: its structure, and that every reference leads somewhere."""

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, Integrity, ListMethod, Rows, Wire


class Params(Wire):
    """Nothing is asked for."""


class Result(Wire):
    """`problems` is what SQLite found, a sentence each, at most a hundred."""

    ok: bool
    problems: list[str]


def select(_params: Params, _identity: Identity) -> Integrity:
    """Ask for the check."""
    return Integrity()


def shape(_params: Params, rows: Rows) -> Result:
    """Tell what was found."""
    problems = [str(row[0]) for row in rows.rows]
    return Result(ok=not problems, problems=problems)


METHOD = ListMethod("daemon.integrity", Params, Result, select, shape, (Example({}),))
