"""Claim patterns: whether two of them can match the same file.

A pattern is relative to the root of a repository. In a glob `*` and `?` match within a name,
`[abc]` one character of a set, and `**` any folders; it covers what it matches and everything below
it. A path is literal, whatever characters it has: `src/` is a folder with its content, `src/a.py` a
file, and an empty one the whole repository.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

Kind = Literal["path", "glob", "resource"]

WILD = frozenset("*?[")
"""Characters that make a pattern a glob."""

Ranges = tuple[tuple[int, int], ...]
"""Characters, as inclusive ranges of code points in order."""

_LAST = 0x10FFFF
_ANY: Ranges = ((0, _LAST),)
_STAR = None
"""Any number of characters of a name."""

_FOLDERS = ("**",)
"""Any number of folders, as one step of a pattern."""

Token = Ranges | None
Step = tuple[Token, ...] | tuple[str]


def overlap(one: str, one_kind: Kind, other: str, other_kind: Kind) -> bool:
    """Return whether two patterns of one root can cover the same file.

    >>> overlap("src/**", "glob", "src/api/a.py", "path")
    True
    >>> overlap("src/*.py", "glob", "src/*.ts", "glob")
    False
    """
    if "resource" in (one_kind, other_kind):
        return (one, one_kind) == (other, other_kind)
    left, right = _steps(one, one_kind), _steps(other, other_kind)
    files = _is_file(one, one_kind), _is_file(other, other_kind)
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    while todo:
        at = todo.pop()
        ends = at[0] == len(left), at[1] == len(right)
        # A folder or glob that is matched covers everything below, and so whatever the other can
        # still match; below a file there is nothing.
        if all(ends) or (ends[0] and not files[0]) or (ends[1] and not files[1]):
            return True
        if at not in seen and not any(ends):
            seen.add(at)
            todo += _next(left, right, *at)
    return False


def _is_file(pattern: str, kind: Kind) -> bool:
    return kind == "path" and bool(pattern) and not pattern.endswith("/")


def _next(
    left: tuple[Step, ...], right: tuple[Step, ...], i: int, j: int
) -> Iterator[tuple[int, int]]:
    """Yield the places after one more name that both match, or after folders that match none."""
    deep, other = left[i] == _FOLDERS, right[j] == _FOLDERS
    if deep:
        yield i + 1, j
    if other:
        yield i, j + 1
    if deep and not other:
        yield i, j + 1
    elif other and not deep:
        yield i + 1, j
    elif not deep and not other and _names_overlap(left[i], right[j]):
        yield i + 1, j + 1


@lru_cache(maxsize=4_096)
def _steps(pattern: str, kind: Kind) -> tuple[Step, ...]:
    """Return the steps of a pattern."""
    names = [name for name in pattern.split("/") if name not in ("", ".")]
    if kind == "path":
        return tuple(_literal(name) for name in names)
    return tuple(_FOLDERS if name == "**" else _tokens(name) for name in names)


def _literal(name: str) -> Step:
    return tuple(((ord(char), ord(char)),) for char in name)


@lru_cache(maxsize=4_096)
def _tokens(name: str) -> Step:
    tokens: list[Token] = []
    at = 0
    while at < len(name):
        char, at = name[at], at + 1
        if char == "*":
            if tokens[-1:] != [_STAR]:
                tokens.append(_STAR)
        elif char == "?":
            tokens.append(_ANY)
        elif char == "[" and (end := _end_of_set(name, at)):
            tokens.append(_set(name[at:end]))
            at = end + 1
        else:
            tokens.append(((ord(char), ord(char)),))
    return tuple(tokens)


def _end_of_set(name: str, at: int) -> int:
    """Return where a set that begins at `at` ends, 0 if it does not: then `[` is a character."""
    first = at + (name[at : at + 1] == "!")
    return max(0, name.find("]", first + 1))


def _set(text: str) -> Ranges:
    """Return the characters of a set as fnmatch reads it, such as `a-z_` or `!0-9`."""
    negated = text[:1] == "!"
    text = text[negated:]
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text):
            found.append((ord(text[at]), ord(text[at + 2])))
            at += 3
        else:
            found.append((ord(text[at]), ord(text[at])))
            at += 1
    ranges = tuple(sorted((low, high) for low, high in found if low <= high))
    return tuple(_others(ranges)) if negated else ranges


def _others(ranges: Ranges) -> Iterator[tuple[int, int]]:
    at = 0
    for low, high in ranges:
        if low > at:
            yield at, low - 1
        at = max(at, high + 1)
    if at <= _LAST:
        yield at, _LAST


@lru_cache(maxsize=4_096)
def _names_overlap(one: Step, other: Step) -> bool:
    """Return whether one name can match two steps."""
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    while todo:
        i, j = todo.pop()
        if (i, j) in seen:
            continue
        seen.add((i, j))
        if i == len(one) and j == len(other):
            return True
        star, stars = one[i : i + 1] == (_STAR,), other[j : j + 1] == (_STAR,)
        if star:
            todo.append((i + 1, j))
        if stars:
            todo.append((i, j + 1))
        if i == len(one) or j == len(other):
            continue
        if star or stars or _shares(one[i], other[j]):
            todo.append((i + (not star), j + (not stars)))
    return False


def _shares(one: Token | str, other: Token | str) -> bool:
    """Return whether two sets of characters share a character of a name."""
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return False
    for low, high in one:
        for least, most in other:
            first, last = max(low, least), min(high, most)
            if first <= last and (first, last) != (_SLASH, _SLASH):
                return True
    return False


_SLASH = ord("/")
