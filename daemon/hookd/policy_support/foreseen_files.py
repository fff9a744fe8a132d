"""Foreseen files: the fact requests that guards will make for a call of a file tool or of Bash.

They follow from the call alone, so they are loaded before the first evaluation: without them, the
event would be evaluated twice. A request that no guard makes costs a look, and a guard that makes
another one is evaluated again; the verdict is the same.
"""

import posixpath
from collections.abc import Iterator, Mapping

from hookd.core.model.fact_requests import FileRequest, GitCopy, RealPath
from hookd.core.model.facts import Facts
from hookd.events.model import HookInput, PreToolUse, ToolInput
from hookd.policy_support.call_context import context_of, home_of, project_of
from hookd.policy_support.judged_calls import judged_calls, may_have_parts
from hookd.policy_support.recoverable_files import requests_of
from hookd.policy_support.self_guard.protected_files import client_folder, protected_files
from hookd.risk.data_files import is_backup, is_data_file
from hookd.risk.model import CallContext
from hookd.risk.rules.writes import write_risk
from hookd.risk.secrets.tool_paths import read_by_name
from hookd.risk.written_files import touched_files
from hookd.shell.argv import Item

_READ = "Read"
_WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
_MAX_PATH_CHARS = 4_096
_MAX_COMMAND_CHARS = 1_000
"""Length of a command up to which it is parsed here: no time limit interrupts this."""

_MAX_DOCUMENT_CHARS = 12_000
"""The same if a here-document begins before that: most of such a command is no code."""

_MAX_PATHS = 32
_MAX_PARTS = 16
"""Parts of a patch whose files are loaded before its evaluation."""


def foreseen_files(event: HookInput, facts: Facts) -> tuple[FileRequest, ...]:
    """Return what guards will request; `facts` are those known without the database."""
    if not isinstance(event, PreToolUse):
        return ()
    if may_have_parts(event):
        if any(map(_is_long, _commands(event.tool_input))):
            return ()
        parts = judged_calls(event, facts)[:_MAX_PARTS]
        return tuple(dict.fromkeys(want for one in parts for want in _of_call(one.event, facts)))
    return _of_call(event, facts)


def _commands(given: Mapping[str, object]) -> Iterator[object]:
    """Yield the command of a call, and those of the calls that it carries."""
    yield given.get("command")
    calls = given.get("calls")
    for call in calls if isinstance(calls, list) else ():
        inner = call.get("tool_input") if isinstance(call, dict) else None
        yield inner.get("command") if isinstance(inner, dict) else None


def _of_call(event: ToolInput, facts: Facts) -> tuple[FileRequest, ...]:
    project = project_of(event, facts)
    if not project:
        return ()
    if event.tool_name == "Bash":
        return _of_command(event, facts, project)
    if event.tool_name == _READ or event.tool_name in _WRITERS:
        return _of_file(event, facts, project)
    return ()


def _of_file(event: ToolInput, facts: Facts, project: str) -> tuple[FileRequest, ...]:
    path = context_of(event, facts).located(event.call.primary or "")
    if not path or len(path) > _MAX_PATH_CHARS:
        return ()
    real = RealPath(path), RealPath(project)
    if event.tool_name == _READ:
        return real
    outside = not path.startswith(f"{project}/")
    kept = _copies(path, context_of(event, facts), project) if outside else ()
    return *real, _protected(event, facts, project), *kept


def _of_command(event: ToolInput, facts: Facts, project: str) -> tuple[FileRequest, ...]:
    """Return the real paths of the files that a command names to read or change them."""
    command = event.call.primary or ""
    if not command or _is_long(command) or event.call.shell.unreadable:
        return ()
    shell, place = event.call.shell, context_of(event, facts)
    changed = (one for one in touched_files(shell, place, command) if one.how != "reads")
    written = dict.fromkeys(path for one in changed for path in one.paths)
    read = read_by_name(shell, place)
    if len(written) + len(read) > _MAX_PATHS:
        return ()
    own = (_protected(event, facts, project),) if written else ()
    root = (RealPath(project),) if read else ()
    kept = dict.fromkeys(copy for path in written for copy in _copies(path, place, project))
    return *map(RealPath, dict.fromkeys((*written, *read))), *root, *own, *kept


def _is_long(command: object) -> bool:
    """Return whether a command, or a patch, is too long to be parsed before its evaluation."""
    if not isinstance(command, str) or len(command) <= _MAX_COMMAND_CHARS:
        return False
    document = "<<" in command[:_MAX_COMMAND_CHARS] or command.lstrip().startswith("*** Begin")
    return not document or len(command) > _MAX_DOCUMENT_CHARS


def _copies(path: str, place: CallContext, project: str) -> Iterator[FileRequest]:
    """Yield what the guard asks of a file that is written: a data file, or one outside."""
    whole = posixpath.normpath(path)
    if whole.startswith(f"{project}/"):
        name = posixpath.basename(whole)
        if is_data_file(name) or is_backup(name):
            yield GitCopy(whole)
    elif not whole.startswith(place.scratch) and (risk := write_risk(Item(whole, 0), place)):
        yield from requests_of(risk)


def _protected(event: ToolInput, facts: Facts, project: str) -> FileRequest:
    """Return the request for the real paths of the protected files."""
    home = home_of(event, facts)
    return protected_files(facts.daemon, project, home, client_folder(event)).real_paths
