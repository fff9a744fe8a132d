"""Tenants, hosts and viewers: their rows and logins, as the administrator of the store.

A password is made here and leaves only as the returned value; the server gets its SCRAM verifier,
so neither its log nor its statistics have the password.
"""

import secrets
from collections.abc import Sequence
from typing import Any

from psycopg import Connection, sql

from hookd.central.errors import CentralError
from hookd.lazy_dataclass import dataclass

MAX_CONNECTIONS = 8
"""Connections that one login may have."""

_END_TIMEOUT_MS = 5_000
"""Limit for a connection of a removed login to end."""

_LIMITS = {
    "statement_timeout": "2min",
    "idle_in_transaction_session_timeout": "1min",
    # The end of a connection may be lost with the network, or its host sleep. By default the server
    # would keep the locks of its transaction, and its place among these connections, for hours.
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
"""Settings of a login. It could change them: hookd.end_stale ends what is open for longer."""

_LIMITS_BY_SUPERUSER = {"temp_file_limit": "1GB"}
"""Settings that a login cannot change, and only a superuser can give it."""


@dataclass(frozen=True)
class Login:
    """A login of the server; `repr` shows the password, so do not log it."""

    role: str
    password: str


def add_tenant(connection: Connection[Any], tenant: str, fleet_key: str) -> bool:
    """Add a tenant with its fleet's public key and its first partitions.

    Return False where it exists; its keys are left as they are.
    """
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        added = connection.execute(
            "INSERT INTO hookd.tenants (tenant, fleet_keys) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            [tenant, [fleet_key]],
        ).rowcount
        connection.execute("SELECT hookd.maintain(%s, (now() AT TIME ZONE 'UTC')::date)", [tenant])
    return bool(added)


def has_tenant(connection: Connection[Any], tenant: str) -> bool:
    """Return whether the store has a tenant."""
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        found = connection.execute("SELECT FROM hookd.tenants WHERE tenant = %s", [tenant])
        return found.fetchone() is not None


def fleet_keys(connection: Connection[Any], tenant: str) -> Sequence[str]:
    """Return the public keys of a tenant's fleet. Raise CentralError for an unknown tenant."""
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        row = connection.execute(
            "SELECT fleet_keys FROM hookd.tenants WHERE tenant = %s", [tenant]
        ).fetchone()
    if row is None:
        raise CentralError(
            f"The central store has no tenant {tenant}.",
            f"hookd fleet init-db URL --tenant {tenant}",
        )
    return [str(one) for one in row[0]]


def add_host(
    connection: Connection[Any], tenant: str, host: str, *, public_key: str, certificate: str
) -> Login:
    """Add a host with a login of its own. Raise CentralError if it exists and is not removed."""
    with connection.transaction():
        login = _new_login(connection, "hookd_host")
        connection.execute("SET LOCAL ROLE hookd_owner")
        done = connection.execute(
            "INSERT INTO hookd.hosts AS h (tenant, host, role, public_key, certificate)"
            " VALUES (%s, %s, %s, %s, %s) ON CONFLICT (tenant, host) DO UPDATE"
            " SET role = excluded.role, public_key = excluded.public_key,"
            " certificate = excluded.certificate, removed_at = NULL, added_at = now()"
            " WHERE h.removed_at IS NOT NULL",
            [tenant, host, login.role, public_key, certificate],
        )
        if not done.rowcount:
            raise CentralError(
                f"{host} is a host of {tenant} already.",
                f"hookd fleet host remove {host}, or choose another name",
            )
        connection.execute("RESET ROLE")
    return login


def add_viewer(connection: Connection[Any], tenant: str, name: str) -> Login:
    """Add a viewer with a login of its own; one of that name loses the login it had."""
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        known = connection.execute(
            "SELECT role FROM hookd.viewers WHERE tenant = %s AND name = %s FOR UPDATE",
            [tenant, name],
        ).fetchone()
        connection.execute("RESET ROLE")
        login = _new_login(connection, "hookd_viewer")
        connection.execute("SET LOCAL ROLE hookd_owner")
        connection.execute(
            "INSERT INTO hookd.viewers (tenant, name, role) VALUES (%s, %s, %s)"
            " ON CONFLICT (tenant, name) DO UPDATE SET role = excluded.role",
            [tenant, name, login.role],
        )
        connection.execute("RESET ROLE")
        if known is not None:
            _drop_login(connection, known[0])
    return login


def remove_host(connection: Connection[Any], tenant: str, host: str) -> None:
    """Remove a host's login, end its connections, sessions and claims; its rows stay.

    Raise CentralError if there is no such host.
    """
    with connection.transaction():
        connection.execute("SET LOCAL ROLE hookd_owner")
        row = connection.execute(
            "SELECT role FROM hookd.hosts WHERE tenant = %s AND host = %s AND removed_at IS NULL"
            " FOR UPDATE",
            [tenant, host],
        ).fetchone()
        if row is None:
            raise CentralError(f"{tenant} has no host {host}.", "hookd fleet hosts")
        names = [tenant, host]
        connection.execute(
            "UPDATE hookd.hosts SET removed_at = now(), role = NULL, open_sessions = 0,"
            " attention = 0 WHERE tenant = %s AND host = %s",
            names,
        )
        connection.execute(
            "UPDATE hookd.sessions SET ended_at = now()"
            " WHERE tenant = %s AND host = %s AND ended_at IS NULL",
            names,
        )
        connection.execute("DELETE FROM hookd.claims WHERE tenant = %s AND host = %s", names)
        connection.execute("RESET ROLE")
        _drop_login(connection, row[0])


def _new_login(connection: Connection[Any], group: str) -> Login:
    login = Login(f"{group}_{secrets.token_hex(8)}", secrets.token_urlsafe(32))
    verifier = connection.pgconn.encrypt_password(
        login.password.encode(), login.role.encode(), b"scram-sha-256"
    ).decode()
    connection.execute(
        sql.SQL("CREATE ROLE {} LOGIN IN ROLE {} CONNECTION LIMIT {} PASSWORD {}").format(
            sql.Identifier(login.role),
            sql.Identifier(group),
            sql.Literal(MAX_CONNECTIONS),
            sql.Literal(verifier),
        )
    )
    name = sql.Identifier(login.role)
    row = connection.execute("SELECT current_setting('is_superuser')").fetchone()
    more = _LIMITS_BY_SUPERUSER if row == ("on",) else {}
    for setting, value in (_LIMITS | more).items():
        text = sql.SQL("ALTER ROLE {} SET {} = {}")
        connection.execute(text.format(name, sql.Identifier(setting), sql.Literal(value)))
    connection.execute(sql.SQL("GRANT {} TO hookd_owner").format(name))  # it ends connections
    return login


def _drop_login(connection: Connection[Any], role: str | None) -> None:
    if role is None:
        return
    name = sql.Identifier(role)
    connection.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(name))
    connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(name))
    # A connection that ends drops its table of rows; DROP OWNED fails if it meets that.
    connection.execute(
        "SELECT pg_terminate_backend(pid, %s) FROM pg_stat_activity WHERE usename = %s",
        [_END_TIMEOUT_MS, role],
    )
    connection.execute(sql.SQL("DROP OWNED BY {}").format(name))
    connection.execute(sql.SQL("DROP ROLE {}").format(name))
