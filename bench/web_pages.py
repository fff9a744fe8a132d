"""Pages of `hookd web` on a large database: time of the server and of a browser, and CPU when live.

The browser's times are only measured where Chromium is installed.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from importlib.util import find_spec
from time import perf_counter, sleep
from typing import TYPE_CHECKING

from builds import ROOT
from homes import Home, call, home, session
from latency import link
from process import HookError, processor
from rows import Aim, Row, percentile

sys.path.append(str(ROOT / "tests"))

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from support.web_page import Web

SESSIONS = 5_000
ROUNDS = 7
"""Loads of each page. The first quartile counts, since other processes use the cores, too."""

_LIMIT_MS = Aim(300, of="value")
_RATE, _SECONDS = 100, 10
_SEARCHES = (
    "decisions?text=nothing-is-like-this",
    "decisions?decision=ask&tool=Bash",
    "decisions?project=/work/orders&text=rm",
    "decisions?all=1&agent=agent-7",
)
"""Pages that a form leads to."""
_LINK = re.compile(r'href="([^"#]+)')


def measure(number: int) -> list[Row]:
    """Return the rows of each kind of page with `number` events; none without the extra `web`."""
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        print("bench: web is not measured: hookd[web] is not installed.", file=sys.stderr)
        return []
    from support.large_database import make  # noqa: PLC0415 - this part alone needs it
    from support.web_page import web  # noqa: PLC0415

    with home(daemon=False) as place:
        make(place.database, number, SESSIONS)
        place.hookd("start")
        with web(place) as served:  # type: ignore[arg-type]
            served.enters()
            loads = [(path, _served(served, path)) for path in _pages(served)]
            with _page(served) as page:
                rows = [row for path, took in loads for row in _rows(served, page, path, took)]
                return [*rows, *_live(place, served, page)]


def _pages(served: "Web") -> list[str]:
    """Return a page of each kind: all that links lead to, the first of its kind, and searches."""
    from support.crawl import is_page, kind  # noqa: PLC0415 - this part alone needs it

    found, seen = [""], {kind("")}
    for path in found:
        for address in _LINK.findall(served.get(path).body):
            below = address.replace("&amp;", "&").removeprefix(served.root)
            if is_page(below) and kind(below) not in seen:
                seen.add(kind(below))
                found.append(below)
    return [*found, *_SEARCHES]


def _served(served: "Web", path: str) -> float:
    """Return the milliseconds until the server has sent the whole page."""
    took = []
    for _ in range(ROUNDS):
        with closing(HTTPConnection("127.0.0.1", served.port, timeout=60)) as one:
            one.connect()
            began = perf_counter()
            answer = served.send(one, "GET", served.root + path)
            answer.read()
            took.append((perf_counter() - began) * 1000)
        if answer.status != 200:
            raise HookError(f"the page {path!r} answers {answer.status}")
    return percentile(took, 25)


@contextmanager
def _page(served: "Web") -> Iterator["Page | None"]:
    """Open a browser with a session of its own; None without Chromium."""
    program = shutil.which("chromium")
    if program is None:
        print("bench: no browser is measured: chromium is not installed.", file=sys.stderr)
        yield None
        return
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - this part alone needs it

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, chromium_sandbox=False)
        page = browser.new_page()
        page.goto(served.press_enter())
        page.wait_for_url(served.origin + served.root)
        yield page
        browser.close()


def _rows(served: "Web", page: "Page | None", path: str, took: float) -> list[Row]:
    name = f"page {re.sub('[0-9]+', 'N', path) or 'fleet'}"
    rows = [Row(f"{name}, server", "ms", took, aim=_LIMIT_MS)]
    if page is not None:
        loads = [_loaded(served, page, path) for _ in range(ROUNDS)]
        rows.append(Row(f"{name}, browser", "ms", percentile(loads, 25), aim=_LIMIT_MS))
    return rows


def _loaded(served: "Web", page: "Page", path: str) -> float:
    """Return the milliseconds from the start of a navigation to the end of its load."""
    page.goto(served.origin + served.root + path)
    timing = "performance.getEntriesByType('navigation')[0]"
    page.wait_for_function(f"{timing}.loadEventEnd > 0")
    return float(page.evaluate(f"{timing}.loadEventEnd - {timing}.startTime"))


def _live(place: Home, served: "Web", page: "Page | None") -> list[Row]:
    """Return the server's share of a core while events arrive and a page of all events is open."""
    if page is None or sys.platform != "linux":
        return []
    page.goto(f"{served.origin}{served.root}decisions?all=1")
    with link(place.socket) as one:
        before, began = processor(served.process.pid), perf_counter()
        for number in range(_RATE * _SECONDS):
            one.ask(call(session(number % 20), f"toolu_live{number}", place.path))
            sleep(max(0, began + number / _RATE - perf_counter()))
        share = (processor(served.process.pid) - before) / (perf_counter() - began) / 10
    what = f"web server, {_RATE} events/s, a page of all events open"
    return [Row(what, "% of a core", share, aim=Aim(20, of="value"))]
