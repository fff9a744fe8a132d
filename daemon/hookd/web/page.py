"""A page: its path, its template and the function that collects its values.

Each page is a module in `pages/` with one `PAGE` (or `PAGES`), listed in `pages/__init__.py`, and a
template of the module's name. A change, such as an answer to a permission request, is a `Change`.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from hookd.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from hookd.web.context import Context

T = TypeVar("T")

Values = Mapping[str, Any]
"""Values of a template by name."""

_MAX_TEXT_CHARS = 500
"""Characters of a query's field that count."""


class NothingThere(Exception):  # noqa: N818 - it is an answer: a page with a sentence
    """The page does not exist, such as that of an event that was deleted; the text says what."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for a page: the values of its path and query, and the ways to get data."""

    context: "Context"
    path: Mapping[str, Any]
    query: Mapping[str, str]

    def text(self, name: str) -> str | None:
        """Return a field of the query; None if it is missing or empty."""
        return self.query.get(name, "").strip()[:_MAX_TEXT_CHARS] or None

    def number(self, name: str) -> int | None:
        """Return a field of the query as a number; None if it is none."""
        text = self.query.get(name, "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None

    async def read(self, query: Callable[[Any], T]) -> T:
        """Return what a query finds in the database file, or in the central store.

        Raise BrowseError, CentralError or BusyError.
        """
        context = self.context
        return await context.reads.run(context.browser.read, query)

    async def call(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Return the result of a method of the daemon. Raise DaemonError."""
        return await self.context.daemon.call(method, params or {})


View = Callable[[Ask], Awaitable[Values]]


@dataclass(frozen=True, slots=True)
class Page:
    """A page at `path` below the prefix, with starlette's path parameters: events/{number:int}.

    `topics` are those of `signals.py` after which a browser reads the page again: fleet, decisions,
    approvals, events, or session:{number} with a parameter of the path. `menu` is its name in the
    navigation; "" if it is not there. A link to it counts as current for its `section`'s pages.
    """

    path: str
    title: str
    template: str
    view: View
    topics: tuple[str, ...] = ()
    menu: str = ""
    section: str | None = None


Act = Callable[[Ask, Mapping[str, str]], Awaitable[str]]
"""Makes a change by the fields of a form; returns the path of the page to show then."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change at `path`: a form that is sent there, by a person, with `--allow-changes`."""

    path: str
    act: Act


@dataclass(frozen=True, slots=True)
class Site:
    """Pages and changes of one server; `tenant` is the fleet of a central board, "" for none."""

    pages: tuple[Page, ...]
    changes: tuple[Change, ...] = ()
    tenant: str = ""
