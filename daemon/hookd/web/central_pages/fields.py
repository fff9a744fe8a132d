"""Fields of a query and of a path: names of hosts, texts, and keys of the page before."""

from datetime import datetime

from hookd.central.board import SessionKey
from hookd.core.fleet.items import is_name
from hookd.web.page import Ask, NothingThere

_SEPARATOR = "~"
_MAX_EPOCH, _MAX_NUMBER = 2**31, 2**63


def clean(ask: Ask, name: str) -> str | None:
    """Return a text of the query; PostgreSQL stores no NUL."""
    return (ask.text(name) or "").replace("\0", "") or None


def host_of(ask: Ask) -> str:
    """Return the host in the path. Raise NothingThere for what no host is called."""
    name: str = ask.path["host"]
    if not is_name(name):
        raise NothingThere("There is no host of that name.")
    return name


def event_key(text: str | None) -> tuple[int, int] | None:
    """Return the epoch and the number in a text, None for any other text.

    >>> event_key("1~42"), event_key("1~x"), event_key(None)
    ((1, 42), None, None)
    """
    epoch, _, number = (text or "").partition(_SEPARATOR)
    found = _number(epoch, _MAX_EPOCH), _number(number, _MAX_NUMBER)
    return None if found[0] is None or found[1] is None else (found[0], found[1])


def event_text(key: tuple[int, int] | None) -> str:
    """Return a key as text, "" for None."""
    return _SEPARATOR.join(map(str, key)) if key else ""


def session_key(text: str | None) -> SessionKey | None:
    """Return the key of a session in a text, None for any other text."""
    parts = (text or "").split(_SEPARATOR)
    if len(parts) != 4 or not is_name(parts[1]):
        return None
    try:
        at = datetime.fromisoformat(parts[0])
    except ValueError:
        return None
    epoch, number = _number(parts[2], _MAX_EPOCH), _number(parts[3], _MAX_NUMBER)
    if epoch is None or number is None or at.tzinfo is None:
        return None
    return SessionKey(at, parts[1], epoch, number)


def session_text(key: SessionKey | None) -> str:
    """Return the key of a session as text, "" for None."""
    if key is None:
        return ""
    return _SEPARATOR.join((key.at.isoformat(), key.host, str(key.epoch), str(key.number)))


def _number(text: str, above: int) -> int | None:
    known = text.isascii() and text.isdecimal() and len(text) < 20 and int(text) < above
    return int(text) if known else None
