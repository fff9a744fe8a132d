"""Home of what stands behind `<` and `>`: files written, and words that the parser puts there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hookd.shell.parser import Frame, Source
from hookd.shell.variables import heredoc_text

if TYPE_CHECKING:
    from tree_sitter import Node

_CLOSING = frozenset({"<&-", ">&-"})
_HARMLESS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "-"})
_NESTING = frozenset(
    {"command_substitution", "process_substitution", "arithmetic_expansion", "subshell"}
    | {"subscript", "comment", "simple_expansion", "expansion"}
)


def stray_words(redirect: "Node") -> list["Node"]:
    """Return the arguments that the parser takes for a part of `redirect`, as in `rm >log -rf x`.

    A redirection has one target; what follows belongs to the command again.
    """
    words: list[Node] = []
    if redirect.type == "file_redirect":
        closing = any(child.type in _CLOSING for child in redirect.children)
        words = redirect.children_by_field_name("destination")[0 if closing else 1 :]
    elif redirect.type == "heredoc_redirect":
        words = redirect.children_by_field_name("argument")
        for child in redirect.children_by_field_name("redirect"):
            words += stray_words(child)
    return words


def last_command(node: "Node") -> "Node | None":
    """Return the command that a redirection at the end of `node` belongs to."""
    while node.type != "command":
        if node.type in ("list", "pipeline", "negated_command"):
            node = node.named_children[-1]
        elif node.type == "redirected_statement" and (body := node.child_by_field_name("body")):
            node = body
        else:
            return None
    return node


def writes(redirect: "Node", source: Source) -> bool:
    """Whether a redirection may write a file."""
    operator = next((child.type for child in redirect.children if not child.is_named), "")
    targets = redirect.children_by_field_name("destination")
    target = source.text(targets[0]) if targets else "-"
    copies = operator == ">&" and target.isdigit()
    return operator[:1] in (">", "&") and not copies and target not in _HARMLESS


def is_alone(frames: Sequence[Frame], source: Source) -> bool:
    """Whether the text is one simple command: no other, none within, no assignment, no file."""
    children = frames[0].node.children
    if len(children) != 1 or any(frame.node.type in _NESTING for frame in frames):
        return False
    node = children[0]
    if node.type == "redirected_statement":
        node, *redirects = node.children
        if not all(_is_whole_heredoc(part, source) for part in redirects):
            return False
    return node.type == "command" and not any(
        child.type in ("variable_assignment", "file_redirect", "heredoc_redirect")
        for child in node.children
    )


def _is_whole_heredoc(redirect: "Node", source: Source) -> bool:
    # A line that goes on behind the delimiter makes more children than these four.
    whole = redirect.type != "heredoc_redirect" or len(redirect.children) == 4
    return whole and heredoc_text(redirect, source) is not None
