"""Ship rows of the outbox: COPY into a table of the session, then one call that applies it once."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection, AsyncCursor, errors

from hookd.central.connection import RENEW, check_schema, connection_error
from hookd.central.errors import (
    BusyError,
    CentralError,
    RefusedError,
    RejectedError,
    TooManyError,
)
from hookd.core.model.membership import Stream
from hookd.lazy_pattern import lazy_compile

_STATES: dict[str, tuple[type[CentralError], str]] = {
    "42501": (RefusedError, RENEW),  # insufficient_privilege
    "55P03": (BusyError, ""),  # lock_not_available
    "HK003": (RefusedError, RENEW),
    "HK004": (TooManyError, ""),
    "HK005": (CentralError, "each machine needs a file of its own: hookd fleet host add"),
}
"""What a state of PostgreSQL, or of the store's own functions, means, with the next step."""

_COPY = "COPY pg_temp.hookd_batch (seq, kind, at, body) FROM STDIN"
_OLDER = (errors.UndefinedFunction, errors.UndefinedTable, errors.InvalidSchemaName)
_UPDATE = "the administrator updates it: hookd fleet init-db URL"
_LINE = lazy_compile(r"COPY hookd_batch, line (\d+)")


async def open_store(connection: AsyncConnection[Any]) -> None:
    """Prepare a connection of a host for `ship`; make the partitions of the next days.

    Call it for each new connection, and again at least once a day.
    """
    async with translated_errors(connection):
        await connection.execute("SELECT hookd.open_batch_1()")
        await _maintain(connection)


async def hello(
    connection: AsyncConnection[Any], epoch: str, report: Mapping[str, Any]
) -> dict[str, Any]:
    """Send a heartbeat; return the store's state of this host.

    `report` has at (this host's clock, ISO 8601), mode, version, accepts, and sessions: a list of
    {session, last_event_at, ...} of open ones. The result has tenant, host, last_change and
    last_event of the epoch, clock_offset_ms (this host's clock minus the server's, less the way
    there), schema_version, oldest_client, fleet_keys, channel (for LISTEN), rows_per_minute and
    items_per_hour. Raise NewerSchemaError if the store no longer serves this hookd.
    """
    async with translated_errors(connection):
        cursor = await connection.execute(
            "SELECT hookd.hello_1(%s, %s::jsonb)", [epoch, json.dumps(report)]
        )
        row = await cursor.fetchone()
    state: dict[str, Any] = row[0] if row else {}
    check_schema(state["schema_version"], state["oldest_client"])
    return state


async def ship(connection: AsyncConnection[Any], epoch: str, stream: Stream, lines: bytes) -> int:
    """Apply rows of a stream in one transaction; return the highest seq that the store has of it.

    `lines` are rows in COPY's text format: seq, kind, at and body (JSON), separated by tabs. Rows
    that the store has are skipped. Raise RejectedError for a row that it rejects, TooManyError for
    more than the tenant's limit, UnreachableError if the connection ends: then it is unknown
    whether the rows were applied, and sending them again is safe.
    """
    async with translated_errors(connection, lines):
        try:
            return await _ship(connection, epoch, stream, lines)
        except errors.CheckViolation as error:
            if "no partition" not in (error.diag.message_primary or ""):
                raise
            await _maintain(connection)  # no host was connected for a week
            return await _ship(connection, epoch, stream, lines)


async def _ship(connection: AsyncConnection[Any], epoch: str, stream: Stream, lines: bytes) -> int:
    try:
        async with connection.transaction():
            cursor = await _copy(connection, lines)
            await cursor.execute("SELECT hookd.ingest_1(%s, %s)", [epoch, stream])
            row = await cursor.fetchone()
    except psycopg.Error:
        if not connection.closed:
            # What was undone stays in the table as dead rows until a commit: each further batch
            # would read them.
            with suppress(psycopg.Error):
                await _copy(connection, b"")
        raise
    return int(row[0]) if row else 0


async def _copy(connection: AsyncConnection[Any], lines: bytes) -> AsyncCursor[Any]:
    cursor = connection.cursor()
    async with cursor.copy(_COPY) as copy:
        await copy.write(lines)
    return cursor


async def _maintain(connection: AsyncConnection[Any]) -> None:
    """Make the partitions of the next days, unless another process holds a lock on the tables."""
    with suppress(errors.LockNotAvailable):
        await connection.execute("SELECT hookd.maintain_1()")


@asynccontextmanager
async def translated_errors(
    connection: AsyncConnection[Any], lines: bytes = b""
) -> AsyncIterator[None]:
    """Raise CentralError in place of psycopg's errors; `lines` are being copied."""
    address = {"host": connection.info.host, "port": str(connection.info.port)}
    address["dbname"] = connection.info.dbname
    try:
        yield
    except psycopg.Error as error:
        raise _meaning(address, error, lines) from None


def _meaning(address: Mapping[str, str], error: psycopg.Error, lines: bytes) -> CentralError:
    primary = error.diag.message_primary or str(error)
    # Without a state: psycopg itself found a text that PostgreSQL does not store.
    state = error.sqlstate or ("22000" if isinstance(error, psycopg.DataError) else "")
    if state == "HK001":
        return RejectedError(primary, int(error.diag.message_detail or 0))
    if state in _STATES:
        kind, step = _STATES[state]
        return kind(primary, step)
    if state[:2] in ("22", "23", "54"):  # data, constraints, limits: a row is the cause
        found = _LINE.search(error.diag.context or "")
        return RejectedError(primary, _seq(lines, int(found[1])) if found else None)
    ended = state == "25P03"  # the server waited too long for the rest of a transaction
    if ended or isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return connection_error(address, error)
    if isinstance(error, _OLDER):
        primary = f"The central store is older than this hookd: {primary}."
    return CentralError(primary, _UPDATE if isinstance(error, _OLDER) else "")


def _seq(lines: bytes, number: int) -> int | None:
    """Return the seq of a line, the first being 1; None if it has none."""
    try:
        return int(lines.split(b"\n")[number - 1].split(b"\t")[0])
    except (IndexError, ValueError):
        return None
