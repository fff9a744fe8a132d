"""Events that the central store has of this host: what a restored database must not send again."""

import json
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import AsyncConnection

from hookd.central.connection import connection_error
from hookd.central.errors import CentralError

_SENT = (
    "SELECT e.event_id FROM hookd.events e JOIN hookd.epochs p ON p.tenant = e.tenant"
    " AND p.host = e.host AND p.number = e.epoch"
    " JOIN jsonb_to_recordset(%s::jsonb) AS k (event_id bigint, at timestamptz)"
    " ON e.event_id = k.event_id AND e.at = k.at"
    " WHERE e.tenant = hookd.current_tenant() AND e.host = hookd.current_host()"
)


async def sent_events(
    connection: AsyncConnection[Any], events: Sequence[tuple[int, str]]
) -> list[int]:
    """Return which of these events, by id and time, the store has, of any epoch.

    Raise CentralError.
    """
    wanted = json.dumps([{"event_id": number, "at": at} for number, at in events])
    try:
        cursor = await connection.execute(_SENT, [wanted])
        return [int(number) for (number,) in await cursor.fetchall()]
    except psycopg.OperationalError as error:
        raise connection_error({"host": connection.info.host}, error) from None
    except psycopg.Error as error:
        raise CentralError(str(error)) from None
