"""SQL statements that drop, empty or change all rows of something.

It reads the syntax that all dialects share, and errs towards seeing a statement: text that a server
would take for one is never skipped as a comment or a string.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from hookd.lazy_pattern import lazy_compile
from hookd.programs.model import Severity
from hookd.shell.quoting import names

Dialect = Literal["", "mysql", "postgres"]
"""Syntax of quotes and comments: with backslashes and `#`, with dollar signs, with neither."""


class Token(NamedTuple):
    """A word in lower case, a sign, or a quoted text; `depth` counts brackets."""

    text: str
    depth: int = 0
    quoted: bool = False


class Harm(NamedTuple):
    """The effect of a statement, as a clause."""

    weight: Severity
    why: str


_NESTED = 3
_SIGNS = frozenset(";()")
_HINTS = lazy_compile(
    r"drop|truncate|delete|update|replace|overwrite|reset|purge|program|system|xp_cmdshell|\\!",
    re.IGNORECASE,
)
"""One of these is in every harmful statement."""

_MAX_DISTANCE = 200
"""Maximum words between UPDATE and its SET."""

_PLAIN = r"'(?>(?:[^']|'')*)(?:'|\Z)|\"(?>(?:[^\"]|\"\")*)(?:\"|\Z)"
_ESCAPED = r"'(?>(?:[^'\\]|''|\\.)*)(?:'|\Z)"
_SLASHED = rf"{_ESCAPED}|\"(?>(?:[^\"\\]|\"\"|\\.)*)(?:\"|\Z)"
_REST = r"`[^`]*+`|\[[^\]\[\n]*+\]|[^\W\d][\w$@#]*+|\d[\w.]*+|\\.[^\s;]*+|[;()=*]"
_GO = r"(?<=\n)[ \t]*+[gG][oO][ \t]*+(?=\r?(?:\n|\Z))"
_COMMENT = r"/\*(?!!)(?>(?:[^*]|\*(?!/))*)(?:\*/|\Z)|/\*!\d*+"
_SCANNERS = {
    "": lazy_compile(rf"--[^\n]*+|{_COMMENT}|{_GO}|{_PLAIN}|{_REST}", re.DOTALL),
    "mysql": lazy_compile(
        rf"--(?=\s|\Z)[^\n]*+|\#[^\n]*+|{_COMMENT}|{_GO}|{_SLASHED}|{_REST}", re.DOTALL
    ),
    "postgres": lazy_compile(
        rf"--[^\n]*+|{_COMMENT}|[eE]{_ESCAPED}|{_PLAIN}|\$\w*\$|{_REST}",
        re.DOTALL,
    ),
}
_DROPPED = names(
    "database schema table keyspace tablespace owned dataset collection warehouse catalog"
    " measurement series shard bucket"
)
_PEOPLE = names("user role login principal")
_KEPT = names(
    "constraint index key primary foreign default not expression identity check unique if"
)
_SILENT = names("grant revoke comment deny show describe desc")
_BODIES = names("function procedure trigger event rule proc aggregate macro")
_RUNS = names("do exec execute immediate prepare sp_executesql")
_ALWAYS = (("true",), ("1",), ("not", "false"))


def statements(text: str, dialect: Dialect = "") -> Iterator[list[Token]]:
    """Yield the statements of a text, each as its tokens; comments are left out."""
    tokens: list[Token] = []
    depth = 0
    for word, quoted in _tokens(text, dialect):
        if quoted or word not in _SIGNS:
            tokens.append(Token(word, depth, quoted))
        elif word == ";":
            if tokens:
                yield tokens
            tokens, depth = [], 0
        else:
            depth -= word == ")" and depth > 0
            tokens.append(Token(word, depth))
            depth += word == "("
    if tokens:
        yield tokens


def harms(text: str, dialect: Dialect = "") -> list[Harm]:
    """Return the harms of a text's statements, the strongest first, each once."""
    if _HINTS.search(text) is None:
        return []
    unique = dict.fromkeys(_harms(text, dialect, 0))
    return sorted(unique, key=lambda harm: harm.weight != "deny")


def _harms(text: str, dialect: Dialect, depth: int) -> Iterator[Harm]:
    for statement in statements(text, dialect):
        yield from _statement(statement)
        if depth < _NESTED and any(t.text in _RUNS and not t.quoted for t in statement):
            for token in statement:
                if token.quoted:
                    yield from _harms(token.text, dialect, depth + 1)


