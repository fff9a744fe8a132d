"""Start an effort: one invocation of a skill on a task, a folder.

The task and its project are registered if they are new. With AGENT_ID the agent owns the effort;
the calling session works on it from now on, or else the open windows of the agent (or those of the
project without an owner). If the skill's SKILL.md declares phases, the effort is loading until it
enters the first.
"""

import posixpath
from typing import Any

from pydantic import Field

from hookd.core.efforts.briefing import start_effort, with_queued_files
from hookd.core.efforts.lifecycle import EffortRequest
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, Wire

_KEPT = {"loading", "dehydrating", "loadedFiles"}


class Params(Wire):
    """`taskDir` is absolute; `metadata` may set warnAfter and blockAfter for this effort."""

    task_dir: str = Field(pattern=r"^/[^\x00]*$")
    skill: str = Field(pattern=r"^[A-Za-z0-9._:-]+$", max_length=80)
    mode: str | None = None
    title: str | None = None
    metadata: dict[str, Any] = {}


class Result(Wire):
    """The new effort, the path of its log, and `text` for its model."""

    effort_id: int
    task_dir: str
    ordinal: int
    log_path: str
    phase: str | None
    resumed: bool
    text: str


def where(params: Params, identity: Identity) -> Where:
    """Find the caller's session and project, or the task's."""
    task = posixpath.normpath(params.task_dir)
    return Where(identity, identity.claude_session_id, task_dir=task, cwd=identity.cwd)


def decide(params: Params, facts: Facts) -> Change:
    """Assign the task's next ordinal and bind the sessions."""
    for name in ("warnAfter", "blockAfter"):
        value = params.metadata.get(name, 0)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise DomainError("INVALID_RULE", f"metadata.{name} is a whole number from 0")
    kept = sorted(_KEPT & params.metadata.keys())
    if kept:
        raise DomainError("INVALID_RULE", f"metadata.{kept[0]} is kept by hookd")
    task = posixpath.normpath(params.task_dir)
    wanted = EffortRequest(task, params.skill, params.mode, params.title, params.metadata)
    beginning = start_effort(wanted, facts, resume=False)
    effort = beginning.effort
    result = Result(
        effort_id=effort.id,
        task_dir=task,
        ordinal=effort.ordinal,
        log_path=effort.log_path,
        phase=effort.phase,
        resumed=False,
        text=beginning.text,
    )
    return Change(result, with_queued_files(beginning, facts))


METHOD = ChangeMethod(
    "effort.start",
    Params,
    Result,
    where,
    decide,
    (Example({"taskDir": "/work/orders/pagination", "skill": "implement"}, says="effort 1"),),
)
