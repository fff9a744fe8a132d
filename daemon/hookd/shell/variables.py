"""Home of what a shell text says about its own variables: a value is known, or it is not."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hookd.shell.env_printers import prints_setup
from hookd.shell.parser import Frame, Source
from hookd.shell.quoting import names

if TYPE_CHECKING:
    from tree_sitter import Node

    from hookd.shell.words import Word

_MOVING = re.compile(
    r"_|UID|EUID|PPID|PWD|OLDPWD|SHLVL|SECONDS|LINENO|S?RANDOM|GROUPS|FUNCNAME|DIRSTACK|HISTCMD"
    r"|OPT\w+|PIPESTATUS|SHELLOPTS|BASH\w*|EPOCH\w+|COMP_?\w+|\W|\d+"
)
_PLAIN = re.compile(rb"[\w./-]+")
_ARITHMETIC = frozenset(
    {"binary_expression", "unary_expression", "postfix_expression", "ternary_expression"}
    | {"c_style_for_statement", "arithmetic_expansion", "parenthesized_expression"}
)

_PREFIXES = names("builtin command time noglob nocorrect - repeat coproc")
_CHANGERS = _PREFIXES | names(
    "eval source . read readarray mapfile printf getopts let unset declare typeset local readonly"
    " wait trap alias enable hash print vared float integer autoload emulate export"
)
_QUIET_CHANGERS = names(
    "read readarray mapfile printf getopts let unset declare typeset local readonly wait trap"
    " export vared float integer"
)
"""What changes variables, and no meaning of a name."""

_LONGEST = 4_096
"""Characters of a value; a longer one is not known, else doubling it would take for ever."""

_FLAGGED = {"printf": "-v", "wait": "-p", "print": "-v"}


class Scope:
    """The variables of one shell text, as far as the walk has come."""

    def __init__(self, homes: frozenset[str], outer: "Scope | None" = None, *, fresh: bool) -> None:
        self.deferred = False
        self._homes = homes
        self._values: dict[str, str] = {}
        self._loose: set[str] = set()
        self._frozen = self._replaced = self.redefined = False
        if outer is not None:
            self._replaced, self.redefined = outer._replaced, outer.redefined
            if not (fresh or outer.deferred or outer._frozen):
                self._values = outer._values.copy()
                self._loose = outer._loose.copy()

    def survey(self, frames: Iterable[Frame], source: Source) -> None:
        """Note in advance what is assigned where it may run never, later, or more than once."""
        for frame in frames:
            node, kind = frame.node, frame.node.type
            if kind == "function_definition":
                self._replaced = self.redefined = True
            elif kind == "variable_assignment":
                self._note_assignment(frame, source)
            elif kind in ("declaration_command", "unset_command"):
                self._frozen |= not _is_plain_export(frame)
            elif kind == "command" and not frame.straight:
                self._frozen |= _may_change(node.child_by_field_name("name"))
            else:
                self._loose |= _written(node, kind)

    def _note_assignment(self, frame: Frame, source: Source) -> None:
        target = frame.node.child_by_field_name("name")
        name = "" if target is None else source.text(target).partition("[")[0]
        self._frozen |= name == "IFS"
        self._replaced |= name == "PATH"
        owned = frame.parent == "declaration_command" or frame.straight
        if not owned or target is None or target.type != "variable_name":
            self._loose.add(name)

    def value(self, name: str) -> str | None:
        """Return the value of a variable, or None if it is not known from the text."""
        if self.deferred or self._frozen or name in self._loose:
            return None
        if name == "IFS":
            return " \t\n"
        return self._values.get(name)

    def assign(self, name: str, value: str | None, *, append: bool) -> None:
        """Note an assignment that the walk has come to; None: its value is not known."""
        old = self._values.pop(name, None)
        if value is None or (append and old is None) or _MOVING.fullmatch(name):
            return
        made = (old or "") + value if append else value
        if len(made) <= _LONGEST:
            self._values[name] = made

    def is_home(self, name: str) -> bool:
        """Whether a variable is sure to hold the path of a folder."""
        return name in self._homes

    def output(self, node: "Node", source: Source) -> str | None:
        """Return what `$(cat <<'END' ...)` yields, the usual way to write a text of several lines.

        None for every other substitution.
        """
        inner = node.named_children
        if self._replaced or len(inner) != 1:
            return None
        parts = inner[0].children
        if len(parts) != 2 or source.text(parts[0]) != "cat":
            return None
        text = heredoc_text(parts[1], source)
        return None if text is None else text.rstrip("\n")

    def after(self, words: "Sequence[Word]") -> None:
        """Note that a command has run: after some, no value and no program is sure any more."""
        if _changes(words):
            self._frozen = self._replaced = True
            self.redefined |= not _sets_up(words)


def _sets_up(words: "Sequence[Word]") -> bool:
    """Whether a command does no more to the shell than what is known to be harmless."""
    known = bool(words) and words[0].known
    if not known or words[0].text not in _QUIET_CHANGERS:
        return (
            known and words[0].text == "eval" and prints_setup(" ".join(w.text for w in words[1:]))
        )
    return True


def _changes(words: "Sequence[Word]") -> bool:
    if not words or not words[0].known:
        return True
    program, rest = words[0].text, words[1:]
    if program in _FLAGGED:
        return any(not word.known or word.text.startswith(_FLAGGED[program]) for word in rest)
    if program in _PREFIXES:
        return any(not word.known or word.text in _CHANGERS for word in rest)
    return program in _CHANGERS


def heredoc_text(node: "Node", source: Source) -> str | None:
    """Return the text of a here-document without expansions; None: it has some, or is odd."""
    parts = {child.type: child for child in node.children}
    if node.type != "heredoc_redirect":
        return source.here(node)
    if not {"heredoc_start", "heredoc_body", "heredoc_end"} <= parts.keys():
        return None
    start, body, end = (parts[f"heredoc_{name}"] for name in ("start", "body", "end"))
    if any(part.type != "heredoc_content" for part in body.children):
        return None
    # The lines as they stand: the tree leaves out blanks at their beginning.
    lines = source.between(start.end_byte, end.end_byte).split("\n")[1:-1]
    text = "".join(f"{line}\n" for line in lines)
    if "<<-" in parts:
        text = re.sub(r"(?m)^\t+", "", text)
    if not set(source.text(start)) & set("'\"\\"):
        if "$" in text or "`" in text:
            return None
        text = re.sub(r"\\(\\|\n)", lambda found: found[1].strip("\n"), text)
    return text


def homes_in(text: str) -> frozenset[str]:
    """Return the variables that hold a folder's path, unless `text` does more than to read them."""
    return frozenset(
        name
        for name in ("HOME", "PWD")
        if text.count(name) == text.count(f"${name}") + text.count(f"${{{name}}}")
    )


def _is_plain_export(frame: Frame) -> bool:
    keyword, *rest = frame.node.children
    return (
        frame.straight
        and keyword.type == "export"
        and all(child.type in ("variable_assignment", "variable_name") for child in rest)
    )


def _may_change(name: "Node | None") -> bool:
    if name is None:
        return False
    text = name.text or b""
    return _PLAIN.fullmatch(text) is None or text.decode() in _CHANGERS


def _written(node: "Node", kind: str) -> set[str]:
    """Return the variables that a loop, an expansion or a calculation may write."""
    if kind == "for_statement":
        names = [node.child_by_field_name("variable")]
    elif kind == "expansion" and any("=" in child.type for child in node.children):
        names = [child for child in node.children if child.type == "variable_name"]
    elif kind in _ARITHMETIC or (kind == "compound_statement" and node.children[0].type == "(("):
        names = [child for child in node.children if child.type in ("variable_name", "word")]
    else:
        names = []
    return {name.text.decode() for name in names if name is not None and name.text is not None}
