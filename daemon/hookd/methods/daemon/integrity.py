"""Check the database file: its structure, and that every reference has its row."""

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, Integrity, ListMethod, Rows, Wire


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """`problems` are SQLite's findings, a sentence each, at most a hundred."""

    ok: bool
    problems: list[str]


def select(_params: Params, _identity: Identity) -> Integrity:
    """Request the check."""
    return Integrity()


def shape(_params: Params, rows: Rows) -> Result:
    """Report the findings."""
    problems = [str(row[0]) for row in rows.rows]
    return Result(ok=not problems, problems=problems)


METHOD = ListMethod("daemon.integrity", Params, Result, select, shape, (Example({}),))
