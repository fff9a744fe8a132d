"""If-condition of a hook, the key `if`: one permission rule that a tool call must match.

`Tool` and `Tool(*)` match every call of the tool, `mcp__server` and `mcp__server__*` of a server's
tools. A rule is for one tool: `Edit(*.ts)` is not for Write. In the parentheses:

* Bash: a text in which `*` is any text. Every simple command is tested, as its words without
  quotes, joined by blanks: those behind assignments, in `$(...)` and backticks, behind `timeout`,
  in `bash -c`. A command line that cannot be parsed, or whose program is unknown, matches every
  rule; with `$(...)`, backticks or `$VAR` it matches every rule of more than a program's name. It
  is a filter, not a guard: another spelling of a flag does not match.
* Read, Edit, Write, MultiEdit, NotebookEdit: the glob of a path, see `globs`. A patch of Codex
  matches a rule for Edit, Write or ApplyPatch if one of its files does.
* WebFetch: `domain:` and the glob of a host. Agent: its type. Skill: its name, or its name and
  words. Glob, Grep: their pattern. PowerShell is not parsed, so every rule matches.
"""

import re
import shlex
from functools import lru_cache
from urllib.parse import urlsplit

from hookd.events.call_parts import APPLY_PATCH
from hookd.events.matcher import current_name
from hookd.events.tool_pattern import ToolCall
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.shell.commands import Command, Shell
from hookd.shell.globs import GlobRoots, host_fits, path_fits, text_fits

_PATHS = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit"})
_TEXTS = frozenset({"Agent", "Glob", "Grep", "Skill"})
_OF_PATCHES = frozenset({APPLY_PATCH, "Edit", "Write"})
_READ = _PATHS | _TEXTS | {"Bash", "PowerShell", "WebFetch", APPLY_PATCH}
_DOMAIN = "domain:"
_RULE = lazy_compile(r"([A-Za-z_][\w.:-]*|mcp__[\w.:*-]+)(?:\((.*)\))?", re.DOTALL)
_SEVERAL = lazy_compile(rf"\)[\s|&,;]*(?:{'|'.join(sorted(_READ))}|mcp__\w+)\(")
_PROGRAM = lazy_compile(r"[^\s*]*(?: \*|:\*|\*)?")
_LITERAL = lazy_compile(r"\\.|'[^']*'", re.DOTALL)
_EXPANDS = lazy_compile(r"`|\$[\w({@*#?!$-]")


@dataclass(frozen=True)
class Rule:
    """A permission rule; `inside` is the text in its parentheses, None for every call."""

    tool: str
    inside: str | None = None


@lru_cache(maxsize=1_024)
def parse_rule(text: str) -> Rule:
    """Parse a permission rule. Raise ValueError with a sentence for the user."""
    found = _RULE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"the condition {text!r} is no permission rule, such as Bash(git *)")
    tool, inside = current_name(found[1]), found[2]
    if inside is None or inside.strip() in ("", "*"):
        return Rule(tool)
    inside = inside.strip()
    if why := _unfit(tool, inside):
        raise ValueError(f"the condition {text!r} {why}")
    return Rule(tool, inside)


def _unfit(tool: str, inside: str) -> str | None:
    """Return why no call can match the inside of a rule."""
    if _SEVERAL.search(inside):
        return "holds several rules: one is taken, so write a hook for each"
    if tool not in _READ:
        return f"is no rule: {tool} takes nothing in parentheses"
    if tool == "WebFetch" and not inside.removeprefix(_DOMAIN).strip("."):
        return "names no domain"
    if tool == "WebFetch" and not inside.startswith(_DOMAIN):
        return "is no rule: write WebFetch(domain:example.com)"
    if tool in (*_PATHS, APPLY_PATCH) and inside.startswith("!"):
        return "begins with '!': a rule cannot exclude"
    return None


def rule_problem(text: str) -> str | None:
    """Return why the rule is invalid, None if it is valid."""
    try:
        parse_rule(text)
    except ValueError as error:
        return str(error)
    return None


def rule_fits(text: str, call: ToolCall, places: GlobRoots) -> bool:
    """Return whether a call matches a permission rule. An invalid rule never matches."""
    try:
        rule = parse_rule(text)
    except ValueError:
        return False
    tool = current_name(call.name)
    if tool == APPLY_PATCH:
        return rule.tool in _OF_PATCHES and _patches(rule.inside, call, places)
    return any(_named(rule.tool, name) for name in (tool, *call.readings)) and (
        rule.inside is None or _inside_fits(rule.inside, tool, call, places)
    )


def _patches(inside: str | None, call: ToolCall, places: GlobRoots) -> bool:
    """Return whether a file of a patch matches; an unreadable patch matches every rule."""
    paths = [part.primary for part in call.parts if part.name in _OF_PATCHES]
    return inside is None or any(one is None or path_fits(inside, one, places) for one in paths)


def _named(wanted: str, tool: str) -> bool:
    if not wanted.startswith("mcp__"):
        return wanted == tool
    return text_fits(wanted, tool) or tool.startswith(f"{wanted}__")


def _inside_fits(inside: str, tool: str, call: ToolCall, places: GlobRoots) -> bool:
    if tool == "PowerShell":
        return True
    if tool == "Bash":
        return _runs(inside, call.primary, call.shell)
    primary = call.primary
    if primary is None:
        return False
    if tool == "WebFetch":
        return _fetches(inside.removeprefix(_DOMAIN), primary)
    if tool in _PATHS:
        return path_fits(inside, primary, places)
    args = call.input.get("args") if tool == "Skill" else None
    texts = (primary, f"{primary} {args}") if isinstance(args, str) else (primary,)
    return any(text_fits(inside, text) for text in texts)


def _fetches(glob: str, url: str) -> bool:
    try:
        host = urlsplit(url).hostname
    except ValueError:
        return False
    return host is not None and host_fits(glob, host)


def _runs(glob: str, text: str | None, shell: Shell) -> bool:
    """Return whether a command line runs a command that matches the glob, or may run one."""
    if text is None or shell.unreadable is not None or text.strip() == glob:
        return True
    if _PROGRAM.fullmatch(glob) is None and _expands(text, shell):
        return True
    return any(
        _hidden(command) or any(text_fits(form, " ".join(command.words)) for form in _forms(glob))
        for command in shell.commands
    )


def _expands(text: str, shell: Shell) -> bool:
    """Return whether the text has an expansion outside of literals."""
    return _EXPANDS.search(_LITERAL.sub("", text)) is not None or any(
        _EXPANDS.search(word)
        for command in shell.commands
        for hole in command.holes
        for word in command.words[hole.at : hole.at + 1]
    )


def _hidden(command: Command) -> bool:
    """Return whether the program is unknown."""
    return any(hole.at == 0 for hole in command.holes) and not command.argv.program


def _forms(glob: str) -> set[str]:
    """Return the glob, and the glob without quotes as a shell would read it."""
    try:
        return {glob, " ".join(shlex.split(glob))}
    except ValueError:
        return {glob}
