r"""JavaScript regular expressions, translated for Python's `re`.

Differences are translated: named groups, `$` (never before a last newline), `.`, ASCII `\d` `\w`
`\b`, `[]` and `[^]`, a lone `{`, escapes of letters without meaning. Syntax that only Python has
(`(?i)`, `(?P<n>`, possessive repetition) is rejected, and so is syntax that Python lacks, such as a
lookbehind of variable width.

`re` backtracks, and the daemon must not hang: so a group of variable length must not be repeated,
and only few repetitions may follow each other.
"""

import re
from dataclasses import field

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

MAX_NAME_CHARS = 255
"""Maximum characters of a name that are matched: the maximum of a file name."""

_ROOM = 11
_SOURCE = 1_000
_TOKEN = lazy_compile(
    r"""\\(?:k<\w+>|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|c[A-Za-z]|[0-9]+|.)
    | \[\^?(?:\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)|[^\]\\])*\]
    | \((?:\?(?:[:=!]|<[=!]|<[A-Za-z_]\w*>))?
    | (?:\{\d+(?:,\d*)?\}|[*+?])\??
    | .""",
    re.DOTALL | re.VERBOSE,
)
_ATOM = lazy_compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|c[A-Za-z]|.)|.", re.DOTALL)
_BOUNDS = lazy_compile(r"\{(\d+)(,?)(\d*)\}")
_PLAIN = {
    "$": r"\Z",
    ".": "[^\\n\\r\u2028\u2029]",
    "[]": "(?!)",
    "[^]": r"[\s\S]",
    "{": r"\{",
    "}": r"\}",
    "]": r"\]",
}


def compile_js(source: str) -> re.Pattern[str]:
    """Compile a regular expression. Raise ValueError with the reason if it is invalid."""
    if len(source) > _SOURCE:
        raise ValueError(f"it is longer than {_SOURCE:,} characters")
    try:
        return re.compile(_translated(source), re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(str(error)) from None


@dataclass
class _Group:
    """How much the length of a group's match may vary: in its worst branch, and in this one."""

    fullest: int = 0
    branch: int = 0
    branches: bool = False

    @property
    def varies(self) -> int:
        return max(self.fullest, self.branch)


@dataclass
class _Walk:
    """State of the translation; `last` is the group that was just closed."""

    open: list[_Group] = field(default_factory=lambda: [_Group()])
    last: _Group | None = None
    repeatable: bool = False


def _translated(source: str) -> str:
    walk, parts = _Walk(), []
    for sign in _TOKEN.findall(source):
        if sign[0] in "*+?" or _BOUNDS.match(sign):
            _repeat(walk, sign)
            parts.append(sign)
            continue
        parts.append(_piece(sign))
        _step(walk, sign)
    return "".join(parts)


def _step(walk: _Walk, sign: str) -> None:
    """Track groups and branches."""
    walk.last, walk.repeatable = None, sign[0] not in "(|^$"
    if sign[0] == "(":
        walk.open.append(_Group())
    elif sign == "|":
        group = walk.open[-1]
        group.fullest, group.branch, group.branches = group.varies, 0, True
    elif sign == ")":
        if len(walk.open) == 1:
            raise ValueError("a parenthesis is closed that was not opened")
        walk.last = walk.open.pop()
        walk.open[-1].branch += walk.last.varies + walk.last.branches
        walk.open[-1].branches |= walk.last.branches
        _fits(walk)


def _repeat(walk: _Walk, sign: str) -> None:
    """Track a repetition. Raise ValueError if backtracking could take forever."""
    if not walk.repeatable:
        raise ValueError("there is nothing to repeat")
    least, most = _bounds(sign)
    if most != 1 and walk.last is not None and (walk.last.varies or walk.last.branches):
        raise ValueError("it repeats a group that varies, which may take forever")
    if most != least:
        walk.open[-1].branch += 1 if most == 1 else 3
        _fits(walk)
    walk.last, walk.repeatable = None, False


def _fits(walk: _Walk) -> None:
    if walk.open[-1].branch > _ROOM:
        raise ValueError("too many repetitions in a row, which may take forever")


def _bounds(sign: str) -> tuple[int, int | None]:
    """Return the minimum and the maximum of a repetition; None is unlimited."""
    found = _BOUNDS.match(sign)
    if found is None:
        return int(sign[0] == "+"), 1 if sign[0] == "?" else None
    least, comma, most = found.groups()
    return int(least), int(most) if most else None if comma else int(least)


def _piece(sign: str) -> str:
    if sign in _PLAIN:
        return _PLAIN[sign]
    if sign[0] == "[":
        if sign == "[":
            raise ValueError("a bracket is not closed")
        return _class(sign)
    if sign[0] == "\\":
        return _escape(sign)
    return sign.replace("(?<", "(?P<") if sign[-1] == ">" and sign[0] == "(" else sign


def _class(sign: str) -> str:
    """Translate a class with every character escaped, because Python reserves some."""
    negated = "^" if sign[1] == "^" else ""
    atoms = _ATOM.findall(sign[1 + len(negated) : -1])
    parts, at = [], 0
    while at < len(atoms):
        low, span = _member(atoms[at]), atoms[at + 1 : at + 3]
        ranged = len(span) == 2 and span[0] == "-"
        parts.append(f"{low}-{_member(span[1])}" if ranged else low)
        at += 3 if ranged else 1
    return f"[{negated}{''.join(parts)}]"


def _member(atom: str) -> str:
    return _escape(atom) if atom[0] == "\\" else re.escape(atom)


def _escape(sign: str) -> str:
    """Translate an escape; a letter without meaning is itself."""
    if sign == "\\":
        raise ValueError("it ends in a backslash")
    kind = sign[1]
    if kind == "k" and len(sign) > 2:
        return f"(?P={sign[3:-1]})"
    if kind == "c" and len(sign) == 3:
        return re.escape(chr(ord(sign[2]) % 32))
    known = kind in "dDwWsSbBfnrtv" or kind.isdecimal() or (kind in "xu" and len(sign) > 2)
    return sign if known else re.escape(kind)
