"""Tool patterns: `Bash(rm -rf *)`, `Read(*/.claude/*)`, `Write`, `mcp__*`.

A pattern is the name of a tool, or a name and a glob: both as in fnmatch, case-sensitive, and `*`
crosses `/`. The glob is tested against the tool's primary field: the command of Bash, the path of
a file tool, ...; other tools, such as those of MCP, are tested by their whole input as compact
JSON. The glob of Bash is tested against every simple command that the text runs.

Permission rules of Claude Code are patterns, too: `WebFetch(domain:example.com)`, `mcp__server`,
`Read(//etc/**)`, `Read(~/x)`, `Edit(/src/**)`, `Skill(name *)`, `Agent(model:opus)`. A pattern that
can be read in both ways matches in either.

A patch matches if one of its files does as an edit of its own, and is covered if all are.

Three questions: `matches`, for guards; `covers`, for whitelists; `may_match`, for a guard that
would have to guess. A pattern names one tool; a guard's pattern for files is `widened` first.
"""

import json
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from urllib.parse import urlsplit

from hookd.events.call_parts import APPLY_PATCH, parts_of_patch, patch_text
from hookd.events.matcher import OLD_TOOL_NAMES, current_name
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.shell.argv import Argv
from hookd.shell.command_pattern import CommandPattern, command_patterns
from hookd.shell.commands import Shell, read
from hookd.shell.file_globs import globs
from hookd.shell.globs import GlobRoots, host_fits, path_fits, text_fits

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
    "PowerShell": "command",
    APPLY_PATCH: "command",
}
_STATEMENTS = lazy_compile(r"[;\n\r|&{}()]+")
"""What separates one PowerShell statement from the next, read roughly."""

_SEARCHES = {"Grep": "glob", "Glob": "pattern", "LS": ""}
"""Tools that search the folder or file in their `path`, and their field with a glob of files."""

_ANY_FILE = "\x1f"
"""A file name that only wildcards match: it represents all files of a folder."""

_EDITORS = ("Write", "MultiEdit", "NotebookEdit")
_TOOL = lazy_compile(r"[\w*?\[\]!.:-]+")
_DOMAIN = "domain:"
_PARAMETER = lazy_compile(r"([A-Za-z_]\w*):(.+)", re.DOTALL)
_CANONICAL = frozenset({"command", "file_path", "notebook_path", "path", "url"})
"""Parameters that `Tool(parameter:value)` does not test: they have their own patterns."""

NOWHERE = GlobRoots()


def main_field(tool: str) -> str | None:
    """Return the field of a tool's input that a glob is tested against; None: the whole input."""
    return _PRIMARY.get(tool)


@dataclass(frozen=True)
class ToolCall:
    """One tool call; `cwd` is the folder of relative paths.

    `agent` is the type of the subagent that makes the call, "" for the window's own agent.
    `part_of` is ApplyPatch for a part of a patch, "" for a whole call. `readings` are further names
    that the tool may have: a client's name of an MCP tool may not tell where the server's ends.
    """

    name: str
    input: Mapping[str, object]
    cwd: str = ""
    agent: str = ""
    part_of: str = ""
    readings: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the tool may have, the likely one first."""
        return (self.name, *self.readings)

    @cached_property
    def parts(self) -> "tuple[ToolCall, ...]":
        """The edits of a call of ApplyPatch, each as a call of its own; empty for other tools."""
        if self.name != APPLY_PATCH:
            return ()
        found = parts_of_patch(patch_text(self.input), self.cwd)
        return tuple(
            ToolCall(one.tool, one.input, self.cwd, self.agent, self.name) for one in found
        )

    @cached_property
    def shell(self) -> Shell:
        """The parsed command of a Bash call."""
        command = self.primary
        if self.name != "Bash" or command is None:
            return Shell((), "it is no command", None, side_effect_free=False)
        return read(command)

    @cached_property
    def words(self) -> tuple[Argv, ...]:
        """The simple commands of `shell`, sorted into flags and other words."""
        return tuple(command.argv for command in self.shell.commands)

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

    `also` are further tools that it matches. `texts` are globs for a whole simple command as text.
    """

    text: str
    tool: str
    glob: str | None = None
    commands: tuple[CommandPattern, ...] = ()
    also: tuple[str, ...] = ()
    texts: frozenset[str] = frozenset()


def parse(text: str) -> ToolPattern:
    """Parse a pattern. Raise ValueError with a sentence for the user."""
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
        raise ValueError(f"the parentheses of {text!r} are empty: leave them out for all calls")
    commands = command_patterns(glob) if fnmatchcase("Bash", name) else ()
    return ToolPattern(text, name, glob, commands)


