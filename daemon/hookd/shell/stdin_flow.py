"""Home of the texts that commands hand on: what a command finds on its input, what it prints."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hookd.shell.parser import Source, feeds
from hookd.shell.quoting import Misread, ansi_c, names
from hookd.shell.variables import Scope, heredoc_text
from hookd.shell.words import ANY_WORDS, Word, value_of, words_of

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPING = names("-e -ne -en")
_FLAGS = _ESCAPING | names("-n -E")
_SHELLS_DIFFER = re.compile(r"\\(?:c|0\d)")
_WHOLE = re.compile(r"(?:[^%]|%%|%s)*")


def input_of(node: "Node", source: Source, scope: Scope) -> Word:
    """Return what a here-text, a file or the command before a pipe gives as input."""
    if node.type == "herestring_redirect":
        return value_of(node.named_children[-1], source, scope)
    if node.type == "command":
        text = None if scope.redefined else printed(_plain_words(node, source, scope))
    else:
        here = node.type in ("heredoc_redirect", "file_redirect")
        text = heredoc_text(node, source) if here else None
    if text is not None:
        return Word(text)
    bodies = [part for part in node.children if part.type == "heredoc_body"]
    return ANY_WORDS._replace(text="".join(source.text(part) for part in bodies))


def left_by(redirect: "Node", source: Source, scope: Scope) -> str | None:
    """Return the text that a command leaves in the file of a redirection; None: not known."""
    owner = redirect.parent
    if owner is not None and owner.type == "heredoc_redirect":
        owner = owner.parent
    body = owner.child_by_field_name("body") if owner is not None else None
    if owner is None or body is None or body.type != "command" or scope.redefined:
        return None
    words = _plain_words(body, source, scope)
    if [word.text for word in words] not in (["cat"], ["cat", "-"]):
        return printed(words)
    given = [input_of(part, source, scope) for part in owner.children if feeds(part, source)]
    return given[0].text if len(given) == 1 and given[0].known else None


def _plain_words(node: "Node", source: Source, scope: Scope) -> tuple[Word, ...]:
    """Return the words of a command; none where it has more than words, or they are odd."""
    try:
        parts = [
            part.children[0] if part.type == "command_name" else part for part in node.children
        ]
        if any(part.type.endswith(("redirect", "assignment", "subshell")) for part in parts):
            return ()
        return tuple(word for part in parts for word in words_of(part, source, scope))
    except Misread:
        return ()


def printed(words: Sequence[Word]) -> str | None:
    """Return what `echo` or `printf` prints; None: it is neither, or shells would differ."""
    if not words or not all(word.known for word in words):
        return None
    program, *rest = (word.text for word in words)
    if program == "echo":
        return _echoed(rest)
    return _formatted(rest) if program == "printf" and rest else None


def _echoed(rest: list[str]) -> str | None:
    escapes = False
    while rest and rest[0] in _FLAGS:
        escapes |= rest.pop(0) in _ESCAPING
    text = " ".join(rest)
    if "\\" not in text:
        return f"{text}\n"
    return f"{ansi_c(text)}\n" if escapes and not _SHELLS_DIFFER.search(text) else None


def _formatted(rest: list[str]) -> str | None:
    form, *values = rest
    if form.startswith("-") or not _WHOLE.fullmatch(form) or _SHELLS_DIFFER.search(form):
        return None
    pieces = [ansi_c(piece).replace("%%", "%") for piece in re.split(r"(?<!%)%s", form)]
    if len(pieces) == 1:
        return pieces[0]
    if len(pieces) > 2:
        return None
    return "".join(f"{pieces[0]}{value}{pieces[1]}" for value in values or [""])
