"""Program names that resemble others: fullwidth letters, blanks that are none, mixed alphabets.

A person who reads `ｒｍ -rf x`, or `rm` with a Cyrillic letter, takes it for another program.
"""

import unicodedata
from collections.abc import Iterable, Iterator

from hookd.risk.model import CommandCall, Risk
from hookd.risk.quoting import quoted_word

_INVISIBLE = frozenset({"Zs", "Cf", "Pd", "Zl", "Zp"})
"""Categories of signs that look like a blank, like a hyphen, or like nothing."""

_ALPHABETS = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
"""Alphabets with letters that look like Latin ones."""

_INSTEAD = "Write the name of the program in plain letters."


def lookalike_risks(calls: Iterable[CommandCall]) -> Iterator[Risk]:
    """Yield that the name of a program looks like another one's."""
    for call in calls:
        name = call.command.words[0] if call.command.words else ""
        if not name.isascii() and _looks_alike(name):
            why = f"runs {quoted_word(name)}, whose signs look like those of another program's name"
            yield Risk(
                "unreadable", "ask", why, _INSTEAD, command=call.text, rule="shell.lookalike-name"
            )


def _looks_alike(name: str) -> bool:
    plain = unicodedata.normalize("NFKC", name)
    if not any(sign.isascii() and sign.isalpha() for sign in plain):
        return False
    if any(unicodedata.category(sign) in _INVISIBLE for sign in name if not sign.isascii()):
        return True
    return plain.isascii() or any(
        unicodedata.name(sign, "").startswith(_ALPHABETS) for sign in name
    )