def _tokens(text: str, dialect: Dialect) -> Iterator[tuple[str, bool]]:
    """Yield words and signs, and quoted texts."""
    scan = _SCANNERS[dialect]
    at = 0
    while (match := scan.search(text, at)) is not None:
        at, piece = match.end(), match[0]
        first = piece[0]
        if piece[1:2] == "'" and first in "eE":
            yield piece[2:-1], True
        elif first.isalnum() or first in "_();=*":
            low = piece.lower()
            yield (";" if low == "go" else low), False
        elif first == "$":
            end = text.find(piece, at)
            yield text[at : end if end >= 0 else len(text)], True
            at = end + len(piece) if end >= 0 else len(text)
        elif first in "'\"`[":
            yield piece[1:-1], True
        elif first == "\\":
            # A command of the client itself; it ends a statement, too.
            yield from ((";", False), (piece[:2], False), (";", False))
        elif piece.strip().lower() == "go":
            yield ";", False


def _statement(tokens: list[Token]) -> Iterator[Harm]:
    words = ["" if token.quoted else token.text for token in tokens]
    head = words[0]
    if head in _SILENT or (head == "explain" and "analyze" not in words[1:8]):
        return
    if head == "create" and _BODIES & set(words[1:8]):
        return
    if head == "create" and words[1:4] == ["or", "replace", "table"]:
        yield Harm("ask", "replaces a table with its rows")
    if _runs_a_program(words):
        yield Harm("ask", "runs a shell command")
    if words[:2] in (["insert", "overwrite"], ["reset", "master"], ["purge", "binary"]):
        yield Harm("ask", "overwrites or deletes stored data")
    for at, word in enumerate(words):
        if word in _WORDS:
            yield from _WORDS[word](words, at)
    yield from _unbounded(tokens, words)


def _runs_a_program(words: list[str]) -> bool:
    head = words[0]
    asks = head == "\\!" or (head == "system" and len(words) > 1)
    return asks or "xp_cmdshell" in words or (head == "copy" and "program" in words)


def _drop(words: list[str], at: int) -> Iterator[Harm]:
    what = words[at + 1] if at + 1 < len(words) else ""
    if what in _DROPPED:
        yield Harm("deny", f"drops a {what}" if what != "owned" else "drops everything of a role")
    elif what in _PEOPLE:
        yield Harm("ask", f"drops a {what}")
    elif words[0] == "alter" and at and at + 1 < len(words):
        if what in ("partition", "partitions"):
            yield Harm("deny", "drops a partition with its rows")
        elif what not in _KEPT or words[at + 1 : at + 3] == ["if", "exists"]:
            yield Harm("ask", "drops a column")


def _truncate(words: list[str], at: int) -> Iterator[Harm]:
    after = words[at + 1] if at + 1 < len(words) else "("
    if (at == 0 and after != "(") or after == "table":
        yield Harm("deny", "empties a table")


def _delete(words: list[str], at: int) -> bool:
    """Return whether a statement that deletes rows begins here."""
    after = words[at + 1 : at + 2]
    altered = words[0] == "alter" and after == ["where"]
    return (at == 0 and bool(after)) or after == ["from"] or altered


def _update(words: list[str], at: int) -> bool:
    """Return whether a statement that changes rows begins here.

    Elsewhere it is a clause: FOR UPDATE, ON CONFLICT DO UPDATE, ON UPDATE CASCADE.
    """
    before = words[at - 1] if at else "("
    starts = before in ("(", "analyze", "begin") or (before == ")" and words[0] == "with")
    return starts and "set" in words[at + 1 : at + _MAX_DISTANCE]


def _unbounded(tokens: list[Token], words: list[str]) -> Iterator[Harm]:
    """Yield the harms to all rows of a table: no WHERE of the statement selects some."""
    wheres: list[tuple[int, int]] = []
    # From the end, so that a long text is read once.
    for at in range(len(words) - 1, -1, -1):
        depth = tokens[at].depth
        while wheres and wheres[-1][0] > depth:
            wheres.pop()
        if words[at] == "where":
            while wheres and wheres[-1][0] == depth:
                wheres.pop()
            wheres.append((depth, at))
        why = _ALL_ROWS.get(words[at])
        if why is not None and why.begins(words, at):
            chosen = bool(wheres) and wheres[-1][0] == depth
            if not chosen or _chooses_all(tokens, wheres[-1][1]):
                yield Harm("ask", why.why)


def _chooses_all(tokens: list[Token], where: int) -> bool:
    """Return whether a condition is true of every row: WHERE 1=1."""
    depth = tokens[where].depth
    rest = [token.text for token in tokens[where + 1 : where + 5] if token.depth >= depth]
    same = len(rest) == 3 and rest[1] == "=" and rest[0] == rest[2]
    return not rest or same or tuple(rest) in _ALWAYS


class _AllRows(NamedTuple):
    begins: Callable[[list[str], int], bool]
    why: str


_ALL_ROWS = {
    "delete": _AllRows(_delete, "deletes all rows of a table"),
    "update": _AllRows(_update, "changes all rows of a table"),
}
_WORDS = {"drop": _drop, "truncate": _truncate}
