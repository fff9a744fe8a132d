"""Texts of equal length and equal structure, without the constructs that the parser misreads.

tree-sitter-bash fails on some valid texts. Where its tree is not sound, it reads a view of the text
in which such a construct is replaced, byte for byte, by one of the same words and operators: a
second variable of a word by dots, `<>` by `>>`. Nothing in a view begins or ends a word, a quote or
a command that does not in the text. The words themselves are read from the text.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hookd.lazy_pattern import lazy_compile

if TYPE_CHECKING:
    from tree_sitter import Node

_READ_WRITE = lazy_compile(rb"(?<![<>&])<>(?![<>&|(])")
_BASE = lazy_compile(rb"(?<!\w)(\d{1,2})#(?=[$\w])")
_ESCAPE = lazy_compile(rb"(?<=[/#%])\$'(?:\\\w|\w)*'")
_COPROCESS = lazy_compile(rb"(?<![^\s;&|(])coproc(?:[ \t]+[A-Za-z_]\w*)?(?=[ \t]+[{(][ \t\n])")
_FLAG = lazy_compile(rb"(?:\A|(?<=\n))[ \t]*-[\w-]*=")
_LONE_DOLLAR = lazy_compile(rb"(?<![$\\])\$(?=[%,./]|[\^=:+~](?![\w({$])|[ \t\n]|\Z)")
_REST = lazy_compile(rb"(?:[\w./:=,@%+~^-]|\$(?:[A-Za-z_]\w*|\d))+")
_VARIABLE = lazy_compile(rb"\$(?:[A-Za-z_]\w*|\d)")


def _dots(match: re.Match[bytes]) -> bytes:
    return b"." * len(match[0])


def simplified(view: bytes) -> bytes:
    r"""Return a view without what the parser misreads at any place.

    That is `<>`, `8#$x`, `${x//$'\n'/y}`, `coproc {`, a flag at the beginning of a line, which it
    takes for an assignment, and a `$` that is literal.
    """
    view = _READ_WRITE.sub(b">>", view)
    view = _BASE.sub(lambda match: b"0" * len(match[1]) + b"+", view)
    view = _ESCAPE.sub(_dots, view)
    view = _COPROCESS.sub(lambda match: b"f()".ljust(len(match[0])), view)
    view = _FLAG.sub(lambda match: match[0][:-1] + b".", view)
    return _LONE_DOLLAR.sub(b".", view)


def without_split_words(view: bytes, nodes: Iterable["Node"]) -> bytes:
    """Return a view without the variables at which the parser ends a word: `$a/$b.c`."""
    parts, end = [], 0
    for start in sorted(_lost_dollars(nodes, view)):
        match = _REST.match(view, start)
        if match is not None and start >= end:
            parts += [view[end:start], _VARIABLE.sub(_dots, match[0])]
            end = match.end()
    return b"".join((*parts, view[end:]))


def _lost_dollars(nodes: Iterable["Node"], view: bytes) -> Iterable[int]:
    """Yield where a `$` is a part of a word without its name."""
    for node in nodes:
        if node.type == "concatenation":
            for child in node.children:
                if child.type == "$" and _VARIABLE.match(view, child.start_byte):
                    yield child.start_byte
