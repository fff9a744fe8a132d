"""Tables of which all rows are one test: a row takes less time than the reporting of one."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any

SHOWN = 5
"""Rows whose failure is shown in full; the others are named."""

LENGTH = 200
"""Characters of a row that name it where it has no id."""


def parametrize_all(
    names: str | tuple[str, ...], rows: Iterable[Any], ids: Any = None
) -> Callable[..., Callable[..., None]]:
    """Run a test with every row, as parametrize does, but as one; all that fail are named."""
    words = tuple(names.replace(",", " ").split()) if isinstance(names, str) else names
    table = [_read(row, words, ids) for row in rows]
    assert table, "a table without rows tests nothing"

    def made(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def all_rows(**fixtures: Any) -> None:
            failed = {}
            for number, (name, row) in enumerate(table):
                try:
                    test(**fixtures, **row)
                except Exception as error:  # noqa: BLE001 - each is reported below
                    failed[f"row {number}: {name}"] = error
            if failed:
                title = "\n".join([f"{len(failed)} of {len(table)} rows fail:", *failed])
                raise ExceptionGroup(title, list(failed.values())[:SHOWN])

        given = signature(test)
        left = [one for name, one in given.parameters.items() if name not in words]
        all_rows.__signature__ = given.replace(parameters=left)  # type: ignore[attr-defined]
        return all_rows

    return made


def _read(row: Any, words: tuple[str, ...], ids: Any) -> tuple[str, dict[str, Any]]:
    """Return the name of a row, and its values by the names of the arguments."""
    name, values = None, row if len(words) > 1 else (row,)
    if hasattr(row, "marks"):
        assert not row.marks, "a mark would hold for all rows"
        name, values = row.id, row.values
    elif callable(ids):
        name = " ".join(str(ids(value)) for value in values)
    return name or repr(values)[:LENGTH], dict(zip(words, values, strict=True))
