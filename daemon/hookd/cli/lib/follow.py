"""Follow a list of the daemon: ask for the rows that are new, until Ctrl-C."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem

_POLL_INTERVAL_S = 0.5
_PAGE_ROWS = 1000


def new_pages(
    method: str, params: Mapping[str, Any], after: int, *, key: str, noun: str
) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows after this number, page by page in the order of their numbers, forever.

    `key` is the list in the result. Raise Problem when the daemon is gone; it names the rows by
    `noun`.
    """
    while True:
        try:
            rows = call(method, {**params, "after": after, "limit": _PAGE_ROWS})[key]
        except Refused:
            raise
        except Problem as gone:
            raise Problem(f"No more {noun} come. {gone.message}", gone.step) from None
        page = sorted(rows, key=lambda row: int(row["id"]))
        yield page
        if page:
            after = page[-1]["id"]
        if len(page) < _PAGE_ROWS:
            time.sleep(_POLL_INTERVAL_S)
