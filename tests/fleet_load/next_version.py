"""The next version of hookd, as the store sees it: schema 2, and clients that call `..._2`."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psycopg
from psycopg import AsyncCursor, Connection

from hookd.central import connection, migrate
from hookd.core.fleet.credential import Credential
from hookd.fleet_sync import link
from hookd.fleet_sync.link import Link

VERSION = 2
STEP = Path(__file__).with_name("0002_next.sql")


class NextCursor(AsyncCursor[Any]):
    """A cursor that calls the functions of the next schema."""

    async def execute(self, query: Any, *args: Any, **more: Any) -> Any:
        for name in ("ingest", "hello"):
            if isinstance(query, str):
                query = query.replace(f"hookd.{name}_1(", f"hookd.{name}_{VERSION}(")
        return await super().execute(query, *args, **more)


async def connect(given: Credential, now: Callable[[], datetime], answer_s: float) -> Link:
    """Connect as the next version does."""
    made = await link.connect(given, now, answer_s)
    made._db.cursor_factory = NextCursor
    return made


def become() -> None:
    """Let this process be of the next version."""
    connection.CLIENT_VERSION = VERSION


def update(admin: Connection[Any]) -> list[str]:
    """Update the store as `hookd fleet init-db` of the next version does; return the steps.

    A deadlock with a host that is connecting undoes the whole of it: the administrator tries again.
    """
    steps = [*migrate._steps(), (VERSION, STEP.stem, STEP.read_bytes())]
    with patch.object(migrate, "_steps", lambda: steps):
        for _ in range(5):
            try:
                return migrate.migrate(admin, schema_version=VERSION)
            except psycopg.errors.DeadlockDetected:
                continue
        return migrate.migrate(admin, schema_version=VERSION)


def is_next() -> bool:
    """Return whether this process is of the next version."""
    return connection.CLIENT_VERSION == VERSION
