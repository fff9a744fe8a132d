"""Commands whose own output empties a file that they name: `sort f > f`, `cat f | jq . > f`.

The shell opens the file of a redirection, and empties it, before it starts the command.
"""

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hookd.shell.parser import Source
from hookd.shell.quoting import Misread
from hookd.shell.words import Scope, value_of, words_of

if TYPE_CHECKING:
    from tree_sitter import Node

EMPTIES = frozenset({">", ">|", "&>"})
INPUT = "<"
"""The program of an input that is redirected."""

Words = tuple[str, ...]


def commands_naming(redirect: "Node", path: str, source: Source, scope: Scope) -> tuple[Words, ...]:
    """Return the words of the commands that name the file which their redirection empties.

    These are all commands of the pipe; `< f` counts as a command of the words `<` and `f`.
    """
    owner, name = redirect.parent, path.rpartition("/")[2].encode()
    if owner is None or owner.type != "redirected_statement":
        return ()
    if not name or source.data[owner.start_byte : owner.end_byte].count(name) < 2:
        return ()  # most files are named once
    try:
        found = tuple(_commands(owner, source, scope))
    except Misread:
        return ()
    same = posixpath.normpath(path)
    return tuple(
        words
        for words in found
        if any(posixpath.normpath(word) == same for word in words[1:] if word)
    )


def _commands(node: "Node", source: Source, scope: Scope) -> Iterator[Words]:
    """Yield the words of the commands in the last pipe of a statement, and its inputs."""
    while node.type in ("list", "negated_command"):
        node = node.named_children[-1]
    if node.type in _GROUPS:
        for part in node.named_children:
            yield from _commands(part, source, scope)
    elif node.type == "redirected_statement":
        yield from _inputs(node, source, scope)
        if (body := node.child_by_field_name("body")) is not None:
            yield from _commands(body, source, scope)
    elif node.type == "command":
        parts = (part for part in node.children if not part.type.endswith(_NO_WORDS))
        nodes = (part.children[0] if part.type == "command_name" else part for part in parts)
        yield tuple(word.text for part in nodes for word in words_of(part, source, scope))
        yield from _inputs(node, source, scope)


_GROUPS = frozenset({"pipeline", "subshell", "compound_statement"})
_NO_WORDS = ("redirect", "assignment", "subshell")


def _inputs(node: "Node", source: Source, scope: Scope) -> Iterator[Words]:
    """Yield the files that are redirected to the input of a command."""
    for part in node.children:
        if part.type == "file_redirect" and any(child.type == INPUT for child in part.children):
            targets = part.children_by_field_name("destination")[:1]
            yield from ((INPUT, value_of(target, source, scope).text) for target in targets)
