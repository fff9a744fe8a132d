"""Codex's patch format: which files a patch adds, updates, deletes or moves.

It is read at least as leniently as Codex and opencode read it, since a file that is not seen here
is not judged: markers in any case and with blanks around them, a here-document around the whole,
headers that one version takes for context and another for a file. What Codex would refuse has a
`problem`, and its files are listed all the same.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

Kind = Literal["add", "update", "delete", "move"]

MAX_FILES = 100
"""Maximum files of one patch that are judged, one by one."""

_HEADER = lazy_compile(
    r"\*\*\*[ \t]*(?P<kind>add|update|delete)[ \t]+file[ \t]*:[ ]?(?P<path>.*)", re.IGNORECASE
)
_MOVE = lazy_compile(r"\*\*\*[ \t]*move[ \t]+to[ \t]*:[ ]?(?P<path>.*)", re.IGNORECASE)
_FRAME = lazy_compile(
    r"\*\*\*[ \t]*(?:(?P<begin>begin patch)|(?P<end>end patch)|end of file"
    r"|(?P<place>environment id[ \t]*:.*))",
    re.IGNORECASE,
)
_LOOKS = lazy_compile(
    r"\*\*\*[ \t]*(?:begin[ \t]+patch|(?:add|update|delete)[ \t]+file[ \t]*:)", re.IGNORECASE
)
_HEREDOC = lazy_compile(r"(?:cat[ \t]+)?<<-?[ \t]*(['\"]?)(?P<name>\w+)\1")
_BLANKS = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""What Rust trims; str.strip() also takes characters that Codex keeps in a path."""


@dataclass(frozen=True, slots=True)
class PatchedFile:
    """One file of a patch; `path` and `target`, where it is moved to, are as written.

    `old` are the lines that are removed, `new` those that replace them, both with the context.
    """

    kind: Kind
    path: str
    target: str = ""
    old: str = ""
    new: str = ""


@dataclass(frozen=True, slots=True)
class Patch:
    """The files of a patch in their order; `problem`: why not all of it can be read."""

    files: tuple[PatchedFile, ...]
    problem: str = ""


def looks_like_patch(text: str) -> bool:
    """Return whether a text has a marker of a patch."""
    return _LOOKS.search(text) is not None


def readings(name: str) -> tuple[str, ...]:
    """Return a file's name as Codex reads it, then as opencode does: without blanks around it."""
    return tuple(dict.fromkeys((name, name.strip(f"{_BLANKS}\ufeff"))))


@lru_cache(maxsize=4)
def parse_patch(text: str) -> Patch:
    """Read a patch. Never raises: what cannot be read is the patch's `problem`."""
    lines = _unwrapped([line.rstrip("\r") for line in text.strip(_BLANKS).split("\n")])
    last = _FRAME.fullmatch(lines[-1].strip(_BLANKS))
    closed = last is not None and last["end"] is not None
    reader = _Reader()
    for line in lines[:-1] if closed else lines:
        reader.read(line)
    files = tuple(one.whole() for one in reader.files)
    problem = reader.problem or ("" if closed else "it has no line *** End Patch")
    if not files:
        problem = problem or "it names no file"
    elif not all(one.path for one in files):
        problem = problem or "a file has no name"
    return Patch(files, problem)


def _unwrapped(lines: list[str]) -> list[str]:
    """Return the lines without a here-document around them."""
    opened = _HEREDOC.fullmatch(lines[0].strip(_BLANKS))
    if opened is None or len(lines) < 2:
        return lines
    return lines[1:-1] if lines[-1].strip(_BLANKS).endswith(opened["name"]) else lines[1:]


class _File:
    """A file while it is read."""

    def __init__(self, kind: Kind, path: str) -> None:
        self.kind, self.path, self.target = kind, path, ""
        self.old: list[str] = []
        self.new: list[str] = []

    @property
    def empty(self) -> bool:
        return not self.old and not self.new

    def add(self, sign: str, text: str) -> None:
        if sign != "+":
            self.old.append(text)
        if sign != "-":
            self.new.append(text)

    def whole(self) -> PatchedFile:
        kind = "move" if self.target else self.kind
        return PatchedFile(kind, self.path, self.target, _joined(self.old), _joined(self.new))


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


class _Reader:
    """Reads a patch line by line.

    `opened` are the files that a line of text may belong to: several after a header with blanks
    before it among the lines of an update, which is context for some versions of Codex.
    """

    def __init__(self) -> None:
        self.files: list[_File] = []
        self.opened: list[_File] = []
        self.begun = self.ended = False
        self.problem = ""

    def read(self, line: str) -> None:
        """Read one line."""
        marker = line.strip(_BLANKS)
        if marker.startswith("***") and self._marker(marker, line):
            return
        if self.ended or not self.begun:
            if marker:
                where = "after *** End Patch" if self.ended else "before *** Begin Patch"
                self._wrong(f"it has text {where}")
        elif self.opened:
            self._text(line, marker)
        elif marker:
            self._wrong("a line belongs to no file")

    def _wrong(self, problem: str) -> None:
        self.problem = self.problem or problem

    def _marker(self, marker: str, line: str) -> bool:
        """Read a marker; return False if it is a line of text instead."""
        in_text = line[:1] == " " and any(one.kind == "update" for one in self.opened)
        if header := _HEADER.fullmatch(marker):
            if in_text:
                self._text(line, marker)
            self._header(header, in_text=in_text)
            return True
        moved = _MOVE.fullmatch(marker)
        if moved is not None and self.opened and self.opened[-1].empty:
            return self._move(moved["path"])
        frame = None if in_text else _FRAME.fullmatch(marker)
        if frame is None:
            return False
        if frame["begin"]:
            if self.begun:
                self._wrong("it has two lines *** Begin Patch")
            self.begun = True
        elif frame["end"]:
            self.ended, self.opened = True, []
        elif frame["place"] and self.files:
            self._wrong("an environment is named behind a file")
        return True

    def _header(self, header: re.Match[str], *, in_text: bool) -> None:
        kind: Kind = _KINDS[header["kind"].lower()]
        file = _File(kind, header["path"].rstrip(_BLANKS))
        if self.ended or not self.begun:
            self._wrong("a file is named outside of *** Begin Patch and *** End Patch")
        self.files.append(file)
        self.opened = [*self.opened, file] if in_text else [file]

    def _move(self, target: str) -> bool:
        file = self.opened[-1]
        if file.kind != "update" or file.target or not target:
            self._wrong("a line *** Move to: does not follow its file")
        if file.target:  # each version of Codex takes another one
            more = _File(file.kind, file.path)
            self.files.append(more)
            self.opened.append(more)
            file = more
        file.target = target
        return True

    def _text(self, line: str, marker: str) -> None:
        sign = line[:1]
        if marker == "@@" or marker.startswith("@@ "):
            known = any(one.kind == "update" for one in self.opened)
        else:
            known = sign in _SIGNS
            for file in self.opened:
                if known and (file.kind == "update" or sign == "+"):
                    file.add(sign, line[1:])
        if not known or all(one.kind == "delete" for one in self.opened):
            self._wrong("a line begins with none of the signs +, - and blank")


_KINDS: dict[str, Kind] = {"add": "add", "update": "update", "delete": "delete"}
_SIGNS = frozenset({"", " ", "+", "-"})


def file_names(patch: Patch) -> Iterator[str]:
    """Yield the paths of a patch as written, each once, targets of moves included."""
    yield from dict.fromkeys(
        path for file in patch.files for path in (file.path, file.target) if path
    )
