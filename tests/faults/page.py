"""docs/reference/faults.md, written from what a run of all faults came to."""

import os
import platform
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from sqlite3 import sqlite_version

from faults.rows import HEAD, Row
from hookd import __version__

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "faults.md"

_TEXT = """# What was broken, and what came of it

<!-- Written by `make faults` from one run of all of them; change tests/faults, then run it. -->

`make faults` breaks hookd in every way that is listed here, one after the other, each in a home of
its own, with the real daemon, the real shim and a real database. It takes some ten minutes, prints
this table, writes this page, and ends with an error where one promise is not kept: *BROKEN*.
`make test` tries the quick ones each time; `make slow` ten rounds of kill -9.

How to read it: every hook asks about a call that the guards deny, such as `rm -rf /`, a write to
`/etc/passwd` or a key that is sent away. *Judged* means that this denial came. *Failed by its
policy* means that nothing judged it: the call went on and a line on stderr said so, or, with
`--fail-closed`, it was denied with that reason; never was there silence. So it is with the older
form of registration, which most rows use, and with `--no-verdict open` or `closed`. *Judged
without it* means that a hook as `hookd install` registers it now was judged in a process of its
own: `rm -rf ~` was denied, `git status` passed, and stderr said so. *s to heal* are the
seconds to the next hook that was judged, and kept: from the fault on, or from its end where
somebody has to end it, such as a full disk. *Lost* is what was answered and is not in the database.
After each fault one daemon serves, nothing else is missing, and the database passes SQLite's own
check.

No power was cut: what that costs is in the [README](../../README.md#how-it-works).
"""


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
