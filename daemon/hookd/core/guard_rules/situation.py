"""When a guard rule applies: its conditions about the agent, the input, the branch, the session.

An unknown value is never true: the usage of a window that nothing reports, a folder without git.
"""

import json
import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from hookd.core.guard_rules.conditions import size_limit
from hookd.core.model.fact_requests import GitBranch
from hookd.core.model.facts import Facts
from hookd.events.context_usage import Level, levels
from hookd.events.tool_pattern import ToolCall
from hookd.risk.execution import placed_commands
from hookd.risk.model import CallContext
from hookd.risk.pushed_branches import EVERY, switches_in
from hookd.shell.success_chain import chains

MAIN, SUBAGENT = "main", "subagent"

_TEXTS: Mapping[str, tuple[str, ...]] = {
    "Write": ("content",),
    "Edit": ("new_string",),
    "NotebookEdit": ("new_source",),
    "Bash": ("command",),
    "PowerShell": ("command",),
}
"""Fields whose size counts, by tool; of other tools all texts count."""

_MAX_VALUES = 10_000
_PATHS = ("file_path", "notebook_path")

IsSubject = Callable[[ToolCall], bool]
"""Returns whether a rule is about a call, whatever the situation is."""


def agent_fits(globs: Sequence[str], call: ToolCall) -> bool:
    """Return whether the caller is one of these: `main`, `subagent`, or a subagent's type."""
    if not call.agent:
        return MAIN in globs
    return any(glob == SUBAGENT or fnmatchcase(call.agent, glob) for glob in globs)


def context_exceeds(limit: float | Level, facts: Facts) -> bool:
    """Return whether the context window is at least so full."""
    usage = facts.session.context_usage if facts.session else None
    where = levels(facts.options).at(limit) if isinstance(limit, str) else limit
    return usage is not None and usage >= where


def is_larger(limit: str, call: ToolCall) -> bool:
    """Return whether the input of a call has more lines, or characters, than a limit."""
    by_lines, most = size_limit(limit)
    return sum(_lines(text) if by_lines else len(text) for text in _input_texts(call)) > most


def text_field(tool: str) -> str:
    """Return a field of a tool's input whose size counts."""
    return _TEXTS.get(tool, ("text",))[0]


def _lines(text: str) -> int:
    return text.count("\n") + (bool(text) and not text.endswith("\n"))


def _input_texts(call: ToolCall) -> Iterator[str]:
    fields = _TEXTS.get(call.name)
    if fields is not None:
        yield from (text for name in fields if isinstance(text := call.input.get(name), str))
    elif call.name == "MultiEdit":
        edits = call.input.get("edits")
        for one in edits if isinstance(edits, list) else ():
            if isinstance(one, dict) and isinstance(one.get("new_string"), str):
                yield one["new_string"]
    else:
        yield from _all_texts(call.input)


def _all_texts(value: object) -> Iterator[str]:
    todo: list[object] = [value]
    for _ in range(_MAX_VALUES):
        if not todo:
            return
        one = todo.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            todo += one.values()
        elif isinstance(one, list | tuple):
            todo += one
    yield json.dumps(todo, default=str)


def on_branch(
    globs: Sequence[str], call: ToolCall, place: CallContext, is_subject: IsSubject, facts: Facts
) -> bool:
    """Return whether a call works on one of the branches. Raise MissingFacts.

    A text that changes the branch first, `git switch -c x && git commit`, works on that one.
    """
    switched = _switched_first(call, place, is_subject)
    if switched is None:
        folders = tuple(dict.fromkeys(_folders(call, place)))
        facts.require_all(*map(GitBranch, folders))
        names = [name for folder in folders if (name := facts.require(GitBranch(folder)))]
        names += (name for name in switches_in(call, place) if name != EVERY)
    else:
        names = [switched]
    return any(fnmatchcase(name, glob) for name in names for glob in globs)


def _folders(call: ToolCall, place: CallContext) -> Iterator[str]:
    path = next((one for name in _PATHS if isinstance(one := call.input.get(name), str)), None)
    if path is not None:
        folder = posixpath.dirname(place.located(path) or posixpath.join("/", path))
        yield posixpath.normpath(folder)
        return
    if call.name == "Bash":
        for placed in placed_commands(call.shell, place):
            if placed.where == "here":
                yield from (folder for folder in placed.folders if folder)
    if call.cwd:
        yield call.cwd


def _switched_first(call: ToolCall, place: CallContext, is_subject: IsSubject) -> str | None:
    """Return the branch that a text certainly changes to before it does what a rule is about."""
    if call.name != "Bash" or not switches_in(call, place):
        return None
    found = chains(call.primary or "")
    if len(found) != 1:
        return None
    last: str | None = None
    for at, text in enumerate(found[0]):
        one = ToolCall("Bash", {"command": text}, call.cwd, call.agent)
        if names := switches_in(one, place):
            last = names[-1]
        if last is None and is_subject(one):
            return None
        if at == len(found[0]) - 1 and last != EVERY:
            return last
    return None
