"""Patches in the dresses in which they arrive, and one evaluation of a call by all policies."""

import posixpath
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from hookd.config.models import PolicyOptions
from hookd.core.model.daemon_state import DaemonState, RuntimeConfig
from hookd.core.model.fact_requests import (
    DirListing,
    FactRequest,
    File,
    FileText,
    Folder,
    MissingFacts,
    RealPath,
    RealPathsOf,
)
from hookd.core.model.facts import Facts, FactValue, Project, Session
from hookd.core.model.identity import Identity
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse, ToolInput
from hookd.pipeline.evaluation import Evaluation, PolicyEngine, evaluate_event
from hookd.policies import POLICIES

T = TypeVar("T")
ROOT, HOME = "/work/shop", "/home/me"
DAEMON = DaemonState(
    pid=4242,
    socket=f"{HOME}/.local/state/hookd/run/hookd.sock",
    database=f"{HOME}/.local/state/hookd/hookd.db",
    log=f"{HOME}/.local/state/hookd/hookd.log",
    settings=f"{HOME}/.config/hookd/settings.json",
    claude=f"{HOME}/.claude",
)
_OFF = frozenset({"heartbeat", "overflow", "non-interactive-env"})


def patch(*lines: str) -> str:
    """Return a patch of these lines."""
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch"))


def add(path: str, *lines: str) -> str:
    """Return the section that adds a file."""
    return "\n".join((f"*** Add File: {path}", *(f"+{line}" for line in lines or ("x",))))


def update(path: str, target: str = "") -> str:
    """Return the section that updates a file, and moves it to a target."""
    moved = [f"*** Move to: {target}"] if target else []
    return "\n".join((f"*** Update File: {path}", *moved, "@@", "-old", "+new"))


def delete(path: str) -> str:
    """Return the section that deletes a file."""
    return f"*** Delete File: {path}"


def in_tool(text: str) -> tuple[str, dict[str, Any]]:
    """Return a patch as Codex's own tool sends it."""
    return "ApplyPatch", {"command": text}


def in_heredoc(text: str) -> tuple[str, dict[str, Any]]:
    """Return a patch as a here-document."""
    return "Bash", {"command": f"apply_patch <<'EOF'\n{text}\nEOF\n"}


def in_argument(text: str) -> tuple[str, dict[str, Any]]:
    """Return a patch as an argument, in a login shell."""
    return "Bash", {"command": f"bash -lc {shlex.quote(f'applypatch {shlex.quote(text)}')}"}


def in_pipe(text: str) -> tuple[str, dict[str, Any]]:
    """Return a patch that is piped in."""
    return "Bash", {"command": f"cat <<'EOF' | apply_patch\n{text}\nEOF\n"}


DRESSES = (in_tool, in_heredoc, in_argument, in_pipe)


@dataclass
class Disk:
    """The facts of an evaluation; `real` are links, `texts` and `folders` are what exists."""

    facts: Facts
    real: Mapping[str, str]
    texts: Mapping[str, str]
    folders: Mapping[str, tuple[str, ...]]

    def answer(self, request: FactRequest) -> FactValue | None:
        """Return a fact that the disk has."""
        if isinstance(request, RealPath):
            path = posixpath.normpath(request.path)
            return self.real.get(path, path)
        if isinstance(request, RealPathsOf):
            return request.paths
        if isinstance(request, DirListing) and request.folder in (*self.folders, ROOT):
            return Folder(request.folder, self.folders.get(request.folder, ()))
        path = posixpath.normpath(request.path) if isinstance(request, FileText) else ""
        return File(path, self.texts[path], "1-1-1") if path in self.texts else None


def disk(
    options: Mapping[str, PolicyOptions] | None = None,
    real: Mapping[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
    folders: Mapping[str, tuple[str, ...]] | None = None,
    **more: Any,
) -> Disk:
    """Return a project on a disk, with these links and files."""
    off = {one.name: one.options(mode="off") for one in POLICIES if one.name in _OFF}
    facts = Facts(
        project=Project(1, ROOT),
        session=Session(1, "s"),
        identity=Identity(home=HOME),
        daemon=DAEMON,
        options={**off, **(options or {})},
    )
    return Disk(replace(facts, **more), real or {}, texts or {}, folders or {})


def evaluated(
    where: Disk,
    call: tuple[str, dict[str, Any]],
    kind: type[ToolInput] = PreToolUse,
    cwd: str = ROOT,
) -> Evaluation:
    """Return the evaluation of a call by all policies; every fact is loaded when it is missing."""
    tool, given = call
    event = kind(hook_event_name=kind.__name__, tool_name=tool, tool_input=given, cwd=cwd)
    engine = PolicyEngine(RuntimeConfig(DAEMON))
    return loaded(where, lambda facts: evaluate_event(engine, event, None, facts))


def loaded(where: Disk, work: Callable[[Facts], T]) -> T:
    """Return what a work results in; each fact that it requests is loaded."""
    facts = where.facts
    while True:
        try:
            return work(facts)
        except MissingFacts as missing:
            facts = facts.with_facts({one: where.answer(one) for one in missing.requests})


def said_by(policy: str, found: Evaluation) -> Opinion:
    """Return what a policy said; an opinion without content if it was silent."""
    return next((one for one in found.opinions if one.rule == policy), Opinion())
