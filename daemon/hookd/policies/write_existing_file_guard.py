"""No file is overwritten unread: Write is held back once where it would; it is off by default.

Claude Code has a check of its own: Write and Edit of a file that the conversation has not read
fail. This one holds for a context window: after a compaction, which the conversation goes on from,
a file is to be read once more before it is written anew, and for a subagent it holds by itself.

Where Write is about a file of the project that is there, is not empty, and was neither read nor
written in this window, the call is denied, with the ways out: to read the file, or to edit it.
Tried again it passes. What a resumed window has read before counts, links are followed, and a file
that a window was given with hookd's texts counts as read. A window keeps the last 1,024 files.
"""

import posixpath
from hashlib import sha256
from typing import Any

from pydantic import Field, field_validator

from hookd.config.models import Mode, PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import File, FileText, RealPath
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import PostToolUse, PreToolUse, ToolInput
from hookd.policy_support.call_context import context_of
from hookd.redaction.redact import redact
from hookd.shell.globs import GlobRoots, path_fits

NAME = "write-existing-file-guard"

_SEES = frozenset({"Read", "Write", "Edit", "MultiEdit", "NotebookEdit"})
_MOST = 1_024


class Options(PolicyOptions):
    """Which files are meant."""

    mode: Mode = Field("off", description="Off until it is switched on: `off`, `warn`, `enforce`.")
    outside: bool = Field(False, description="Whether files outside of the project are meant, too.")
    allow: tuple[str, ...] = Field(
        (), description="Globs, as in a gitignore, of files that may be written unread."
    )

    @field_validator("allow")
    @classmethod
    def _globs(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        if any(not glob.strip() for glob in given):
            raise ValueError("a glob has at least one character")
        return given


def opine(event: ToolInput, facts: Facts, options: Options) -> Opinion | None:
    """Deny a first Write to what was not read; note what was read or written."""
    session, path = facts.session, event.call.primary
    if session is None or event.tool_name not in _SEES or not path:
        return None
    whole = posixpath.join(event.cwd or "/", path)
    if isinstance(event, PostToolUse):
        real = facts.require(RealPath(whole))
        return _noted(real, session, facts) if real else None
    if event.tool_name != "Write" or _known(path, session):
        return None
    file = _file(event, whole, facts, options)
    if file is None or not file.text or _known(file.path, session):
        return None
    noted = _noted(file.path, session, facts)
    return noted and Opinion("deny", _reason(path), effects=noted.effects)


def _known(path: str, session: Session) -> bool:
    """Whether the window has read a file of this name, or was given it; redacted, as it is kept."""
    return redact(path) in {*session.loaded_files, *session.preloaded_files}


def _noted(real: str, session: Session, facts: Facts) -> Opinion | None:
    """Return that a file is known from now on; None where it is already."""
    kept = facts.policy_state.get(NAME)
    marks: list[str] = list(kept) if isinstance(kept, list) else []
    mark = sha256(real.encode("utf-8", "replace")).hexdigest()[:16]
    if mark in marks:
        return None
    return Opinion(effects=(Remember(session.id, NAME, [*marks, mark][-_MOST:]),))


def _file(event: ToolInput, whole: str, facts: Facts, options: Options) -> File | None:
    """Return the file that is there, if it is one that is meant."""
    root = context_of(event, facts).project
    if root is None or any(
        path_fits(glob, whole, GlobRoots(cwd=root, project=root)) for glob in options.allow
    ):
        return None
    return facts.require(FileText(whole, "/" if options.outside else root, max_chars=1))


def _reason(path: str) -> str:
    short = path if len(path) <= 300 else f"{path[:299]}…"
    return (
        f"{NAME}: {short} is there already, and this window has not read it: what is in it would"
        " be lost. Read shows it, and Edit changes a part of it. The same Write passes when it is"
        " tried again."
    )


def _event(kind: type[ToolInput], tool: str, path: str) -> Any:
    given = {"tool_name": tool, "tool_input": {"file_path": path}, "cwd": "/work"}
    return kind.model_validate({**given, "hook_event_name": kind.__name__})


def _facts(text: str | None = "x", **more: Any) -> Facts:
    path = "/work/a.py"
    return Facts(
        project=Project(1, "/work"),
        session=Session(1, "s", **more),
        options={NAME: Options(mode="enforce")},
        resolved={
            FileText(path, "/work", max_chars=1): None
            if text is None
            else File(path, text, "1-1-1"),
            RealPath(path): path,
        },
    )


_WRITE = _event(PreToolUse, "Write", "/work/a.py")

POLICY = Policy(
    name=NAME,
    priority=35,
    events=frozenset({"PreToolUse", "PostToolUse"}),
    options=Options,
    on_error="ask",
    profiles=BY_NAME,
    opine=opine,
    examples=(
        PolicyExample(_WRITE, _facts(), says="deny"),
        PolicyExample(_WRITE, _facts(None), says=""),
        PolicyExample(_WRITE, _facts(""), says=""),
        PolicyExample(_WRITE, _facts(loaded_files=("/work/a.py",)), says=""),
        PolicyExample(_event(PreToolUse, "Edit", "/work/a.py"), _facts(), says=""),
        PolicyExample(_event(PostToolUse, "Edit", "/work/a.py"), _facts(), says="effects"),
        PolicyExample(_event(PostToolUse, "Grep", "/work/a.py"), _facts(), says=""),
    ),
)
