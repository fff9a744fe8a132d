"""Read-only connections of a viewer to the central store, each request with a time limit."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock
from typing import Any, TypeVar

import psycopg
from psycopg import Connection, errors
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import set_json_loads

from hookd.central.address import shown
from hookd.central.connection import check_schema, connect, translated
from hookd.central.errors import CentralError, RefusedError, UnreachableError
from hookd.json_text import parse
from hookd.lazy_dataclass import dataclass

T = TypeVar("T")

RENEW = "hookd fleet viewer add NAME --out FILE, on the administrator's machine"
"""Next step after a refused login."""

_IDLE = 4
"""Connections that stay open between requests."""

_SETTINGS = {
    "default_transaction_read_only": "on",
    "default_transaction_isolation": "repeatable read",
    "TimeZone": "UTC",
    "lock_timeout": "1000",
    # A page is the beginning of an index. A partition of today has no statistics yet, by which the
    # planner could take all events of a host for a few, and sort them.
    "enable_sort": "off",
    "jit": "off",
}
_LOGIN = "SELECT hookd.current_tenant() AS tenant, schema_version, oldest_client FROM hookd.meta"


def _loads(text: str | bytes) -> Any:
    return parse(text.encode() if isinstance(text, str) else bytes(text))


@dataclass(frozen=True, slots=True)
class View:
    """An open connection that reads one tenant."""

    connection: Connection[DictRow]
    tenant: str


class Viewer:
    """Runs queries with a viewer's login; any thread may use it, several at the same time.

    `seconds` is the time limit of a statement.
    """

    def __init__(self, address: Mapping[str, str], password: str, seconds: float = 5.0) -> None:
        self._address = dict(address)
        self._password = password
        self._seconds = seconds
        self._idle: list[View] = []
        self._lock = Lock()

    def read(self, query: Callable[[View], T]) -> T:
        """Return what `query` returns for one state of the store. Raise CentralError.

        `query` reads everything before it returns: no cursor outlives it.
        """
        with self._lock:
            view = self._idle.pop() if self._idle else None
        if view is not None:
            with suppress(UnreachableError):  # it ended while it was idle
                return self._read(view, query)
        return self._read(self._open(), query)

    def close(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for view in idle:
            view.connection.close()

    def _open(self) -> View:
        connection = connect(self._address, self._password, renew=RENEW)
        try:
            with translated(self._address):
                connection.row_factory = dict_row
                # A host may send numbers and nesting that json.loads refuses.
                set_json_loads(_loads, connection)
                limit = f"{self._seconds * 1_000:.0f}"
                for name, value in {**_SETTINGS, "statement_timeout": limit}.items():
                    connection.execute("SELECT set_config(%s, %s, false)", [name, value])
                row: Any = connection.execute(_LOGIN).fetchone()
            check_schema(row["schema_version"], row["oldest_client"])
            if row["tenant"] is None:
                raise RefusedError(f"{shown(self._address)} does not know this login.", RENEW)
        except BaseException:
            connection.close()
            raise
        return View(connection, row["tenant"])

    def _read(self, view: View, query: Callable[[View], T]) -> T:
        try:
            with translated(self._address), view.connection.transaction():
                found = self._within_limits(view, query)
        except BaseException:
            view.connection.close()
            raise
        with self._lock:
            keep = len(self._idle) < _IDLE
            if keep:
                self._idle.append(view)
        if not keep:
            view.connection.close()
        return found

    def _within_limits(self, view: View, query: Callable[[View], T]) -> T:
        """Run a query; explain the end of its time, and a table that is being changed."""
        try:
            return query(view)
        except errors.QueryCanceled:
            raise CentralError(
                f"{shown(self._address)} did not answer within {self._seconds:g} s.",
                "ask for less: one host, a shorter time",
            ) from None
        except errors.LockNotAvailable:
            raise CentralError(
                f"{shown(self._address)} is changing its tables.", "try it again"
            ) from None
        except psycopg.InterfaceError as error:  # the connection was closed
            raise UnreachableError(
                f"{shown(self._address)} does not answer: {error}", "check the server"
            ) from None
