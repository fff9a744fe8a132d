"""Limits on parsing: placeholders replace literal passages, the rest is bounded.

tree-sitter is fast on ordinary shell text, but takes quadratic time, and holds the GIL, on some
malicious text: 8 kB of `]`>` take seconds. So the parser sees placeholders for long passages that
cannot run anything, and nothing at all if too many signs remain. Heredocs become redirections from
a placeholder, which also avoids false errors of the parser. Afterwards the tree must show each
placeholder exactly where its passage was expected.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.shell.quoting import Misread

if TYPE_CHECKING:
    from tree_sitter import Node

CODE = 16_384
"""Characters that the parser may see at once."""

MARKS = 1_000
"""Signs (brackets, operators, ...) that the parser may see for one command line, nested or not."""

_SIGN = lazy_compile(r"[^\w\s\"'.,:/-]")
_TOKEN = lazy_compile(
    r"\\."
    r"|(?<![^\s;&|()])\#[^\n]*"
    r"|\$'(?:[^'\\]|\\.)*'"
    r"|'[^']*'"
    r'|"(?:[^"$`\\]|\\.|\$(?!\())*"'
    r"|<<<"
    r"|<<(?P<dash>-?)[ \t]*(?P<start>'[^'\n]+'|\"[^\"\n$`\\]+\"|\\?\w+)(?=[\s;&|()<>])"
    r"|\n",
    re.DOTALL,
)
_QUOTES = "'\"\\"
_LIVE = frozenset("$`\\")
_SHORT = 32
_HEREDOCS = 64
_PLACEHOLDER = lazy_compile("\ue000(\\d+)\ue000")


class Passage(NamedTuple):
    """A text that cannot run anything, and its opening sign: a quote, or `<<`.

    `cut` is the byte in the parsed text after whose line a heredoc was removed.
    """

    text: str
    opener: str
    cut: int = -1


@dataclass(frozen=True)
class RemovedPassages:
    """The passages that were removed from the parsed text, in order."""

    passages: tuple[Passage, ...] = ()

    def restore(self, text: str) -> str:
        """Insert the passages again into a part of the parsed text."""
        return _PLACEHOLDER.sub(lambda match: self.passages[int(match[1])].text, text)

    def heredoc(self, target: str) -> str | None:
        """Return the heredoc that the parser saw as redirection from `target`; None if none."""
        match = _PLACEHOLDER.fullmatch(target[1:-1])
        passage = self.passages[int(match[1])] if match else None
        return passage.text if passage and passage.opener == "<<" else None

    def fits(self, root: "Node", data: bytes) -> bool:
        """Return whether the tree shows every placeholder as the literal text that it replaces."""
        for number, passage in enumerate(self.passages):
            mark = f"\ue000{number}\ue000".encode()
            start = data.find(mark)
            if not _inert(root, passage, data, (start, start + len(mark))):
                return False
        return True


def _inert(root: "Node", passage: Passage, data: bytes, span: tuple[int, int]) -> bool:
    kind = "string" if passage.opener == '"' else "raw_string"
    node = root.descendant_for_byte_range(*span)
    while node is not None and node.type != kind:
        node = node.parent
    if node is None or (node.start_byte, node.end_byte) != (span[0] - 1, span[1] + 1):
        return False
    return passage.opener != "<<" or _is_cut_well(root, node.parent, data, passage.cut, span[1])


def _is_cut_well(root: "Node", redirect: "Node | None", data: bytes, cut: int, start: int) -> bool:
    """Return whether the shell, too, ends the line at the heredoc: not within quotes."""
    if redirect is None or redirect.type != "file_redirect":
        return False
    if data.find(b"\n", start) != cut or data[cut - 1] == ord("\\"):
        return False
    around = root.descendant_for_byte_range(cut, cut + 1)
    return around is not None and around.start_byte <= redirect.start_byte


def signs(text: str) -> int:
    """Count the signs that make `text` costly to parse."""
    return len(_SIGN.findall(text))


def with_placeholders(
    text: str, marks: int, *, anyway: bool = False
) -> tuple[str, RemovedPassages, int]:
    """Return the text for the parser, the passages that were removed, and the number of signs left.

    A small text is left whole, unless `anyway`. Misread if more than `marks` signs are left.
    """
    held = RemovedPassages()
    count = signs(text)
    if (anyway or count > marks or len(text) > CODE) and "\ue000" not in text:
        reducer = _Reducer(text)
        text, held = reducer.run(), RemovedPassages(tuple(reducer.passages))
        count = signs(text) - 2 * len(held.passages)
    if count > marks or len(text) > CODE:
        raise Misread
    return text, held, count


class _Reducer:
    """Removes the literal passages from one text."""

    def __init__(self, text: str) -> None:
        self.passages: list[Passage] = []
        self._text = text
        self._parts: list[str] = []
        self._open: list[tuple[int, str, str]] = []
        self._cuts: list[tuple[int, int]] = []
        self._heredocs = 0

    def run(self) -> str:
        """Return the text with placeholders."""
        at = 0
        while match := _TOKEN.search(self._text, at):
            self._parts.append(self._text[at : match.start()])
            at = match.end()
            if match["start"] and self._heredocs < _HEREDOCS:
                self._heredocs += 1
                self._open.append((len(self._parts), match["start"], match["dash"]))
            before = len(self.passages)
            if match[0] == "\n" and self._open:
                at = self._bodies(at)
                self._cuts += [
                    (number, len(self._parts)) for number in range(before, len(self.passages))
                ]
            self._parts.append(self._token(match[0]))
        for number, part in self._cuts:
            cut = len("".join(self._parts[:part]).encode())
            self.passages[number] = self.passages[number]._replace(cut=cut)
        return "".join([*self._parts, self._text[at:]])

    def _token(self, token: str) -> str:
        inner = token[1:-1]
        quoted = token[0] == "'" or (token[0] == '"' and not set(inner) & _LIVE)
        if not quoted or len(inner) < _SHORT:
            return token
        return token[0] + self._hold(inner, token[0]) + token[0]

    def _hold(self, text: str, opener: str) -> str:
        self.passages.append(Passage(text, opener))
        return f"\ue000{len(self.passages) - 1}\ue000"

    def _bodies(self, at: int) -> int:
        """Remove the heredocs whose line ends at `at`; return where the text continues."""
        spans: list[tuple[int, int]] = []
        after = at
        for _, start, dash in self._open:
            tabs = "\t*" if dash else ""
            line = re.compile(rf"^{tabs}{re.escape(start.strip(_QUOTES))}(?:\n|\Z)", re.MULTILINE)
            end = line.search(self._text, after)
            if end is None or not _is_inert(start, self._text[after : end.start()]):
                break
            spans.append((after, end.start()))
            after = end.end()
        complete = len(spans) == len(self._open)
        for (part, _, dash), span in zip(self._open, spans, strict=False):
            if complete:
                body = self._text[slice(*span)]
                body = re.sub(r"(?m)^\t+", "", body) if dash else body
                self._parts[part] = f"< '{self._hold(body, '<<')}'"
        self._open = []
        return after if complete else at


def _is_inert(start: str, body: str) -> bool:
    return start[0] in _QUOTES or not set(body) & _LIVE
