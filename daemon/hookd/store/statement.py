"""One SQL statement of the user's own, in a process with limits. Standard library only.

A statement can ask for any amount of memory and time: `hex(zeroblob(1000000000))`, a pattern of
LIKE that backtracks. SQLite's limits of memory are those of a whole process, so the daemon runs
this file as a process of its own, kills it when its time is up, and forwards what it prints.

Reads one JSON object on stdin: `uri`, `sql`, `args`, `limit`, and `seconds` of CPU time. Prints the
result as JSON, `columns`, `rows` and `more`; or one with `error`.
"""

import json
import math
import resource
import sqlite3
import sys
from contextlib import closing, suppress
from typing import Any

LARGEST = 8_000_000
"""Bytes of JSON that a result may have."""

_MB = 1_000_000
_HEAP = 200 * _MB
_ADDRESSES = 600 * _MB
_FILE = 300 * _MB  # of a file that SQLite sorts in
_STEPS = 100_000  # of SQLite's machine, between two looks at the clock

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 2 * LARGEST,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 200_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 500,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 100,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

_SHOWN = frozenset(
    {
        "foreign_key_list",
        "index_info",
        "index_list",
        "index_xinfo",
        "table_info",
        "table_list",
        "table_xinfo",
        "user_version",
    }
)
"""The pragmas that a statement may use: they show the schema."""

_TOO_LARGE = (
    f"its result is larger than {LARGEST // _MB} MB: select fewer columns or rows, or substr()"
)
_TOO_MUCH = f"it needs more than {_HEAP // _MB} MB of memory: select, sort or join less"


def main() -> None:
    """Run the statement on stdin, and print what it finds."""
    asked = json.loads(sys.stdin.buffer.read())
    _restrict(asked["seconds"])
    try:
        told = _found(**asked)
    except MemoryError:
        told = _failed(_TOO_MUCH)
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
        told = _failed(_said(error))
    sys.stdout.buffer.write(told.encode())


def _restrict(seconds: float) -> None:
    """Limit this process; a limit that the system does not have is left out."""
    for kind, most in (
        (resource.RLIMIT_AS, _ADDRESSES),
        (resource.RLIMIT_CPU, math.ceil(seconds) + 1),
        (resource.RLIMIT_FSIZE, _FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))


def _found(uri: str, sql: str, args: list[Any], limit: int, seconds: float) -> str:
    """Return the columns and rows that a statement finds, as JSON text."""
    with closing(sqlite3.connect(uri, uri=True)) as db:
        db.execute(f"PRAGMA hard_heap_limit = {_HEAP}")
        db.execute("PRAGMA query_only = 1")
        for kind, most in _LIMITS.items():
            db.setlimit(kind, most)
        db.set_authorizer(_only_reads)
        # In units of CPU time: a loaded machine must not end what takes a second elsewhere.
        db.set_progress_handler(lambda: int(_spent() > seconds), _STEPS)
        cursor = db.execute(sql, args)
        columns = [column[0] for column in cursor.description or ()]
        rows: list[str] = []
        size, more = 0, False
        for row in cursor:
            if len(rows) == limit:
                more = True
                break
            rows.append(json.dumps([_cell(one) for one in row], ensure_ascii=False))
            size += len(rows[-1].encode()) + 2
            if size > LARGEST:
                raise ValueError(_TOO_LARGE)
        head = json.dumps(columns, ensure_ascii=False)
        return f'{{"columns": {head}, "rows": [{", ".join(rows)}], "more": {json.dumps(more)}}}'


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _cell(value: Any) -> Any:
    """Return a value for JSON: a blob in hexadecimal, and no number that JSON does not have."""
    if isinstance(value, bytes):
        return value.hex()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _only_reads(action: int, name: str | None, *_: str | None) -> int:
    # A read-only connection may still ATTACH or VACUUM INTO a file, which creates that file.
    other = action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH)
    hidden = action == sqlite3.SQLITE_PRAGMA and name not in _SHOWN
    return sqlite3.SQLITE_DENY if other or hidden else sqlite3.SQLITE_OK


def _said(error: Exception) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_INTERRUPT:
        return "it took too long"
    if code == sqlite3.SQLITE_NOMEM:
        return _TOO_MUCH
    if code is not None and code & 0xFF in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL):
        return f"{error}; a sort has at most {_FILE // _MB} MB here"
    if code == sqlite3.SQLITE_TOOBIG:
        return f"{error}: a text or blob has at most {2 * LARGEST // _MB} MB here"
    return str(error)


def _failed(why: str) -> str:
    return json.dumps({"error": why})


if __name__ == "__main__":
    main()
