"""Deny overwriting an unread file, once per file; off by default.

Claude Code has a check of its own: Write and Edit fail for a file that the conversation has not
read. This policy works per context window: after a compaction, which the conversation survives, a
file must be read again before it is overwritten, and each subagent must read it itself.

If Write targets a project file that exists, is not empty, and was neither read nor written in this
window, the call is denied and the reason names the alternatives: read or edit the file. The
identical call passes when it is repeated. Files that a resumed window has read count, links are
followed, and a file that hookd gave the window counts as read. A window remembers its last 1,024
files.
"""

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

_FILE_TOOLS = frozenset({"Read", "Write", "Edit", "MultiEdit", "NotebookEdit"})
_MAX_MARKS = 1_024


class Options(PolicyOptions):
    """Files that the policy applies to."""

    mode: Mode = Field("off", description="Off by default: `off`, `warn` or `enforce`.")
    outside: bool = Field(False, description="Apply it to files outside of the project as well.")
    allow: tuple[str, ...] = Field(
        (), description="Globs, as in a gitignore, of files that may be overwritten unread."
    )

    @field_validator("allow")
    @classmethod
    def _globs(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        if any(not glob.strip() for glob in given):
            raise ValueError("a glob needs at least one character")
        return given


def opine(event: ToolInput, facts: Facts, options: Options) -> Opinion | None:
    """Deny the first Write to an unread file; record files that were read or written."""
    session, path = facts.session, event.call.primary
    if session is None or event.tool_name not in _FILE_TOOLS or not path:
        return None
    whole = context_of(event, facts).located(path) or path
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
    """Return whether the window was shown this file; paths are compared as stored, redacted."""
    return redact(path) in {*session.loaded_files, *session.preloaded_files}


def _noted(real: str, session: Session, facts: Facts) -> Opinion | None:
    """Return the effect that records a file; None if it is recorded already."""
    kept = facts.policy_state.get(NAME)
    marks: list[str] = list(kept) if isinstance(kept, list) else []
    mark = sha256(real.encode("utf-8", "replace")).hexdigest()[:16]
    if mark in marks:
        return None
    return Opinion(effects=(Remember(session.id, NAME, [*marks, mark][-_MAX_MARKS:]),))


def _file(event: ToolInput, whole: str, facts: Facts, options: Options) -> File | None:
    """Return the existing file, if the policy applies to it."""
    root = context_of(event, facts).project
    if root is None or any(
        path_fits(glob, whole, GlobRoots(cwd=root, project=root)) for glob in options.allow
    ):
        return None
    return facts.require(FileText(whole, "/" if options.outside else root, max_chars=1))


def _reason(path: str) -> str:
    short = path if len(path) <= 300 else f"{path[:299]}…"
    return (
        f"{NAME}: {short} exists and was not read in this window. Read it, or change a part with"
        " Edit. To overwrite it anyway, repeat the same Write."
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


def _examples() -> tuple[PolicyExample, ...]:
    write = _event(PreToolUse, "Write", "/work/a.py")
    return (
        PolicyExample(write, _facts(), says="deny"),
        PolicyExample(write, _facts(None), says=""),
        PolicyExample(write, _facts(""), says=""),
        PolicyExample(write, _facts(loaded_files=("/work/a.py",)), says=""),
        PolicyExample(_event(PreToolUse, "Edit", "/work/a.py"), _facts(), says=""),
        PolicyExample(_event(PostToolUse, "Edit", "/work/a.py"), _facts(), says="effects"),
        PolicyExample(_event(PostToolUse, "Grep", "/work/a.py"), _facts(), says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=35,
    events=frozenset({"PreToolUse", "PostToolUse"}),
    options=Options,
    on_error="ask",
    profiles=BY_NAME,
    opine=opine,
    by_part=True,
    examples=_examples,
)
