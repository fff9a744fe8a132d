"""Quoting of a command's words for messages: escaped, quoted, secrets removed."""

from hookd.lazy_pattern import lazy_compile
from hookd.redaction.redact import redact

_PLAIN = lazy_compile(r"[\w./~$*?{}\[\]@:+=,%^()<>|&\"'-]+")
_MAX_READ_CHARS = 2_000
_MAX_CHARS = 100
"""Characters of one word in a sentence."""


def quoted_word(text: str) -> str:
    """Return the word as a part of a sentence: quoted if it could be mistaken for more of it.

    >>> named("src/app.py"), named("src. It is fine")
    ('src/app.py', "'src. It is fine'")
    """
    plain = _PLAIN.fullmatch(text) is not None
    cut = text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1]}…"
    return cut if plain else f"'{escaped(cut)}'"


def one_line(text: str, max_chars: int) -> str:
    """Return a text as one line of limited length, without secrets and control signs."""
    line = " ".join(redact(text[:_MAX_READ_CHARS]).split())
    safe = escaped(line if len(line) <= max_chars else f"{line[: max_chars - 1]}…")
    return safe if len(safe) <= max_chars else f"{safe[: max_chars - 1]}…"


def escaped(text: str) -> str:
    """Return a text without signs that a terminal or a model would interpret."""
    return "".join(sign if sign.isprintable() else _code(sign) for sign in text)


def _code(sign: str) -> str:
    return sign.encode("unicode_escape", "replace").decode()
