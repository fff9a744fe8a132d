"""The tree-sitter parser of bash, and checks that its tree means what bash runs."""

import functools
import re
from collections.abc import Iterator
from dataclasses import field
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.shell.literal_passages import RemovedPassages, with_placeholders
from hookd.shell.parser_repairs import simplified, without_split_words

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

UNSURE = "it cannot be parsed with certainty"

_MASK = bytes(range(128)) + b"." * 128
"""The parser's view of each byte: tree-sitter-bash crashes on signs that are not ASCII.

(Its issue 337.) A dot is, like them, a sign of words and not of names.
"""

_BLANK = lazy_compile(rb"(?:[ \t\n]|\\\n)*")
_LIVE = lazy_compile(rb"\\.|(`|\$\()", re.DOTALL)
_DESCRIPTOR = lazy_compile(rb"\d+|\{\w+\}")
_VARIABLE = lazy_compile(rb"\w+")
_CALM = lazy_compile(rb"[\w./:=,@%+-]+")
_PROCESS = lazy_compile(rb"\\.|([<>]\()", re.DOTALL)
_DESCRIBED = lazy_compile(rb"(?:\{\w+\}|(?:^|[\s;&|()<>`])\d+)$")
_DELIMITER = lazy_compile(rb"'[^'\n]+'|\"[^\"\n$`\\]+\"|\\?[^\s'\"\\$`;&|()<>]+")
_NAME = 256
_REPAIRS = 4
"""Views that are tried of a text that cannot be parsed."""

_ANSI = lazy_compile(rb"\$'(?:[^'\\]|\\.)*'", re.DOTALL)
_TEXTS = frozenset({"string", "heredoc_body", "expansion", "regex"})
_WORDS = frozenset({"command", "file_redirect", "declaration_command", "unset_command", "array"})
_LINES = frozenset(
    {"command", "declaration_command", "unset_command", "redirected_statement", "file_redirect"}
    | {"herestring_redirect", "variable_assignment", "variable_assignments"}
)
_JOINED = frozenset({"concatenation", "simple_expansion"})
_ENDS = b" \t\n;&|()<>"
EXPANSIONS = frozenset(
    {"simple_expansion", "expansion", "command_substitution", "arithmetic_expansion"}
)
_HEREDOC = frozenset({"heredoc_body", "heredoc_start", "heredoc_end"})
_RESERVED = frozenset(
    b"! { } [[ ]] (( )) case do done elif else esac fi for function if in select then until while"
    b" foreach end".split()
)
_STRAIGHT = frozenset({"program", "redirected_statement", "variable_assignments"})
_STDIN = frozenset({"heredoc_redirect", "herestring_redirect"})


@dataclass(frozen=True)
class Source:
    """A parsed text: `held` are the passages outside of it, `cost` counts its signs.

    `view` is what the parser has read. `frames` are all the nodes that have parts, in the order of
    the text.
    """

    data: bytes
    root: "Node"
    held: RemovedPassages
    cost: int
    view: bytes
    flaws: list[str] = field(default_factory=list)
    frames: list["Frame"] = field(default_factory=list)

    def text(self, node: "Node") -> str:
        """Return the text of `node`."""
        return self.between(node.start_byte, node.end_byte)

    def between(self, start: int, end: int) -> str:
        """Return the text from byte `start` to byte `end`."""
        text = self.data[start:end].decode("utf-8", "replace")
        return self.held.restore(text) if self.held.passages else text

    def here(self, node: "Node") -> str | None:
        """Return the heredoc that `node` replaces; None if it replaces none."""
        if node.type != "file_redirect" or not self.held.passages:
            return None
        targets = node.children_by_field_name("destination")
        if not targets:
            return None
        span = slice(targets[0].start_byte, targets[0].end_byte)
        return self.held.heredoc(self.data[span].decode("utf-8", "replace"))


class Frame(NamedTuple):
    """A node of the traversal.

    `straight`: it runs exactly once, in the shell itself, before everything after it. `deferred`:
    it is in a function. `stdin`: the input of it or of its parents: a here-text, or something that
    is known only at run time: a pipe, a process.
    """

    node: "Node"
    unconditional: bool = True
    deferred: bool = False
    stdin: tuple["Node", ...] = ()
    parent: str = ""


def source_of(text: str, marks: int) -> Source:
    """Parse `text`, which may have `marks` signs. Misread if it has more."""
    source = _parsed(*with_placeholders(text, marks))
    if source.flaws and "<<" in text and not source.held.passages:
        # The parser fails on some valid heredocs, and on none that is replaced.
        again = _parsed(*with_placeholders(text, marks, anyway=True))
        source = again if again.held.passages else source
    return _repaired(source) if source.flaws else source


