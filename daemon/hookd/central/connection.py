"""Connections to the central store: asynchronous for the sync process, else synchronous."""

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR, socket
from typing import Any

import psycopg
from psycopg import AsyncConnection, Connection, errors

from hookd.central.address import is_local, secured, shown
from hookd.central.errors import CentralError, NewerSchemaError, RefusedError, UnreachableError

SCHEMA_VERSION = 1
"""The schema that this hookd creates."""

CLIENT_VERSION = 1
"""Version of the functions that this hookd calls, such as ingest_1."""

_SETTINGS: dict[str, Any] = {
    "application_name": "hookd",
    "autocommit": True,
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    # No statement of ours repeats often enough, and poolers need not keep them.
    "prepare_threshold": None,
}

RENEW = "a new file from the admin (host remove NAME, host add NAME), then hookd fleet join FILE"
"""The next step of a host whose login is refused."""

ANSWER_S = 60.0
"""Seconds for which a host waits for an answer."""

# Without these, the environment (PGHOST) or a service that it names (PGSERVICE) could lead to
# another server than was checked. Empty ones are the local socket.
_PLACE = {"host": "", "hostaddr": "", "port": "5432"}

# Of another machine: nothing weaker, whatever the environment says (PGSSLMINPROTOCOLVERSION, ...).
_SECURED = {
    "gssencmode": "disable",
    "ssl_min_protocol_version": "TLSv1.2",
    "channel_binding": "prefer",
}

_REFUSALS = ("28P01", "28000", "3D000", "42501")
_NAME_AUTHORITY = "name its authority: sslrootcert=FILE"

_REQUIRE_AUTH = 160_000
"""First version of libpq that can keep a server from asking for a password in clear text."""


def connect(
    address: Mapping[str, str], password: str | None = None, *, renew: str = RENEW
) -> Connection[Any]:
    """Return a connection in which each statement commits; `renew` is the way to a new login.

    Raise RefusedError for a login that the server refuses, UnreachableError without an answer.
    """
    settings = secured(address)
    try:
        return psycopg.connect("", **_with(settings, password))
    except psycopg.Error as error:
        raise connection_error(settings, error, renew) from None


async def connect_async(
    address: Mapping[str, str], password: str | None = None
) -> AsyncConnection[Any]:
    """Return an asynchronous connection in which each statement commits; raises as `connect`."""
    settings = secured(address)
    try:
        return await AsyncConnection.connect("", **_with(settings, password))
    except psycopg.Error as error:
        raise connection_error(settings, error) from None


@contextmanager
def limited(connection: AsyncConnection[Any], seconds: float) -> Iterator[None]:
    """Cut the connection unless the block ends within so many seconds; then the block fails."""
    timer = asyncio.get_running_loop().call_later(seconds, cut, connection)
    try:
        yield
    finally:
        timer.cancel()


def cut(connection: AsyncConnection[Any]) -> None:
    """End the socket of a connection, so that what waits for an answer fails at once.

    A network that drops packets looks like a slow server, and cancelling a query waits for both.
    """
    with suppress(psycopg.Error, OSError), socket(fileno=os.dup(connection.fileno())) as link:
        link.shutdown(SHUT_RDWR)


def _with(settings: Mapping[str, str], password: str | None) -> dict[str, Any]:
    whole = _PLACE | _SETTINGS | dict(settings)
    if not is_local(settings):
        whole |= _SECURED
    elif psycopg.pq.version() >= _REQUIRE_AUTH:
        # Any user of this machine may listen on the port of a server that does not run.
        whole |= {"require_auth": "!password"}
    return whole if password is None else whole | {"password": password}


def connection_error(
    address: Mapping[str, str], error: psycopg.Error, renew: str = RENEW
) -> CentralError:
    """Return what a failed connection means; the server's text has no password."""
    text = " ".join(str(error).split())
    place = shown(address)
    if "root certificate file" in text:
        why = text.partition(" Either provide")[0]  # libpq's advice: not to verify the server
        return RefusedError(f"{place} cannot be verified: {why}", _NAME_AUTHORITY)
    if "authentication method requirement" in text:
        return RefusedError(
            f"{place} asks for the password in clear text, and did not get it.",
            "check which program listens there; use scram-sha-256 in pg_hba.conf",
        )
    refused = error.sqlstate in _REFUSALS or "authentication failed" in text
    refused = refused or "no password supplied" in text or "does not exist" in text
    refused = refused or "is not permitted to log in" in text or "no pg_hba.conf entry" in text
    if refused:
        return RefusedError(f"{place} refuses this login: {text}", renew)
    if "SSL" in text or "certificate" in text:
        return RefusedError(
            f"{place} has no TLS that can be verified: {text}",
            f"set up TLS, or {_NAME_AUTHORITY}",
        )
    return UnreachableError(f"{place} does not answer: {text}", "check the server and its address")


@contextmanager
def translated(address: Mapping[str, str]) -> Iterator[None]:
    """Raise CentralError in place of psycopg's errors."""
    try:
        yield
    except errors.InsufficientPrivilege as error:
        text = error.diag.message_primary or "permission denied"
        raise RefusedError(
            f"{shown(address)}: {text}.", "connect as the administrator of the database"
        ) from None
    except (errors.UndefinedTable, errors.InvalidSchemaName, errors.UndefinedFunction):
        raise CentralError(
            f"{shown(address)} is no central store.", "hookd fleet init-db URL"
        ) from None
    except psycopg.OperationalError as error:
        raise connection_error(address, error) from None
    except psycopg.Error as error:
        text = error.diag.message_primary or str(error)
        raise CentralError(f"{shown(address)}: {text}", "hookd fleet init-db URL") from None


def check_schema(schema_version: int, oldest_client: int) -> None:
    """Raise NewerSchemaError if the store no longer serves this version of hookd."""
    if oldest_client > CLIENT_VERSION:
        raise NewerSchemaError(
            f"The central store has schema {schema_version}, which this hookd is too old for.",
            "upgrade hookd, then hookd restart",
        )
