"""Rows of the database as the wire shows them."""

import json
from typing import Any

from pydantic.alias_generators import to_camel

from hookd.core.method import Rows


def objects(rows: Rows) -> list[dict[str, Any]]:
    """Return rows as objects: camelCase keys, columns of JSON text parsed, without their suffix."""
    return [dict(map(_cell, rows.columns, row)) for row in rows.rows]


def _cell(column: str, value: Any) -> tuple[str, Any]:
    if column.endswith("_json"):
        return to_camel(column.removesuffix("_json")), _parsed(value) if value else None
    return to_camel(column), value


def _parsed(text: str) -> Any:
    """Return the value of a JSON text; of one that somebody's hand broke, the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
