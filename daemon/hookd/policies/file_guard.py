"""Advise a window that delegates its work to delegate edits too; off by default.

After its first delegated call, such a window is reminded when it is about to change a project file
that is not one of its own: plans, notes, and files in the folder of its task. The call continues.
Subagents are never reminded, and a window at most once every `every` minutes.
"""

import posixpath

from pydantic import Field

from hookd.config.models import Mode, PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Effort, Facts, Project, Session
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.delegation import TOOLS
from hookd.events.model import PreToolUse
from hookd.policy_support.call_context import context_of
from hookd.policy_support.rate_limit import given, lately
from hookd.shell.globs import GlobRoots, path_fits


class Options(PolicyOptions):
    """Files that the window may edit itself, and the interval of reminders."""

    mode: Mode = Field("off", description="Off by default: `off`, `warn` or `enforce`.")
    own: tuple[str, ...] = Field(
        (".hookd/**", ".claude/**", "plans/**", "tasks/**", "*.md"),
        description="Globs, as in a gitignore, of files that the window may edit itself.",
    )
    every: int = Field(
        10, ge=0, description="Minutes between two reminders in a window. 0: at each change."
    )


_NAME = "file-guard"
_EDITORS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})


def opine(event: PreToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Remember that the window delegates; later, tell it of files that are not its own."""
    session, found = facts.session, facts.policy_state.get(_NAME)
    state = found if isinstance(found, dict) else {}
    if session is None or session.agent_id or event.agent_id:
        return None
    if event.tool_name in TOOLS:
        first = Remember(session.id, _NAME, {**state, "delegates": True})
        return None if state.get("delegates") else Opinion(effects=(first,))
    if event.tool_name not in _EDITORS or not state.get("delegates"):
        return None
    path = _foreign(event, facts, options)
    if not path or lately(state, facts, options.every):
        return None
    return Opinion(
        context=f"[hookd:{_NAME}] This window delegates work: consider delegating the change of"
        f" {path[:300]} to a subagent.",
        effects=(Remember(session.id, _NAME, given(state, facts)),),
    )


def _foreign(event: PreToolUse, facts: Facts, options: Options) -> str:
    """Return the path of a file in the project that is not the window's own, else ""."""
    named, cwd = event.call.primary, event.cwd or ""
    root = facts.project.path if facts.project else cwd
    path = posixpath.normpath(context_of(event, facts).located(named or "") or "")
    task = facts.effort.task_dir if facts.effort else ""
    if not named or not _below(path, root) or _below(path, task):
        return ""
    places = GlobRoots(cwd=cwd, project=root)
    return "" if any(path_fits(glob, path, places) for glob in options.own) else path


def _below(path: str, folder: str) -> bool:
    return bool(folder) and path.startswith(folder.rstrip("/") + "/")


def _call(tool: str, path: str = "", **more: object) -> PreToolUse:
    given = {"file_path": path} if path else {"prompt": "Do it.", "description": "Work"}
    event = {"tool_name": tool, "tool_input": given, "cwd": "/work"}
    return PreToolUse.model_validate({**event, **more})


def _facts(**state: object) -> Facts:
    return Facts(
        session=Session(1, "s"),
        project=Project(1, "/work"),
        effort=Effort(1, "/work/demo", "implement"),
        policy_state={_NAME: state} if state else {},
    )


def _examples() -> tuple[PolicyExample, ...]:
    delegates = _facts(delegates=True)
    return (
        PolicyExample(_call("Agent"), _facts(), says="effects"),
        PolicyExample(_call("Agent"), delegates, says=""),
        PolicyExample(_call("Edit", "/work/src/a.py"), delegates, says="context"),
        PolicyExample(_call("Edit", "/work/src/a.py"), _facts(), says=""),
        PolicyExample(_call("Write", "/work/plans/next.txt"), delegates, says=""),
        PolicyExample(_call("Write", "/work/src/README.md"), delegates, says=""),
        PolicyExample(_call("Write", "/work/demo/1_LOG.txt"), delegates, says=""),
        PolicyExample(_call("Edit", "/tmp/a.py"), delegates, says=""),  # noqa: S108
        PolicyExample(_call("Edit", "/work/src/a.py", agent_id="a1"), delegates, says=""),
        PolicyExample(
            _call("Edit", "/work/src/a.py"),
            _facts(delegates=True, at="2026-01-31T07:55:00.000Z"),
            says="",
        ),
    )


POLICY = Policy(
    name=_NAME,
    priority=142,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="silence",
    profiles=BY_NAME,
    opine=opine,
    by_part=True,
    by_reading=True,
    examples=_examples,
)
