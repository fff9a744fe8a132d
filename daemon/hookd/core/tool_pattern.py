"""Home of patterns over tool calls: `Bash(rm -rf *)`, `Read(*/.claude/*)`, `Write`, `mcp__*`.

A pattern is the name of a tool, or a name and a glob: both as of fnmatch, case-sensitive, and `*`
crosses `/`. The glob is tested against the tool's primary field: the command of Bash, the path of
a file tool, ...; a tool that has none (an MCP tool, say) is tested by its whole input as compact
JSON. The glob of Bash is tested against every simple command that the text runs.

Three questions: `hits`, for guards; `covers`, for whitelists; `undecided`, for a guard that would
have to guess. A pattern names one tool; one of a guard that holds a file back is `widened` first.
"""

import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property

from hookd.core.shell import Shell, read
from hookd.core.shell.flags import Words, words_in
from hookd.core.shell.pattern import CommandPattern, command_patterns

_PATHS = {
    "Read": "file_path",
    "Edit": "file_path",
    "Write": "file_path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
}
_PRIMARY = _PATHS | {
    "Bash": "command",
    "Skill": "skill",
    "Glob": "pattern",
    "Grep": "pattern",
    "WebFetch": "url",
    "Agent": "subagent_type",
    "Task": "subagent_type",
}
_EDITORS = ("Write", "MultiEdit", "NotebookEdit")
_ALIASES = {"Agent": "Task", "Task": "Agent"}
_TOOL = re.compile(r"[\w*?\[\]!.:-]+")


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool, as it is about to be made."""

    name: str
    input: Mapping[str, object]

    @cached_property
    def shell(self) -> Shell:
        """What a call of Bash runs, read once."""
        command = self.primary
        if self.name != "Bash" or command is None:
            return Shell((), "it is no command", None, plain=False)
        return read(command)

    @cached_property
    def words(self) -> tuple[Words, ...]:
        """The simple commands of `shell`, sorted into flags and other words."""
        return tuple(map(words_in, self.shell.commands))

    @cached_property
    def primary(self) -> str | None:
        """The text that a glob is tested against; None if the field is missing or no string."""
        if self.name not in _PRIMARY:
            return json.dumps(
                dict(self.input), ensure_ascii=False, separators=(",", ":"), default=str
            )
        value = self.input.get(_PRIMARY[self.name])
        return value if isinstance(value, str) else None


@dataclass(frozen=True)
class ToolPattern:
    """A parsed pattern; `commands` are the readings of `glob` as a command: any may match.

    `also` are further tools that it means.
    """

    text: str
    tool: str
    glob: str | None = None
    commands: tuple[CommandPattern, ...] = ()
    also: tuple[str, ...] = ()


def parse(text: str) -> ToolPattern:
    """Parse a pattern. ValueError with a sentence for the user if it is none."""
    name, opened, rest = text.strip().partition("(")
    if not name:
        raise ValueError("a pattern begins with the name of a tool, such as Bash or mcp__*")
    if not _TOOL.fullmatch(name):
        raise ValueError(f"{name!r} is not the name of a tool in the pattern {text!r}")
    if not opened:
        return ToolPattern(text, name)
    if not rest.endswith(")"):
        raise ValueError(f"the parenthesis of the pattern {text!r} is not closed at its end")
    glob = rest[:-1].strip()
    if not glob:
        raise ValueError(f"nothing stands in the parentheses of {text!r}: leave them out for all")
    commands = command_patterns(glob) if fnmatchcase("Bash", name) else ()
    return ToolPattern(text, name, glob, commands)


def parsable(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the patterns of an option. ValueError, as of `parse`, for the first bad one."""
    for text in texts:
        parse(text)
    return texts


def widened(pattern: ToolPattern) -> ToolPattern:
    """Return the pattern as a guard means it: `Edit(glob)` is every tool that edits such a file.

    So it is in the client's own permission rules. `Edit` alone stays that one tool.
    """
    files = pattern.tool == "Edit" and pattern.glob is not None
    return replace(pattern, also=_EDITORS) if files else pattern


def hits(pattern: ToolPattern, call: ToolCall) -> bool:
    """Whether the call, or any simple command that it runs, matches."""
    if not _named(pattern, call):
        return False
    if pattern.glob is None:
        return True
    if call.name == "Bash":
        return any(form.hits(words) for form in pattern.commands for words in call.words)
    return any(fnmatchcase(text, pattern.glob) for text in _texts(call))


def covers(pattern: ToolPattern, call: ToolCall, *, strictly: bool = False) -> bool:
    """Whether all that the call does is sure to match.

    A command line must be readable; each of its simple commands must match in every flag and word,
    and nothing may be done besides: no file written, no variable assigned, no function defined. A
    path that climbs (`a/../b`) matches no wildcard. `strictly`: a `*` at the end stands for plain
    words alone, no flags and no words that begin with a sign.
    """
    if not _named(pattern, call):
        return False
    if pattern.glob is None:
        return True
    if call.name == "Bash":
        return (
            call.shell.plain
            and bool(call.words)
            and all(
                any(form.covers(words, strictly=strictly) for form in pattern.commands)
                for words in call.words
            )
        )
    texts = _texts(call)
    fixed = bool(texts) and not texts[0].startswith(("..", "~"))
    return fixed and fnmatchcase(texts[0], pattern.glob)


def undecided(pattern: ToolPattern, call: ToolCall) -> bool:
    """Whether the pattern may match without that being sure, so that somebody must be asked.

    So is a command that cannot be read or whose program is not known, an unknown word that would
    complete a match, a relative path that may lead to one, and a field that is missing.
    """
    if pattern.glob is None or not _named(pattern, call):
        return False
    if call.primary is None:
        return True
    if call.name == "Bash":
        return call.shell.unreadable is not None or any(
            form.may_hit(words) for form in pattern.commands for words in call.words
        )
    return call.name in _PATHS and not hits(pattern, call) and _may_lead(pattern.glob, call.primary)


def _named(pattern: ToolPattern, call: ToolCall) -> bool:
    alias = _ALIASES.get(call.name, call.name)
    if call.name in pattern.also:
        return True
    return fnmatchcase(call.name, pattern.tool) or fnmatchcase(alias, pattern.tool)


def _texts(call: ToolCall) -> tuple[str, ...]:
    """Return the spellings of the primary field that a glob is tested against."""
    if call.primary is None:
        return ()
    if call.name not in _PATHS:
        return (call.primary,)
    path = _normal(call.primary)
    return (path,) if path.startswith("/") else (path, f"./{path}")


def _normal(path: str) -> str:
    normal = posixpath.normpath(path)
    return normal[1:] if normal.startswith("//") else normal


def _may_lead(glob: str, path: str) -> bool:
    """Whether a relative path may match, depending on the folder it starts from."""
    normal = _normal(path)
    if normal.startswith("/"):
        return False
    # The folder takes up some beginning of the glob; a path that climbs may lead anywhere.
    climbs = normal.startswith(("..", "~"))
    return climbs or any(fnmatchcase(f"/{normal}", glob[at:]) for at in range(len(glob)))
