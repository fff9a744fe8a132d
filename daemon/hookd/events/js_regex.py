r"""Home of regular expressions as JavaScript reads them, told to Python's `re`.

What differs is translated: named groups, `$` (never before a last newline), `.`, ASCII `\d` `\w`
`\b`, `[]` and `[^]`, a lone `{`, escapes of letters that mean nothing. What only Python knows
(`(?i)`, `(?P<n>`, possessive repetition) is refused, and so is what Python cannot follow, such as a
lookbehind of open width.

`re` tries every way to match, and the daemon must not hang on one: so a group that varies is not
repeated, and few repetitions may stand in a row.
"""

import re
from dataclasses import dataclass, field

MAX_NAME_CHARS = 255
"""Characters of a name that are looked at: as long as a file's name can be."""

_ROOM = 11
_SOURCE = 1_000
_TOKEN = re.compile(
    r"""\\(?:k<\w+>|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|c[A-Za-z]|[0-9]+|.)
    | \[\^?(?:\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)|[^\]\\])*\]
    | \((?:\?(?:[:=!]|<[=!]|<[A-Za-z_]\w*>))?
    | (?:\{\d+(?:,\d*)?\}|[*+?])\??
    | .""",
    re.DOTALL | re.VERBOSE,
)
_ATOM = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|c[A-Za-z]|.)|.", re.DOTALL)
_BOUNDS = re.compile(r"\{(\d+)(,?)(\d*)\}")
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
    """Compile the text of a regular expression. ValueError with the reason where it is none."""
    if len(source) > _SOURCE:
        raise ValueError(f"it is longer than {_SOURCE:,} characters")
    try:
        return re.compile(_translated(source), re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(str(error)) from None


@dataclass
class _Group:
    """How much the text that a group matches may vary: in its fullest branch, and in this one."""

    fullest: int = 0
    branch: int = 0
    branches: bool = False

    @property
    def varies(self) -> int:
        return max(self.fullest, self.branch)


@dataclass
class _Walk:
    """Where the translation stands; `last` is the group that has just been closed."""

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
    """Follow groups and branches."""
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
    """Follow a repetition. ValueError where trying all its ways could take forever."""
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
        raise ValueError("too many repetitions stand in a row, which may take forever")


def _bounds(sign: str) -> tuple[int, int | None]:
    """Return how often at least and at most; None is without end."""
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
    """Tell a class, each sign escaped: Python means to give some of them a sense."""
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
    """Tell an escape; a letter that means nothing stands for itself."""
    if sign == "\\":
        raise ValueError("it ends in a backslash")
    kind = sign[1]
    if kind == "k" and len(sign) > 2:
        return f"(?P={sign[3:-1]})"
    if kind == "c" and len(sign) == 3:
        return re.escape(chr(ord(sign[2]) % 32))
    known = kind in "dDwWsSbBfnrtv" or kind.isdecimal() or (kind in "xu" and len(sign) > 2)
    return sign if known else re.escape(kind)
