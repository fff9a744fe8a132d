"""Hints: the fragments without which a text contains no secret, found before any pattern is tried.

A hint that ends in a separator counts only before RUN characters of a key, apart from ANYWHERE.

There are two engines. Python alone searches for one hint after the other; google-re2, where it is
installed and `use_re2` was called, for all of them in one pass. Both find the same secrets.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from hookd.lazy_pattern import lazy_compile
from hookd.redaction.patterns import ANYWHERE, PATTERNS, RUN

_ASCII = str.maketrans(ascii_uppercase, ascii_lowercase)
# Where a hint that ends in a separator may occur, with its last characters. One scan for all vendor
# prefixes costs as much as searching for ten of them one by one. It needs characters before a hint.
_WINDOW = 7
_BEFORE = "\n" * _WINDOW
_TAIL = lazy_compile(rf"[_.-](?=[a-z0-9_-]{{{RUN}}})(?<=((?s:.{{{_WINDOW}}})))")
_RUN = lazy_compile(rf"[a-z0-9_-]{{{RUN}}}")
_BY_TAIL: defaultdict[str, list[str]] = defaultdict(list)
_WORDS: list[str] = []
# What several words have in common, though it is no hint: where it is missing, so are they.
_SHARED = ("tt3", "-user", "~")
for _hint in dict.fromkeys(hint for pattern in PATTERNS for hint in pattern.hints):
    if _hint[-1] in "_.-" and _hint not in ANYWHERE:
        _BY_TAIL[_hint[-3:]].append(_hint)
    else:
        _WORDS.append(_hint)
_WITHIN: defaultdict[str, list[str]] = defaultdict(list)
for _hint in _WORDS:
    for _root in (*_SHARED, *_WORDS):
        if _root != _hint and _root in _hint:
            _WITHIN[_root].append(_hint)
            break
_ROOTS = [
    *_SHARED,
    *(hint for hint in _WORDS if not any(hint in hints for hints in _WITHIN.values())),
]
_SEPARATED = frozenset(hint for hints in _BY_TAIL.values() for hint in hints) - {"."}

_NOTHING: frozenset[str] = frozenset()
_FREQUENT = frozenset((".", "aq.", "fc-", "key-", "key_", "pat.", "sat.", "sdk-", "secret_", "sg."))
"""Hints that many texts have, though seldom before a key."""

_Pass = Callable[[str], frozenset[str] | None]
_MAX_RE2_BYTES = 4 << 20
"""Memory that google-re2 may use for its states; with less, odd texts take ten times as long."""

_re2_pass: _Pass | None = None
_shortest = 0


def fold(text: str) -> str:
    """Return `text` in lower case with the same length."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_ASCII)


def find_hints(low: str) -> frozenset[str]:
    """Return the hints in a folded text; without a hint there is no secret."""
    if _re2_pass is not None and len(low) >= _shortest:
        found = _re2_pass(low)
        if found is not None:
            return found
    return _find_one_by_one(low)


def hints_among(low: str, known: frozenset[str]) -> frozenset[str]:
    """Return the hints in a folded text that has no others than the `known` ones."""
    return _without_keyless(frozenset([hint for hint in known if hint in low]), low)


def use_re2(shortest: int = 1_000) -> bool:
    """Search with google-re2 from now on; return False if it cannot be used here.

    Texts of fewer than `shortest` characters are searched by Python: re2 lets another thread run
    meanwhile, and waiting for that thread takes longer than searching. Takes some 8 ms and 3 MB, so
    only the daemon does it.
    """
    global _re2_pass, _shortest  # noqa: PLW0603 - one engine for the whole process
    _shortest = shortest
    try:
        _re2_pass = _make_re2_pass(import_module("re2"))
    except Exception:  # noqa: BLE001 - an optional library, whatever is wrong with it
        _re2_pass = None
    return _re2_pass is not None


def use_python() -> None:
    """Search without google-re2 from now on."""
    global _re2_pass  # noqa: PLW0603 - one engine for the whole process
    _re2_pass = None


def engine() -> str:
    """Return the name of the engine that searches."""
    return "Python" if _re2_pass is None else "google-re2"


def _find_one_by_one(low: str) -> frozenset[str]:
    tails = set(_TAIL.findall(_BEFORE + low))
    roots = [root for root in _ROOTS if root in low]
    if not tails:
        return frozenset(_words(roots, low)) if roots else _NOTHING
    before_keys = [
        hint
        for tail in tails
        if (short := tail[-3:]) in _BY_TAIL
        for hint in _BY_TAIL[short]
        if tail.endswith(hint[-_WINDOW:]) and (len(hint) <= _WINDOW or _before_key(hint, low))
    ]
    if "." in low and any(tail[-1] == "." for tail in tails):
        before_keys.append(".")
    return frozenset(_words(roots, low) + before_keys)


def _words(roots: list[str], low: str) -> list[str]:
    """Return the words in a text, given those that contain no other."""
    return [root for root in roots if root not in _SHARED] + [
        hint for root in roots if root in _WITHIN for hint in _WITHIN[root] if hint in low
    ]


def _make_re2_pass(re2: Any) -> _Pass:
    """Return a function that finds the hints of a text in one pass, None if the pass fails."""
    options = re2.Options()
    # Bytes instead of characters: all hints are ASCII, and any bytes are valid text.
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = _MAX_RE2_BYTES
    options.log_errors = False
    hints = re2.Set.SearchSet(options)
    names = {hints.Add(_re2_pattern(hint)): hint for hint in (*_WORDS, *_SEPARATED, ".")}
    # Always matches. re2 reports a lack of memory as no match at all.
    end = hints.Add(rb"\z")
    hints.Compile()

    def find(low: str) -> frozenset[str] | None:
        try:
            found = hints.Match(low.encode("utf-8", "surrogatepass"))
        except Exception:  # noqa: BLE001 - whatever it is, the other engine searches
            return None
        if not found or end not in found:
            return None
        if len(found) == 1:
            return frozenset()
        return _without_keyless(frozenset([names[one] for one in found if one != end]), low)

    return find


def _re2_pattern(hint: str) -> bytes:
    # A run after each separator in the same pattern would multiply the states.
    run = _RUN.pattern if hint in _FREQUENT else ""
    return (re.escape(hint) + run).encode()


def _without_keyless(seen: frozenset[str], low: str) -> frozenset[str]:
    """Return these hints without those that end in a separator and precede no key."""
    separated = seen & _SEPARATED
    return seen - {hint for hint in separated if not _before_key(hint, low)}


def _before_key(hint: str, low: str) -> bool:
    """Return whether a hint occurs before RUN characters of a key."""
    at = low.find(hint)
    while at >= 0:
        at += len(hint)
        if _RUN.match(low, at):
            return True
        at = low.find(hint, at)
    return False
