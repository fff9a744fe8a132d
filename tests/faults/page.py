"""docs/reference/faults.md, written from a run of all faults."""

import os
import platform
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from sqlite3 import sqlite_version

from faults.rows import HEAD, Row
from hookd import __version__

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "faults.md"

_TEXT = """# Faults

<!-- Written by `make faults` from one run of all of them; change tests/faults, then run it. -->

`make faults` breaks hookd in each of these ways, one after the other, each in a home of its own, with the
real daemon, the real shim and a real database. It takes about ten minutes, prints this table, writes this
page, and fails if a promise is broken: *BROKEN*. `make test` runs the quick ones; `make slow` runs ten
rounds of kill -9.

Every hook asks about a call that the guards deny, such as `rm -rf /`, a write to `/etc/passwd` or a key
that is sent away.

| word | meaning |
| :-- | :-- |
| judged | the denial arrived |
| failed by its policy | no verdict: the call passed and stderr said so, or, with `--fail-closed`, it was denied with that reason; never silently. This is the older form of registration, which most rows use, and `--no-verdict open` or `closed` |
| judged without it | the judge decided, as for a hook that `hookd install` registers now: `rm -rf ~` was denied, `git status` passed, and stderr said so |
| said | stderr had a line about it |
| s to heal | seconds to the next hook that was judged and recorded: from the fault on, or from its end if a person has to end it, such as a full disk |
| lost | answered events that are not in the database |

After each fault one daemon serves, nothing else is missing, and the database passes SQLite's own check.
Power cuts were not tested; their cost is in the [tour](../guides/tour.md#how-it-works).
"""  # noqa: E501 - rows of a table


def page(rows: Sequence[Row]) -> str:
    """Return the whole page."""
    return "\n".join(_lines(rows)) + "\n"


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    yield _TEXT
    system = f"{platform.system()}, {os.cpu_count()} cores"
    python = platform.python_version()
    yield f"This run: hookd {__version__}, {system}, Python {python}, SQLite {sqlite_version}."
    for group, found in groupby(rows, lambda row: row.group):
        yield from ("", f"## {group[0].upper()}{group[1:]}", "")
        yield f"| {' | '.join(HEAD)} |"
        yield "| :-- | :-- | --: | :-- |"
        for row in found:
            yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row.cells())} |"
