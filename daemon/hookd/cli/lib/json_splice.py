"""Edit JSON text in place: unchanged parts stay byte for byte, and so do comments."""

import re
from collections.abc import Callable
from dataclasses import field
from typing import Any

from hookd.lazy_dataclass import dataclass

_SPACE = re.compile(r"[ \t\n\r]*")
_INDENT = re.compile(r"[ \t]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_ATOM = re.compile(r"[^\s,\]}]+")
_STRING_OR_COMMENT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_SHOWN = re.compile(r"[^\r\n]")

Write = Callable[[Any, str], str]
"""Renders a value; the second argument is its margin: a line end and spaces."""


@dataclass
class _Node:
    """A value's place in the text; `members` are those of an object or a list."""

    start: int
    end: int = 0
    members: list["_Member"] = field(default_factory=list)
    tail: str = ""


@dataclass
class _Member:
    """An entry of an object or a list: the space around it, its key as written, its value."""

    lead: str
    key: str
    node: _Node
    trail: str = ""


@dataclass(frozen=True)
class _Piece:
    """An entry of the new text: an old one, or None for a new one."""

    old: _Member | None
    text: str


def without_comments(text: str) -> str:
    """Return JSON text whose comments, `//` and `/* */`, are blanks: each character stays in place.

    Several clients allow comments in their settings.
    """
    return _STRING_OR_COMMENT.sub(_blanked, text)


def _blanked(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else _SHOWN.sub(" ", found[0])


def splice(text: str, old: Any, new: Any, write: Write, indent: str) -> str:
    """Return `text`, whose value is `old`, changed so that its value is `new`. It must be valid.

    Comments in it stay.
    """
    plain = without_comments(text)
    start = _skip(plain, 0)
    root = _Scan(plain, text).value(start)
    newline = "\r\n" if "\r\n" in text else "\n"
    return (
        text[:start] + _Edit(text, write, indent).value(root, old, new, newline) + text[root.end :]
    )


@dataclass(frozen=True)
class _Edit:
    text: str
    write: Write
    indent: str

    def value(self, node: _Node, old: Any, new: Any, margin: str) -> str:
        """Return the text of a value that changes from `old` at `node` to `new`."""
        if old == new:
            return self.text[node.start : node.end]
        pieces = None
        inner = _margin(node.members[-1].lead, margin + self.indent) if node.members else ""
        if node.members and isinstance(old, dict) and isinstance(new, dict):
            pieces = self._object(node, old, new, inner)
        elif node.members and isinstance(old, list) and isinstance(new, list):
            pieces = self._list(node, old, new, inner)
        return self._joined(node, pieces, margin, inner) if pieces else self.write(new, margin)

    def _object(
        self, node: _Node, old: dict[str, Any], new: dict[str, Any], inner: str
    ) -> list[_Piece] | None:
        """Return the members of an object, None if kept ones would change their order."""
        members = dict(zip(old, node.members, strict=True))
        if [key for key in new if key in old] != [key for key in old if key in new]:
            return None
        pieces = []
        for key, item in new.items():
            if member := members.get(key):
                text = member.key + self.value(member.node, old[key], item, inner)
                pieces.append(_Piece(member, text))
            else:
                pieces.append(_Piece(None, f"{self.write(key, inner)}: {self.write(item, inner)}"))
        return pieces

    def _list(self, node: _Node, old: list[Any], new: list[Any], inner: str) -> list[_Piece]:
        """Return the members of a list: equal ends are kept, what is between is rewritten."""
        most = min(len(old), len(new))
        head = next((at for at in range(most) if old[at] != new[at]), most)
        rest = most - head
        tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
        paired = len(old) == len(new)
        pieces = []
        for at, item in enumerate(new):
            back = at - len(new)
            place = at if at < head or paired else back if -back <= tail else None
            if place is None:
                pieces.append(_Piece(None, self.write(item, inner)))
            else:
                member = node.members[place]
                pieces.append(_Piece(member, self.value(member.node, old[place], item, inner)))
        return pieces

    def _joined(self, node: _Node, pieces: list[_Piece], margin: str, inner: str) -> str:
        first, parts = node.members[0], []
        for at, piece in enumerate(pieces):
            lead = piece.old.lead if piece.old else inner
            # An inline object keeps its first line: `{"a": 1` and not `{ "a": 1`.
            lead = first.lead if at == 0 and piece.old and "\n" not in first.lead else lead
            parts.append(lead + piece.text + (piece.old.trail if piece.old else ""))
        last = pieces[-1]
        tail = node.tail if last.old or "\n" in node.tail else margin
        if last.old and last.old is not node.members[-1] and "\n" not in last.old.lead:
            tail = first.lead  # an inline object, whose last lines were removed
        opening, closing = self.text[node.start], self.text[node.end - 1]
        return opening + ",".join(parts) + tail + closing


def _margin(lead: str, usual: str) -> str:
    """Return the margin that the space before a member sets, `usual` if it begins no line."""
    if "\n" not in lead:
        return usual
    newline = "\r\n" if "\r\n" in lead else "\n"
    found = _INDENT.match(lead.rpartition("\n")[2])
    return newline + (found[0] if found else "")


@dataclass(frozen=True)
class _Scan:
    """Reads JSON text; `plain` is the same text without its comments."""

    plain: str
    text: str

    def value(self, at: int) -> _Node:
        """Return the node of the value that begins here."""
        node = _Node(at)
        if self.plain[at] == '"':
            node.end = _string(self.plain, at)
        elif self.plain[at] in "{[":
            self._members(node)
        else:
            found = _ATOM.match(self.plain, at)
            node.end = found.end() if found else at
        return node

    def _members(self, node: _Node) -> None:
        """Fill in the members of an object or a list, and its end."""
        at, keyed = node.start + 1, self.plain[node.start] == "{"
        while True:
            start = _skip(self.plain, at)
            if self.plain[start] in "]}":  # it is empty
                node.tail, node.end = self.text[at:start], start + 1
                return
            begin = start
            if keyed:
                colon = _skip(self.plain, _string(self.plain, start))
                begin = _skip(self.plain, colon + 1)
            inner = self.value(begin)
            member = _Member(self.text[at:start], self.text[start:begin], inner)
            node.members.append(member)
            at = _skip(self.plain, inner.end)
            if self.plain[at] != ",":
                node.tail, node.end = self.text[inner.end : at], at + 1
                return
            member.trail = self.text[inner.end : at]
            at += 1


def _string(text: str, at: int) -> int:
    found = _STRING.match(text, at)
    return found.end() if found else at


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
