"""Foreseen files: the fact requests that guards will make for a call of a file tool.

They follow from the call alone, so they are loaded before the first evaluation: without them, the
event would be evaluated twice. A request that no guard makes costs a look, and a guard that makes
another one is evaluated again; the verdict is the same.
"""

from hookd.core.model.fact_requests import FileRequest, RealPath
from hookd.core.model.facts import Facts
from hookd.events.model import HookInput, PreToolUse
from hookd.policy_support.call_context import home_of, project_of
from hookd.policy_support.self_guard.protected_files import client_folder, protected_files

_READ = "Read"
_WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
_MAX_PATH_CHARS = 4_096


def foreseen_files(event: HookInput, facts: Facts) -> tuple[FileRequest, ...]:
    """Return what guards will request; `facts` are those known without the database."""
    if not isinstance(event, PreToolUse):
        return ()
    tool, path = event.tool_name, event.call.primary
    if tool != _READ and tool not in _WRITERS:
        return ()
    project = project_of(event, facts)
    if not path or path[0] != "/" or len(path) > _MAX_PATH_CHARS or not project:
        return ()
    real = RealPath(path), RealPath(project)
    if tool == _READ:
        return real
    home = home_of(event, facts)
    return *real, protected_files(facts.daemon, project, home, client_folder(event)).real_paths
