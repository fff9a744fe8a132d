"""Rules to loosen: what a rule asked about several times, and the user always granted."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from hookd.core.guard_rules.rule import Rule
from hookd.events.tool_pattern import ToolCall, covers, parse

_LEAST = 3
"""Questions from which on a rule may be loosened."""

_BY_PATTERN = frozenset({"destructive-guard", "secrets-guard"})
"""Policies with patterns of allowed calls."""

_FIELDS = {"Bash": "command", "NotebookEdit": "notebook_path"}
_FILE_TOOLS = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit"})
_GLOB = frozenset("*?[]\n")
_MAX_CHARS = 299
"""Characters of a call that was not cut."""


class Ask(NamedTuple):
    """A call that a rule asked about at least three times, and that was granted each time.

    `event` is the last event that asked; `allowable`: an allow rule of that event would cover all.
    """

    rule: str
    tool: str
    call: str
    project: str | None
    asked: int
    event: int
    allowable: int


class GuardRow(NamedTuple):
    """A stored guard rule; `source` is its rules file, None: it was set by `hookd guard`."""

    name: str
    scope: str
    project: str | None
    effort: int | None
    rule: str
    layer: str | None
    source: str | None


class Loosening(NamedTuple):
    """A rule that only ever asks about what is granted; `line` is the command that loosens it.

    Without a command, `line` says where the rule is.
    """

    rule: str
    call: str
    project: str | None
    asked: int
    line: str


def loosenings(
    asks: Iterable[Ask], granted: Iterable[tuple[str, int, int]], guards: Iterable[GuardRow]
) -> tuple[Loosening, ...]:
    """Return the rules to loosen, those that asked most first.

    `granted` says how often each rule asked, and how often the call then ran.
    """
    always = {rule: asked for rule, asked, ran in granted if _LEAST <= asked == ran}
    found = [*_of_rules(always, guards), *_of_calls(asks)]
    return tuple(sorted(found, key=lambda one: (-one.asked, one.rule, one.call, one.line)))


def _of_rules(always: Mapping[str, int], guards: Iterable[GuardRow]) -> Iterator[Loosening]:
    for guard in guards:
        line = softer(guard) if guard.name in always else ""
        if line:
            yield Loosening(guard.name, "", guard.project, always[guard.name], line)


def _of_calls(asks: Iterable[Ask]) -> Iterator[Loosening]:
    for ask in asks:
        line = _allow_pattern(ask) or (f"hookd allow {ask.event}" if ask.allowable else "")
        if line:
            yield Loosening(ask.rule, ask.call, ask.project, ask.asked, line)


def _allow_pattern(ask: Ask) -> str:
    """Return the command that allows exactly this call in its project; "" if no pattern can.

    A pattern with a wildcard would allow calls that are denied, and so would a severity.
    """
    if ask.rule not in _BY_PATTERN or len(ask.call) > _MAX_CHARS or _GLOB & set(ask.call):
        return ""
    if ask.tool != "Bash" and ask.tool not in _FILE_TOOLS:
        return ""
    pattern = f"{ask.tool}({ask.call})"
    call = ToolCall(ask.tool, {_FIELDS.get(ask.tool, "file_path"): ask.call})
    try:
        sure = covers(parse(pattern), call, strictly=True)
    except ValueError:
        return ""
    scope = ("--scope", "local", "--project-dir", ask.project) if ask.project else ()
    words = ("hookd", "policy", "set", ask.rule, "allow", "--add", pattern, *scope)
    return shlex.join(words) if sure else ""


def softer(guard: GuardRow) -> str:
    """Return the command that makes a rule tell the model what it asks about now.

    It is "" if the rule does not ask, and names the file of a rule that hookd does not write.
    """
    try:
        rule = Rule.model_validate_json(guard.rule)
    except ValueError:
        return ""
    if rule.urgency != "ask" or rule.softens:
        return ""
    if guard.source is not None and guard.layer != "project":
        return f"edit {guard.source}: {guard.name} may tell instead of ask"
    include, text, more = _taken_apart(rule)
    options = ("--rule", json.dumps(more, ensure_ascii=False)) if more else ()
    words = ("hookd", "guard", "add", guard.name, *include, "--tell", text, *options)
    return shlex.join((*words, *_scope(guard)))


def _taken_apart(rule: Rule) -> tuple[list[str], str, dict[str, Any]]:
    """Return the patterns and the text of a rule, and all that it says besides."""
    said = rule.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    more = {key: value for key, value in said.items() if key not in ("id", "ruleId", "urgency")}
    filters, payload = more.pop("toolFilter", {}), more.pop("payload", {})
    include, text = filters.pop("include", []), payload.pop("text", "")
    parts = {"toolFilter": filters, "payload": payload}
    return include, text, more | {name: part for name, part in parts.items() if part}


def _scope(guard: GuardRow) -> tuple[str, ...]:
    """Return the options that name where a rule applies."""
    if guard.effort is not None:
        return ("--effort", str(guard.effort))
    if guard.project is None:
        return ()
    where = "project" if guard.source is not None else "local"
    return ("--scope", where, "--project-dir", guard.project)