def validated(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the patterns of an option. Raise ValueError for the first invalid one."""
    for text in texts:
        parse(text)
    return texts


def widened(pattern: ToolPattern) -> ToolPattern:
    """Return the pattern for a guard: `Edit(glob)` matches every tool that edits such a file.

    A `*` in the middle of a command may be several words, as in Claude Code's permission rules.
    `Read(glob)` also matches every search there. `Edit` and `Read` alone match only that tool.
    """
    if pattern.glob is None:
        return pattern
    if pattern.commands:
        return replace(pattern, texts=_command_texts(pattern.glob))
    also = {"Edit": _EDITORS, "Read": tuple(_SEARCHES)}.get(pattern.tool, ())
    return replace(pattern, also=also)


@lru_cache(maxsize=1024)
def _command_texts(glob: str) -> frozenset[str]:
    """Return a glob, and the glob without quotes as a shell would read it."""
    return frozenset({glob, " ".join(shlex.split(glob))})


def matches(pattern: ToolPattern, call: ToolCall, places: GlobRoots = NOWHERE) -> bool:
    """Return whether the call, or any simple command that it runs, matches.

    `places` are the folders at which globs of paths are anchored.
    """
    if call.name != APPLY_PATCH:
        return _matches(pattern, call, places)
    return any(_matches(pattern, one, places) for one in call.parts)


def _matches(pattern: ToolPattern, call: ToolCall, places: GlobRoots) -> bool:
    if not _named(pattern, call, call.names):
        return False
    if pattern.glob is None:
        return True
    if call.name in _SEARCHES and call.name in pattern.also:
        return any(matches(pattern, one, places) for one in _reads(call))
    if _parameter_fits(pattern.glob, call):
        return True
    if call.name == "Bash":
        return any(form.hits(words) for form in pattern.commands for words in call.words) or any(
            text_fits(glob, " ".join(command.words))
            for glob in pattern.texts
            for command in call.shell.commands
        )
    texts = (*_texts(call), *_wholes(call, places))
    return any(fnmatchcase(text, pattern.glob) for text in texts) or _permits(
        pattern.glob, call, replace(places, cwd=call.cwd or places.project)
    )


def _permits(glob: str, call: ToolCall, places: GlobRoots) -> bool:
    """Return whether the glob, read as a permission rule of Claude Code, matches the call."""
    text = call.primary
    if text is None:
        return False
    if call.name in _PATHS:
        return path_fits(glob, text, places)
    if call.name == "WebFetch":
        host = host_of(text)
        return glob.startswith(_DOMAIN) and bool(host) and host_fits(glob[len(_DOMAIN) :], host)
    if call.name == "Skill":
        args = call.input.get("args")
        texts = (text, f"{text} {args}") if isinstance(args, str) and args else (text,)
        return any(text_fits(glob, one) for one in texts)
    if call.name == "PowerShell":
        parts = (part.strip().lower() for part in _STATEMENTS.split(text))
        return any(text_fits(glob.lower(), part) for part in parts)
    return False


def host_of(url: str) -> str:
    """Return the host of a URL as a browser reads it; empty if there is none."""
    try:
        return urlsplit(url.strip().replace("\\", "/")).hostname or ""
    except ValueError:
        return ""


def _parameter_fits(glob: str, call: ToolCall) -> bool:
    """Return whether the glob is `parameter:value` and the call has it; `*` is any text."""
    found = _PARAMETER.fullmatch(glob)
    if found is None or found[1] in _CANONICAL or found[1] not in call.input:
        return False
    if call.name == "Bash" and found[2] == "*":
        return False  # an older spelling of `program *`
    value = call.input[found[1]]
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text_fits(found[2], text)


def covers(
    pattern: ToolPattern, call: ToolCall, places: GlobRoots = NOWHERE, *, strictly: bool = False
) -> bool:
    """Return whether everything that the call does certainly matches.

    A command line must be parsed; each of its simple commands must match in every flag and word,
    and have no other effect: no file written, no variable assigned, no function defined. A path
    with `..` (`a/../b`) matches no wildcard. `strictly`: a `*` at the end matches only plain words,
    no flags and no words that begin with a sign. Of several names that a tool may have, a pattern
    without wildcards covers each, any other only the likely one.
    """
    if call.name != APPLY_PATCH:
        return _covers(pattern, call, places, strictly=strictly)
    return all(_covers(pattern, one, places, strictly=strictly) for one in call.parts)


def _covers(pattern: ToolPattern, call: ToolCall, places: GlobRoots, *, strictly: bool) -> bool:
    if not _named(pattern, call, (call.name,)) and pattern.tool not in call.readings:
        return False
    if pattern.glob is None:
        return True
    if call.name == "Bash":
        return (
            call.shell.side_effect_free
            and bool(call.words)
            and all(
                any(form.covers(words, strictly=strictly) for form in pattern.commands)
                for words in call.words
            )
        )
    texts = _texts(call)
    if not texts or texts[0].startswith(("..", "~")):
        return False
    if call.name == "PowerShell":  # not parsed: behind the first statement may be another
        return texts[0] == pattern.glob
    # The model chooses the working folder, so no glob of a whitelist is anchored there.
    fixed = replace(places, cwd="")
    return fnmatchcase(texts[0], pattern.glob) or _permits(pattern.glob, call, fixed)


def may_match(pattern: ToolPattern, call: ToolCall, places: GlobRoots = NOWHERE) -> bool:
    """Return whether the pattern may match without certainty, so that a guard must ask.

    This is a command that cannot be parsed or whose program is unknown, an unknown word that would
    complete a match, a relative path that may lead to one, a URL without a readable host, and a
    missing field.
    """
    if call.name != APPLY_PATCH:
        return _may_match(pattern, call, places)
    return any(_may_match(pattern, one, places) for one in call.parts)


def _may_match(pattern: ToolPattern, call: ToolCall, places: GlobRoots) -> bool:
    if pattern.glob is None or not _named(pattern, call, call.names):
        return False
    if call.name in _SEARCHES and call.name in pattern.also:
        return _globs(call) is None or any(may_match(pattern, one, places) for one in _reads(call))
    if call.primary is None:
        return call.name == "Skill" or _PARAMETER.fullmatch(pattern.glob) is None
    if call.name == "WebFetch" and pattern.glob.startswith(_DOMAIN):
        return not host_of(call.primary)
    if call.name == "Bash":
        return call.shell.unreadable is not None or any(
            form.may_hit(words) for form in pattern.commands for words in call.words
        )
    return (
        call.name in _PATHS
        and not matches(pattern, call, places)
        and _may_lead(pattern.glob, call.primary)
    )


def _reads(call: ToolCall) -> Iterator[ToolCall]:
    """Yield the reads that a search is tested as: its folder, any file there, and its globs."""
    given, named = call.input.get("path"), _globs(call) or ()
    folder = given if isinstance(given, str) and given else "."
    if not folder.startswith("~"):
        folder = posixpath.join(call.cwd, folder)
    if call.name == "Grep":  # a slash in front is the folder's
        named = (*named, *(one.lstrip("/") for one in named if one[0] == "/"))
    for path in (folder, *(posixpath.join(folder, one) for one in (_ANY_FILE, *named))):
        yield ToolCall("Read", {"file_path": path}, call.cwd)


def _globs(call: ToolCall) -> tuple[str, ...] | None:
    """Return the globs of the files that a search reads; None if they are too many."""
    given = call.input.get(_SEARCHES[call.name])
    return globs(given) if isinstance(given, str) else ()


def _named(pattern: ToolPattern, call: ToolCall, names: tuple[str, ...]) -> bool:
    """Return whether a pattern names the tool of a call, by one of these names."""
    if call.name in pattern.also:
        return True
    server = f"{pattern.tool}__"
    if server.startswith("mcp__") and any(name.startswith(server) for name in names):
        return True  # all tools of a server
    now = current_name(call.name)
    older = (old for old, new in OLD_TOOL_NAMES.items() if new == now)
    known = (*names, now, *older, *((call.part_of,) if call.part_of else ()))
    return any(fnmatchcase(name, pattern.tool) for name in known)


def _texts(call: ToolCall) -> tuple[str, ...]:
    """Return the spellings of the primary field that a glob is tested against."""
    if call.primary is None:
        return ()
    if call.name not in _PATHS:
        return (call.primary,)
    path = _normal(call.primary)
    return (path,) if path.startswith("/") else (path, f"./{path}")


def _wholes(call: ToolCall, places: GlobRoots) -> tuple[str, ...]:
    """Return the absolute path of a file that is named from the working or the home folder."""
    path = call.primary if call.name in _PATHS else None
    if not path or path[0] == "/":
        return ()
    if path[:2] == "~/":
        return (_normal(places.home + path[1:]),) if places.home else ()
    return (_normal(posixpath.join(call.cwd, path)),) if call.cwd else ()


def _normal(path: str) -> str:
    normal = posixpath.normpath(path)
    return normal[1:] if normal.startswith("//") else normal


def _may_lead(glob: str, path: str) -> bool:
    """Return whether a relative path may match, depending on its start folder."""
    normal = _normal(path)
    if normal.startswith("/"):
        return False
    # The folder takes up some beginning of the glob; a path that climbs may lead anywhere.
    climbs = normal.startswith(("..", "~"))
    return climbs or any(fnmatchcase(f"/{normal}", glob[at:]) for at in range(len(glob)))
