"""Matchers: the text of a hook that selects tools or other values, with Claude Code's semantics.

None, "" and "*" match everything. A text of only letters, digits and `_ | , - space` is a list of
exact names, split at `|` and `,`; on StopFailure and FileChanged of letters, digits and `_ |`,
split at `|`. Any other text is a regular expression of JavaScript, unanchored, case-sensitive; only
the first 255 characters of a name are matched. An invalid one never matches. A tool also has its
older names, and for a hook that was written for another agent that agent's names. ApplyPatch is
matched by `Edit` and `Write`, too, but not by `MultiEdit`, as in Codex.
"""

import posixpath
import re
from functools import lru_cache

from hookd.events.call_parts import APPLY_PATCH
from hookd.events.js_regex import MAX_NAME_CHARS, compile_js
from hookd.events.protocol import EVENTS
from hookd.lazy_pattern import lazy_compile

OLD_TOOL_NAMES = {
    "Task": "Agent",
    "KillShell": "TaskStop",
    "AgentOutputTool": "TaskOutput",
    "BashOutputTool": "TaskOutput",
}
"""Former names of tools, and their current names."""

PATCH_NAMES = ("apply_patch", "Edit", "Write")
"""Further names that Codex tests matchers against for its tool of patches."""

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
_EXACT = lazy_compile(r"[A-Za-z0-9_|, -]*")
_EXACT_NARROW = lazy_compile(r"[A-Za-z0-9_|]*")
_SERVER = lazy_compile(r"mcp__(?:(?!__).)+")


def current_name(tool: str) -> str:
    """Return the current name of a tool."""
    return OLD_TOOL_NAMES.get(tool, tool)


def value_of(event: str, value: object) -> str | None:
    """Return the text that a matcher is tested against, from the match field; None without one."""
    if not isinstance(value, str):
        return None
    if event == "FileChanged":
        return posixpath.basename(value)
    spec = EVENTS.get(event)
    switch = spec is not None and spec.match == "to_model"
    return value.removesuffix("[1m]") if switch else value


def accepts(
    event: str,
    matcher: str | None,
    value: object,
    *,
    foreign: bool = False,
    readings: tuple[str, ...] = (),
) -> bool:
    """Return whether the matcher accepts an event with this value in its match field.

    `foreign`: the hook was written for an agent with other names for the client's tools. `readings`
    are further names that a tool may have.
    """
    spec = EVENTS.get(event)
    if matcher in _ALL or spec is None or spec.match is None:
        return True
    name = value_of(event, value)
    if name is None or matcher is None:
        return False
    names: tuple[str, ...] = (name,)
    if spec.match == "tool_name":
        names = (*_names(name, foreign=foreign), *readings)
    try:
        rule = _compiled(matcher, event in _NARROW)
    except ValueError:
        return False
    if isinstance(rule, frozenset):
        return not rule.isdisjoint(names)
    return any(rule.search(name[:MAX_NAME_CHARS]) for name in names)


def matcher_problem(event: str, matcher: str | None) -> str | None:
    """Return a sentence if the matcher does not work as it looks, else None."""
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
    """Return why a matcher is invalid, so that its hook never runs; None if it is valid."""
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
    """Return the names in a matcher that is a list of names; empty for any other matcher."""
    if matcher in _ALL or matcher is None or matcher_error(event, matcher):
        return []
    return _listed(_compiled(matcher, event in _NARROW))


def _listed(rule: frozenset[str] | re.Pattern[str]) -> list[str]:
    return sorted(rule) if isinstance(rule, frozenset) else []


def _names(tool: str, *, foreign: bool) -> tuple[str, ...]:
    """Return all names of a tool, the given one first."""
    others = OLD_TOOL_NAMES | OPTA_TOOL_NAMES if foreign else OLD_TOOL_NAMES
    now = others.get(tool, tool)
    if tool == APPLY_PATCH:
        return (tool, *PATCH_NAMES)
    return tuple(dict.fromkeys((tool, now, *(old for old in others if others[old] == now))))


def _compiled(matcher: str, narrow: bool) -> frozenset[str] | re.Pattern[str]:
    """Return the names, or the regular expression. Raise ValueError if it is invalid."""
    rule = _read(matcher, narrow)
    if isinstance(rule, str):
        raise ValueError(rule)
    return rule


@lru_cache(maxsize=1_024)
def _read(matcher: str, narrow: bool) -> frozenset[str] | re.Pattern[str] | str:
    """Return the same, or the error as text, so that an invalid matcher is cached too."""
    if (_EXACT_NARROW if narrow else _EXACT).fullmatch(matcher):
        return frozenset(name.strip() for name in re.split("[|]" if narrow else "[|,]", matcher))
    try:
        return compile_js(matcher)
    except ValueError as error:
        return str(error)