def _repaired(source: Source) -> Source:
    """Return the tree of a view without constructs that the parser misreads, if it is sound."""
    first = source.data.translate(_MASK)
    view, latest = simplified(first), source
    for _ in range(_REPAIRS):
        view = without_split_words(view, (frame.node for frame in latest.frames))
        if view == first:
            break
        first, latest = view, _viewed(view, source.data, source.held, source.cost)
        if not latest.flaws:
            return latest
    return source


def _parsed(text: str, held: RemovedPassages, cost: int) -> Source:
    data = text.encode()
    return _viewed(data.translate(_MASK), data, held, cost)


def _viewed(view: bytes, data: bytes, held: RemovedPassages, cost: int) -> Source:
    """Return the tree of a view of a text, which has the same length and structure."""
    root = _parser().parse(view).root_node
    source = Source(data, root, held, cost, view)
    outside = data[: root.start_byte] + data[root.end_byte :]
    if root.has_error or not held.fits(root, data) or not _BLANK.fullmatch(outside):
        source.flaws.append("it cannot be parsed")
    source.frames.extend(_frames(source))
    return source


@functools.cache
def _parser() -> "Parser":
    # Imported at first use: it takes longer than the rest of the start.
    import tree_sitter  # noqa: PLC0415
    import tree_sitter_bash  # noqa: PLC0415

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def _frames(source: Source) -> Iterator[Frame]:
    """Yield the frames, and add a flaw to `source` where bash would read something else.

    Iterative, since a text may nest deeper than Python recurses.
    """
    todo = [Frame(source.root)]
    while todo:
        frame = todo.pop()
        children = frame.node.children
        if not _sound(frame.node, children, source.view, frame.parent):
            source.flaws.append(UNSURE)
        yield frame
        if is_escaped_backtick(frame.node, source.data):
            continue
        below: list[tuple[Node, Node | None]] = []
        # With the sibling after it: a node would search its parent's children for that.
        for child, after in zip_longest(children, children[1:]):
            if child.child_count:
                below.append((child, after))
            elif child.is_named and not _sound_leaf(child, source.view):
                source.flaws.append(UNSURE)
        if below:
            fed = tuple(node for node, _ in below if provides_input(node, source))
            inside = frame._replace(stdin=(*frame.stdin, *fed)) if fed else frame
            todo += [_below(inside, frame.stdin, children, *both) for both in reversed(below)]


def _below(
    frame: Frame,
    outer: tuple["Node", ...],
    siblings: list["Node"],
    child: "Node",
    after: "Node | None",
) -> Frame:
    """Return the frame of a child; `frame` has the inputs of all children, `outer` its own."""
    kind = frame.node.type
    straight = frame.unconditional and (
        kind in _STRAIGHT
        or (kind == "list" and child == siblings[0])
        or (kind == "compound_statement" and siblings[0].type == "{")
    )
    return Frame(
        child,
        straight and (after is None or after.type != "&"),
        frame.deferred or kind == "function_definition",
        outer if child.type in _STDIN else _input(frame, kind, child, siblings),
        kind,
    )


def provides_input(node: "Node", source: Source) -> bool:
    """Return whether a redirection provides a text, or the output of a process, as input."""
    if node.type != "file_redirect":
        return node.type in _STDIN
    targets = node.children_by_field_name("destination")
    process = any(target.type == "process_substitution" for target in targets)
    return process or source.here(node) is not None


def _input(frame: Frame, kind: str, child: "Node", siblings: list["Node"]) -> tuple["Node", ...]:
    piped = kind == "pipeline" and child != siblings[0]
    fed = kind == "process_substitution" and siblings[0].type == ">("
    if not (piped or fed):
        return frame.stdin
    return (*frame.stdin, siblings[max(0, siblings.index(child) - 2) if piped else 0])


def is_escaped_backtick(node: "Node", data: bytes) -> bool:
    """Return whether `node` is a command in backticks whose backslashes hide what it runs."""
    if node.type != "command_substitution":
        return False
    span = data[node.start_byte : node.end_byte].lstrip(b" \t\n")
    return span[:2] != b"$(" and b"\\" in span


def _is_token(child: "Node", data: bytes) -> bool:
    """Return whether a sign is where it should be: the parser takes `-rf<<` for one, too."""
    return data[child.start_byte : child.end_byte] in (child.type.encode(), b"$$")


