"""Render templates: every value is escaped here, whoever wrote it.

Prompts, commands and names are hostile. Control characters and marks of direction become visible
escapes, then HTML is escaped. A template that names a missing value is an error.
"""

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

_FOLDER = Path(__file__).parent / "templates"

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)
"""Control characters except newline and tab, and marks that reorder text."""


def environment() -> Environment:
    """Return the environment of all templates."""
    made = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "local": local,
        "clock": clock,
        "percent": percent,
        "dollars": dollars,
        "ms": milliseconds,
        "short": short,
        "recent": recent,
        "tojson_text": json_text,
        "tojson_line": json_line,
    }
    made.globals["dash"] = "–"
    return made


def visible(value: Any) -> Any:
    """Return a text with unsafe characters as escapes; other values and markup are unchanged."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return _UNSAFE.sub(lambda found: ascii(found[0])[1:-1], value)
    return value


def local(timestamp: str | None) -> str:
    """Return a stored timestamp in this machine's time zone, to the second; "–" for None."""
    return _local(timestamp, "%Y-%m-%d %H:%M:%S")


def clock(timestamp: str | None) -> str:
    """Return the time of day of a stored timestamp in this machine's time zone; "–" for None."""
    return _local(timestamp, "%H:%M:%S")


def recent(timestamp: str | None) -> str:
    """Return the time of day of today, else the day, too; "–" for None."""
    day = _local(timestamp, "%Y-%m-%d")
    today = datetime.now().astimezone().strftime("%Y-%m-%d")  # noqa: TID251 - the reader's day
    return clock(timestamp) if day == today else _local(timestamp, "%m-%d %H:%M")


def percent(share: float | None) -> str:
    """Return a share, 0.0 to 1.0, as a percentage; "–" for None."""
    return "–" if share is None else f"{share:.0%}"


def dollars(amount: float | None) -> str:
    """Return an amount of money; "–" for None."""
    return "–" if amount is None else f"${amount:.2f}"


def milliseconds(microseconds: int | None) -> str:
    """Return a duration with its unit; "–" for None."""
    if microseconds is None:
        return "–"
    if microseconds < 100_000:
        return f"{microseconds / 1000:.1f} ms"
    return f"{microseconds / 1_000_000:.1f} s"


def json_text(value: Any) -> str:
    """Return a value as indented JSON; a text as it is. Escaping is done as for every text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def json_line(value: Any) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def short(text: str | None, length: int = 160) -> str:
    """Return the beginning of a text on one line; "" for None."""
    line = " ".join((text or "").split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def _local(timestamp: str | None, form: str) -> str:
    if not timestamp:
        return "–"
    try:
        return datetime.fromisoformat(timestamp).astimezone().strftime(form)
    except (ValueError, OverflowError, OSError):
        return timestamp
