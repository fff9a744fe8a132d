"""Rows of the database as the wire shows them."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic.alias_generators import to_camel

from hookd.core.model.method import Rows

_NO_KEYS: Mapping[str, str] = {}


def row_objects(rows: Rows, keys_by_column: Mapping[str, str] = _NO_KEYS) -> list[dict[str, Any]]:
    """Return rows as objects: camelCase keys, columns of JSON text parsed, without their suffix.

    `keys_by_column` has the keys that are not made of the column's name.
    """
    keys = [
        keys_by_column.get(column) or to_camel(column.removesuffix("_json"))
        for column in rows.columns
    ]
    parsed = [place for place, column in enumerate(rows.columns) if column.endswith("_json")]
    found = [dict(zip(keys, row, strict=True)) for row in rows.rows]
    for place in parsed:
        key = keys[place]
        for one in found:
            one[key] = _parsed(one[key]) if one[key] else None
    return found


def without_idle_heartbeats(found: list[dict[str, Any]], effort: str) -> list[dict[str, Any]]:
    """Return rows of sessions without the count of calls where the key `effort` is empty."""
    return [one if one[effort] else one | {"heartbeatCounter": None} for one in found]


def _parsed(text: str) -> Any:
    """Return the value of a JSON text; the text itself if it is not valid JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text
