"""Chains of commands of a text: what has succeeded if the text succeeds, or before a command runs.

`a && b | c; d && e` has two chains: (c), since a pipe has the exit status of its last command, and
(d, e). If the text succeeds, so did all of its last chain.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hookd.lazy_pattern import lazy_compile
from hookd.shell.commands import read
from hookd.shell.literal_passages import MARKS
from hookd.shell.parser import Source, source_of
from hookd.shell.quoting import Misread
from hookd.shell.text_cache import cached_by_text

if TYPE_CHECKING:
    from tree_sitter import Node

Chain = tuple[str, ...]

_STOPS = lazy_compile(r"set\s+(?:-[a-zA-Z]*e[a-zA-Z]*(?:\s|$)|-o\s+errexit\b)")
_GOES_ON = lazy_compile(r"\bset\s+\+")
_EXITS = lazy_compile(r"(?:\{\s*)?(?:[^;{}]*;\s*)?(?:exit|return)\b")
_PIPES = lazy_compile(r"\bpipefail\b")
_MAX_DEPTH = 32


@cached_by_text
def chains(text: str) -> tuple[Chain, ...]:
    """Return the chains of a text, in order; none if it cannot be parsed."""
    if read(text).unreadable is not None:
        return ()
    try:
        source = source_of(text, MARKS)
    except Misread:
        return ()
    if source.flaws:
        return ()
    return tuple(_found(source))


def succeeded(text: str) -> Chain:
    """Return the commands that succeeded if the text did, in order; none if that is not known."""
    found = chains(text)
    return found[-1] if found else ()


def _found(source: Source) -> Iterator[Chain]:
    """Yield the chain of each statement, with what succeeded if the text got there."""
    statements = _statements(source.root)
    stops = bool(statements) and _stops(source.text(statements[0]), source)
    before: Chain = ()
    for node in statements:
        left = _left_of_exit(node, source)
        chain = (*before, *_chain(left or node, source, 0))
        yield chain
        if left is not None or (stops and node.type != "list"):  # a list does not end the text
            before = chain


def _stops(first: str, source: Source) -> bool:
    return _STOPS.match(first) is not None and _GOES_ON.search(source.text(source.root)) is None


def _left_of_exit(node: "Node", source: Source) -> "Node | None":
    """Return the command in `command || exit 1`, None for any other statement."""
    named = _statements(node)
    if node.type != "list" or not any(child.type == "||" for child in node.children):
        return None
    return named[0] if len(named) > 1 and _EXITS.match(source.text(named[-1])) else None


def _statements(node: "Node") -> list["Node"]:
    """Return the statements of a text or a group; one with `&` counts as an unknown one."""
    return [child for child in node.children if child.is_named and child.type != "comment"]


def _chain(node: "Node", source: Source, depth: int) -> Chain:
    """Return the texts of the commands that all succeed if the node does."""
    after = node.next_sibling
    if depth > _MAX_DEPTH or (after is not None and after.type == "&"):
        return ()
    named = _statements(node)
    if node.type == "command":
        return (source.text(node),)
    if node.type == "redirected_statement" and named:
        # The parser takes the file of the last command for the file of the whole list.
        *others, last = _chain(named[0], source, depth + 1) or ("",)
        opened = source.between(named[0].end_byte, node.end_byte)
        return (*others, f"{last}{opened}") if last else ()
    needed = _needed(node, named, source)
    return tuple(text for one in needed for text in _chain(one, source, depth + 1))


def _needed(node: "Node", named: list["Node"], source: Source) -> list["Node"]:
    """Return the parts of a node that all succeed if the node does."""
    match node.type:
        case "list":
            return [] if any(child.type == "||" for child in node.children) else named
        case "pipeline" if _PIPES.search(source.text(source.root)):
            return named
        case "pipeline" | "subshell" | "compound_statement":
            return named[-1:]
        case _:
            return []
