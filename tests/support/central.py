"""A central store of a fleet for tests: a database with a schema, tenants, hosts and viewers."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg

from hookd.central import logins, migrate
from hookd.central.address import Address, read_address
from hookd.central.connection import connect
from hookd.core.fleet import signing
from support.postgres import Cluster

EPOCH = "6a0ff3a4-8d3c-4d84-9a0e-2a5f7f7f0001"


@dataclass
class Store:
    """A store; `admin` is its superuser's connection, `fleet_key` the private key of each fleet."""

    cluster: Cluster
    name: str
    admin: psycopg.Connection[Any]
    fleet_key: str = field(default_factory=signing.new_key)
    host_keys: dict[tuple[str, str], str] = field(default_factory=dict)

    def add_tenant(self, tenant: str) -> None:
        """Add a tenant."""
        logins.add_tenant(self.admin, tenant, signing.public_key(self.fleet_key))

    def add_host(self, tenant: str, host: str) -> logins.Login:
        """Add a host with a certified key."""
        private = self.host_keys[tenant, host] = signing.new_key()
        public = signing.public_key(private)
        mark = signing.certificate(self.fleet_key, tenant=tenant, host=host, host_key=public)
        return logins.add_host(self.admin, tenant, host, public_key=public, certificate=mark)

    def address(self, login: logins.Login) -> Address:
        """Return the address that a login uses."""
        return read_address(self.cluster.tcp_url(self.name, user=login.role))

    @contextmanager
    def login(self, login: logins.Login) -> Iterator[psycopg.Connection[Any]]:
        """A connection of a login."""
        with connect(self.address(login), login.password) as made:
            yield made

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return what the superuser sees."""
        return self.admin.execute(query.encode()).fetchall()


@contextmanager
def store(cluster: Cluster) -> Iterator[Store]:
    """A new store without tenants."""
    with cluster.database() as name, connect(read_address(cluster.url(name))) as admin:
        migrate.migrate(admin)
        yield Store(cluster, name, admin)


def line(seq: int, kind: str, body: Any, at: str = "2026-01-02T03:04:05.678Z") -> bytes:
    """Return a row of the outbox as a line for COPY."""
    text = json.dumps(body).replace("\\", "\\\\")
    return f"{seq}\t{kind}\t{at}\t{text}\n".encode()


def event(seq: int, **more: Any) -> bytes:
    """Return an event of session 1 as a line for COPY."""
    body = {"event_id": seq, "event": "PreToolUse", "session": 1, "decision": "allow"}
    return line(seq, "event", body | more)
