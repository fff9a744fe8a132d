"""Home of matchers: the text beside a hook that picks what it is for, read as Claude Code reads it.

None, "" and "*" are everything. A text of nothing but letters, digits and `_ | , - blank` is a list
of exact names, split at `|` and `,`; on StopFailure and FileChanged of letters, digits and `_ |`,
split at `|`. Any other text is a regular expression of JavaScript, unanchored, case-sensitive; of a
name only the first 255 characters are looked at. One that cannot be read never matches. A tool is
known by its older names, too, and where a hook was written for another agent by that agent's names.
"""

import posixpath
import re
from functools import lru_cache

from hookd.events.js_regex import MAX_NAME_CHARS, compile_js
from hookd.events.protocol import EVENTS

OLD_TOOL_NAMES = {
    "Task": "Agent",
    "KillShell": "TaskStop",
    "AgentOutputTool": "TaskOutput",
    "BashOutputTool": "TaskOutput",
}
"""Names that tools had, and what the client calls them now."""

OPTA_TOOL_NAMES = {
    "run_command": "Bash",
    "edit_file": "Edit",
    "write_file": "Write",
    "multi_edit": "MultiEdit",
    "read_file": "Read",
}
"""Opta's names of tools, and the client's."""

_ALL = frozenset({None, "", "*"})
_NARROW = frozenset({"StopFailure", "FileChanged"})
_EXACT = re.compile(r"[A-Za-z0-9_|, -]*")
_EXACT_NARROW = re.compile(r"[A-Za-z0-9_|]*")
_SERVER = re.compile(r"mcp__(?:(?!__).)+")


def current_name(tool: str) -> str:
    """Return what the client calls a tool now."""
    return OLD_TOOL_NAMES.get(tool, tool)


def value_of(event: str, value: object) -> str | None:
    """Return what a matcher is tested against, of the match field's value; None: there is none."""
    if not isinstance(value, str):
        return None
    if event == "FileChanged":
        return posixpath.basename(value)
    spec = EVENTS.get(event)
    switch = spec is not None and spec.match == "to_model"
    return value.removesuffix("[1m]") if switch else value


def accepts(event: str, matcher: str | None, value: object, *, foreign: bool = False) -> bool:
    """Whether the matcher accepts an event whose match field holds `value`.

    `foreign`: the hook was written for an agent that has other names for the client's tools.
    """
    spec = EVENTS.get(event)
    if matcher in _ALL or spec is None or spec.match is None:
        return True
    name = value_of(event, value)
    if name is None or matcher is None:
        return False
    names = _names(name, foreign=foreign) if spec.match == "tool_name" else (name,)
    try:
        rule = _compiled(matcher, event in _NARROW)
    except ValueError:
        return False
    if isinstance(rule, frozenset):
        return not rule.isdisjoint(names)
    return any(rule.search(name[:MAX_NAME_CHARS]) for name in names)


def matcher_problem(event: str, matcher: str | None) -> str | None:
    """Return a sentence where the matcher does not do what it seems to, None where all is well."""
    spec = EVENTS.get(event)
    if matcher in _ALL or matcher is None or spec is None:
        return None
    if spec.match is None:
        return f"{event} has nothing that a matcher is tested against: {matcher!r} is ignored"
    if said := matcher_error(event, matcher):
        return said
    rule = _compiled(matcher, event in _NARROW)
    server = next((name for name in _listed(rule) if _SERVER.fullmatch(name)), None)
    if spec.match == "tool_name" and server:
        return f"{server!r} is a server, no tool: write '{server}__.*' for all of its tools"
    return None


def matcher_error(event: str, matcher: str | None) -> str | None:
    """Return why a matcher cannot be read, so that its hook never runs; None where all is well."""
    spec = EVENTS.get(event)
    if matcher in _ALL or matcher is None or spec is None or spec.match is None:
        return None
    try:
        _compiled(matcher, event in _NARROW)
    except ValueError as error:
        return (
            f"the matcher {matcher!r} never matches: as a regular expression of JavaScript it"
            f" cannot be read: {error}"
        )
    return None


def listed_names(event: str, matcher: str | None) -> list[str]:
    """Return the names in a matcher that is a list of names; none for any other matcher."""
    if matcher in _ALL or matcher is None or matcher_error(event, matcher):
        return []
    return _listed(_compiled(matcher, event in _NARROW))


def _listed(rule: frozenset[str] | re.Pattern[str]) -> list[str]:
    return sorted(rule) if isinstance(rule, frozenset) else []


def _names(tool: str, *, foreign: bool) -> tuple[str, ...]:
    """Return all the names that a tool goes by, its own first."""
    others = OLD_TOOL_NAMES | OPTA_TOOL_NAMES if foreign else OLD_TOOL_NAMES
    now = others.get(tool, tool)
    return tuple(dict.fromkeys((tool, now, *(old for old in others if others[old] == now))))


def _compiled(matcher: str, narrow: bool) -> frozenset[str] | re.Pattern[str]:
    """Return the names, or the expression. ValueError where it is neither."""
    rule = _read(matcher, narrow)
    if isinstance(rule, str):
        raise ValueError(rule)
    return rule


@lru_cache(maxsize=1_024)
def _read(matcher: str, narrow: bool) -> frozenset[str] | re.Pattern[str] | str:
    """Return the same, or why it is neither, so that a bad one is read once, too."""
    if (_EXACT_NARROW if narrow else _EXACT).fullmatch(matcher):
        return frozenset(name.strip() for name in re.split("[|]" if narrow else "[|,]", matcher))
    try:
        return compile_js(matcher)
    except ValueError as error:
        return str(error)
