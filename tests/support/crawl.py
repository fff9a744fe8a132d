"""Visit every page that links lead to."""

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hookd.web.pages import PAGES

if TYPE_CHECKING:
    from playwright.async_api import Page

    from support.watched_page import Watch

_LINKS = "() => [...document.querySelectorAll('a[href]')].map(one => one.href)"


_KINDS = {
    page.path: re.compile(re.sub(r"\\{\w+(:int)?\\}", "[^/]+", re.escape(page.path)))
    for page in PAGES
}


def kind(path: str) -> str:
    """Return what is the same for pages of one kind: the path in the table, the query's keys."""
    parts = urlsplit(path)
    known = (name for name, pattern in _KINDS.items() if pattern.fullmatch(parts.path))
    keys = sorted(set(re.findall(r"(?:^|&)([^=&]+)=", parts.query)))
    return next(known, parts.path) + ("?" + "&".join(keys) if keys else "")


def is_page(path: str) -> bool:
    """Return whether a path below the prefix is that of a page."""
    return kind(path).partition("?")[0] in _KINDS


async def crawl(
    page: "Page", watch: "Watch", most: int = 1, *, searches: bool = True
) -> dict[str, str]:
    """Visit pages from the first one on, at most so many of each kind; return their texts by path.

    The watch notes what is wrong with them. Without `searches` no address with a query is visited.
    """
    start = watch.first
    texts: dict[str, str] = {}
    visited: Counter[str] = Counter()
    found = [start]
    for address in found:
        path = address.removeprefix(start)
        if visited[kind(path)] >= most or ("?" in path and not searches):
            continue
        visited[kind(path)] += 1
        await page.goto(address)
        texts[path] = await watch.shown(page)
        links = [link.partition("#")[0] for link in await page.evaluate(_LINKS)]
        found += [
            link for link in dict.fromkeys(links) if link.startswith(start) and link not in found
        ]
    return texts
