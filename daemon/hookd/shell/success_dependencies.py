"""Commands that depend on the success of another: what runs only if `cd x` worked."""

from typing import TYPE_CHECKING, NamedTuple

from hookd.programs.catalogue import with_trait

if TYPE_CHECKING:
    from tree_sitter import Node

    from hookd.shell.parser import Source

_LEAVES = ("exit", "return", "continue", "break", "die", "fail")
MOVING = with_trait("changes-folder")
"""Programs that change the shell's working folder."""

_SHELLS = frozenset({"subshell", "command_substitution", "process_substitution"})


class Reach(NamedTuple):
    """The offset of a command in its text, and the offsets after it that depend on it.

    Up to `sure` a command runs only if this one succeeded; up to `ends` it runs in the same shell.
    """

    starts: int
    sure: int
    ends: int


def reach_of(node: "Node", source: "Source", program: str) -> Reach:
    """Return the reach of a command; its offset alone if the program changes no folder."""
    if program not in MOVING:
        return Reach(node.start_byte, node.start_byte, node.start_byte)
    ends = _shell_end(node)
    sure, below, above = node.end_byte, node, node.parent
    while above is not None:
        if above.type == "list":
            sign = next((child.type for child in above.children if not child.is_named), "")
            if sign == "||":
                first = below.id == above.children[0].id
                leaves = first and _leaves(above.children[-1], source)
                return Reach(node.start_byte, ends if leaves else sure, ends)
            sure = above.end_byte
        elif above.type == "if_statement" and not _is_body(below, above):
            sure = above.end_byte
        elif above.type != "redirected_statement":
            break
        below, above = above, above.parent
    return Reach(node.start_byte, sure, ends)


def _leaves(node: "Node", source: "Source") -> bool:
    """Return whether a command, or the last of several between braces, leaves the text."""
    last = [child for child in node.named_children if child.type == "command"]
    text = source.text(last[-1] if node.type == "compound_statement" and last else node)
    return any(text == child or text.startswith(f"{child} ") for child in _LEAVES)


def _is_body(node: "Node", branch: "Node") -> bool:
    then = next((child for child in branch.children if child.type == "then"), None)
    return then is None or node.start_byte > then.start_byte


def _shell_end(node: "Node") -> int:
    above = node.parent
    while above is not None:
        if above.type in _SHELLS:
            return above.end_byte
        if above.parent is None:
            break
        above = above.parent
    return above.end_byte + 1 if above is not None else node.end_byte
