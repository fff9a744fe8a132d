"""Hints: the fragments without which a text contains no secret, found before any pattern is tried.

A hint that ends in a separator counts only before RUN characters of a key.
"""

import re
from collections import defaultdict
from string import ascii_lowercase, ascii_uppercase

from hookd.redaction.patterns import PATTERNS, RUN

_ASCII = str.maketrans(ascii_uppercase, ascii_lowercase)
# Where a hint that ends in a separator may occur, found by its last three characters. One scan for
# all vendor prefixes costs as much as searching for ten of them one by one.
_TAIL = re.compile(rf"[_.-](?=[a-z0-9_-]{{{RUN}}})(?<=(...))")
_BY_TAIL: defaultdict[str, list[str]] = defaultdict(list)
_WORDS: list[str] = []
for _hint in dict.fromkeys(hint for pattern in PATTERNS for hint in pattern.hints):
    if _hint[-1] in "_.-" and _hint != "-----begin":
        _BY_TAIL[_hint[-3:]].append(_hint)
    else:
        _WORDS.append(_hint)


def fold(text: str) -> str:
    """Return `text` in lower case with the same length."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_ASCII)


def find_hints(low: str) -> frozenset[str]:
    """Return the hints in a folded text; without a hint there is no secret."""
    tails = set(_TAIL.findall(low))
    tails |= {tail[-1] for tail in tails}
    return frozenset(
        [hint for hint in _WORDS if hint in low]
        + [hint for tail in tails & _BY_TAIL.keys() for hint in _BY_TAIL[tail] if hint in low]
    )