def _sound_leaf(node: "Node", data: bytes) -> bool:
    text = data[node.start_byte : node.end_byte]
    kind = node.type
    match kind:
        case "word" if _CALM.fullmatch(text):
            return True
        case "raw_string":
            return text[:1] == text[-1:] == b"'" and text.count(b"'") == 2
        case "ansi_c_string" | "variable_name":
            return (_ANSI if kind == "ansi_c_string" else _VARIABLE).fullmatch(text) is not None
        case "comment":
            return b"\n" not in text and _begins_word(node, data)
        case "file_descriptor":
            return _DESCRIPTOR.fullmatch(text) is not None and _begins_word(node, data)
        case _:
            process = kind == "word" and any(match[1] for match in _PROCESS.finditer(text))
            return kind in _HEREDOC or (_inert(text) and not process)


def _begins_word(node: "Node", data: bytes) -> bool:
    return data[max(0, node.start_byte - 1) : node.start_byte] in b" \t\n;&|()<>`"


def _inert(text: bytes) -> bool:
    if b"`" not in text and b"$(" not in text:
        return True
    return not any(match[1] for match in _LIVE.finditer(text))


def _sound(node: "Node", children: list["Node"], data: bytes, parent: str) -> bool:
    """Return whether only blanks separate the parts: anything else would run unseen."""
    kind = node.type
    if not _sound_kind(node, kind, data):
        return False
    at, before, texts = node.start_byte, None, kind in _TEXTS
    if parent == "string" and (blanks := blanks_before(node, data)):
        token, *children = children
        if data[at + blanks : token.end_byte] != token.type.encode():
            return False
        at = token.end_byte
    for child in children:
        start = child.start_byte
        if not child.is_named and not _is_token(child, data):
            return False
        if at < start:
            gap = data[at:start]
            if not (_inert(gap) if texts else _sound_gap(gap, kind)):
                return False
        elif before is not None and kind in _WORDS and not _may_touch(before, child):
            return False
        at, before = max(at, child.end_byte), child
    end = node.end_byte
    return texts or at == end or _BLANK.fullmatch(data, at, end) is not None


def blanks_before(node: "Node", data: bytes) -> int:
    """Return how many blanks an expansion in a string begins with: they belong to the string."""
    if node.type not in EXPANSIONS:
        return 0
    text = data[node.start_byte : node.end_byte]
    return len(text) - len(text.lstrip(b" \t\n"))


def _sound_kind(node: "Node", kind: str, data: bytes) -> bool:
    if kind == "command_name":
        return data[node.start_byte : node.end_byte] not in _RESERVED
    if kind.endswith("_redirect"):
        # A number before it should be a part of it.
        before = data[max(0, node.start_byte - _NAME) : node.start_byte]
        heredoc = kind == "heredoc_redirect"
        return not _DESCRIBED.search(before) and (
            not heredoc or _sound_heredoc(node.children, data)
        )
    return True


def _sound_gap(gap: bytes, kind: str) -> bool:
    if gap == b" ":
        return kind not in _JOINED
    # A gap of line continuations alone is no gap: bash joins the words on its two sides.
    rest = gap.replace(b"\\\n", b"")
    ends = kind in _LINES and b"\n" in rest
    return kind not in _JOINED and bool(rest) and not ends and not rest.strip(b" \t\n")


def _may_touch(before: "Node", child: "Node") -> bool:
    redirects = child.type.endswith("redirect") or before.type == "file_descriptor"
    return redirects or not child.is_named or not (before.is_named or before.type == "$")


def _is_below(start: "Node", child: "Node", data: bytes) -> bool:
    """Return whether a node begins on a later line than `start`."""
    return b"\n" in data[start.end_byte : child.start_byte].replace(b"\\\n", b"")


def _sound_heredoc(children: list["Node"], data: bytes) -> bool:
    """Return whether the text ends where bash ends it: at the first line that is the delimiter."""
    parts = {child.type: child for child in children if child.type in _HEREDOC}
    if "heredoc_start" not in parts or "heredoc_end" not in parts:
        return False
    start, end = parts["heredoc_start"], parts["heredoc_end"]
    if any(_is_below(start, child, data) for child in children if child.type == "word"):
        return False  # a first line with a backslash, taken for arguments
    raw = data[start.start_byte : start.end_byte]
    if (
        b"\n" in data[children[0].start_byte : start.start_byte]
        or not _DELIMITER.fullmatch(raw)
        or data[start.end_byte : start.end_byte + 1].strip(_ENDS)
    ):
        return False
    tabs = b"\t" if children[0].type == "<<-" else b""
    lines = data[start.end_byte :].split(b"\n")[1:]
    delimiter = raw.translate(None, b"'\"\\")
    first = next((at for at, line in enumerate(lines) if line.lstrip(tabs) == delimiter), None)
    above = data[start.end_byte : end.start_byte].count(b"\n") - 1
    body = parts.get("heredoc_body")
    if body is not None and not body.child_count and raw == delimiter:
        return first == above and _inert(data[body.start_byte : body.end_byte])
    return first == above
