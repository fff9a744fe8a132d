"""Variables whose values run nothing: numbers of processes, and new temporary files.

`trap "kill $SERVER" EXIT` runs a text with such a value in it.
"""

import re
from functools import lru_cache

from hookd.lazy_pattern import lazy_compile
from hookd.shell.words import Word

_VALUE = r"(?:\$[!$]|\d+|\$\(\s*mktemp(?:[ \t]+[\w./-]+)*\s*\))"
_EXPANSION = lazy_compile(
    r"\$\([ \t]*jobs[ \t]+-p[ \t]*\)|\$[!$]|\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})"
)
_DECLARED = lazy_compile(r"\b(?:local|export|unset)[ \t]+\Z")
_MAX_NAMES = 8


def is_plain(word: Word, text: str) -> bool:
    """Return whether each expansion in a word yields a value that runs nothing.

    `text` is the whole text, which assigns its variables.
    """
    names = {match[1] or match[2] for match in _EXPANSION.finditer(word.text)} - {None}
    rest = _EXPANSION.sub("", word.text)
    return (
        "$" not in rest
        and "`" not in rest
        and len(names) <= _MAX_NAMES
        and all(_holds_plain(name, text) for name in names)
    )


@lru_cache(maxsize=16)
def _holds_plain(name: str, text: str) -> bool:
    """Return whether a text writes a variable, and always with such a value."""
    assigned = re.compile(rf'(?:={_VALUE}|="{_VALUE}")(?=[\s;&|)}}]|\Z)')
    written = 0
    for match in re.finditer(rf"(?<![\w.-])(\$\{{?)?{name}(?!\w)", text):
        if match[1] is not None:
            continue
        if assigned.match(text, match.end()):
            written += 1
        elif text[match.end() : match.end() + 1] in ("=", "+", "[") or not _DECLARED.search(
            text, max(0, match.start() - 16), match.start()
        ):
            return False
    return written > 0
