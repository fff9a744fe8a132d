"""Render templates: every value is escaped here, whoever wrote it.

Prompts, commands and names are hostile. Control characters and marks of direction become visible
escapes, then HTML is escaped. A template that names a missing value is an error.
"""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from hookd.display import amounts
from hookd.display.text import cut, one_line

_FOLDER = Path(__file__).parent / "templates"


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
        "percent": amounts.percent,
        "dollars": amounts.dollars,
        "duration": amounts.duration,
        "size": amounts.size,
        "ms": milliseconds,
        "short": short,
        "recent": recent,
        "tojson_text": json_text,
        "tojson_line": json_line,
    }
    made.globals["dash"] = "-"
    return made


def visible(value: Any) -> Any:
    """Return a text with unsafe characters as escapes; other values and markup are unchanged.

    Lines and tabs stay: they are the layout of commands and files.
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    lines = value.replace("\r\n", "\n").expandtabs(4).split("\n")
    return "\n".join(map(one_line, lines))


def local(timestamp: str | None) -> str:
    """Return a stored timestamp in this machine's time zone, with its offset; "-" for None."""
    return amounts.local_time(timestamp) if timestamp else "-"


def recent(timestamp: str | None) -> str:
    """Return the time of day of today, else the day, too; "-" for None."""
    moment = amounts.parsed_time(timestamp)
    if moment is None:
        return timestamp or "-"
    today = datetime.now().astimezone().date()  # noqa: TID251 - the reader's day
    here = moment.astimezone()
    return here.strftime("%H:%M:%S" if here.date() == today else "%Y-%m-%d %H:%M")


def milliseconds(microseconds: float | None) -> str:
    """Return a duration with its unit; "-" for None."""
    return amounts.duration(None if microseconds is None else microseconds / 1_000_000)


def json_text(value: Any) -> str:
    """Return a value as indented JSON; a text as it is. Escaping is done as for every text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def json_line(value: Any) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def short(text: str | None, length: int = 160) -> str:
    """Return the beginning of a text on one line; "" for None."""
    return cut(" ".join((text or "")[: 4 * length].split()), length)
