"""The headers of a request as a hook's settings write them, with the variables they may hold.

What is put in is a secret: it is taken out again where an answer repeats it.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

_VARIABLE = re.compile(r"\$(?:\{([A-Z_][A-Z0-9_]*)\}|([A-Z_][A-Z0-9_]*))")
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE = re.compile(r"[\t\x20-\x7e]*")

_OURS = frozenset(
    ("host", "connection", "content-length", "content-type", "transfer-encoding", "expect")
)

_SHORTEST = 8
"""Characters of a value from which on it is taken out of an answer that repeats it."""


@dataclass(frozen=True, slots=True)
class Headers:
    """What is sent, what was put in (never to be shown), and what there is to note."""

    values: Mapping[str, str] = field(repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()


def interpolate(
    written: Collection[tuple[str, str]], allowed: Collection[str], env: Mapping[str, str]
) -> Headers:
    """Put the allowed variables into the values; any other leaves nothing, and a note.

    Raise ValueError for a header that cannot be sent; it names the header, never its value.
    """
    values: dict[str, str] = {}
    secrets: list[str] = []
    notes: list[str] = []

    def put(found: re.Match[str]) -> str:
        variable = found[1] or found[2]
        value = env.get(variable, "") if variable in allowed else ""
        if value:
            secrets.append(value)
        else:
            why = "not set" if variable in allowed else "not allowed"
            notes.append(f"the header {name} lacks ${variable}: it is {why}")
        return value

    for name, text in written:
        if not _NAME.fullmatch(name):
            raise ValueError("there is a header whose name is none")
        if name.lower() in _OURS:
            raise ValueError(f"the header {name} is not the hook's to set")
        values[name] = _VARIABLE.sub(put, text)
        if not _VALUE.fullmatch(values[name]):
            raise ValueError(f"the header {name} holds characters that a header cannot hold")
    return Headers(values, tuple(secrets), tuple(notes))


def without(text: str, secrets: Collection[str]) -> str:
    """Return a text without the secrets that it repeats."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, "[redacted]")
    return text
