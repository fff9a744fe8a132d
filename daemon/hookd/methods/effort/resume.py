"""Resume an effort: the caller's window, or the open ones, and the agent work on it again."""

import posixpath

from pydantic import Field

from hookd.core.efforts.briefing import resume_effort, with_queued_files
from hookd.core.efforts.slash_command import effort_to_resume
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import own_or_named_effort
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`effortId`, or the newest active one in `taskDir` (of `skill`), or the current one."""

    effort_id: RowId | None = None
    task_dir: str | None = Field(None, pattern=r"^/[^\x00]*$")
    skill: str | None = None


class Result(Wire):
    """The effort, the path of its log, and `text` for its model."""

    effort_id: int
    task_dir: str
    ordinal: int
    log_path: str
    phase: str | None
    resumed: bool
    text: str


def decide(params: Params, facts: Facts) -> Change:
    """Bind sessions and agent. NOT_FOUND, NO_ACTIVE_EFFORT or EFFORT_FINISHED if there is none.

    EFFORT_OWNED if it is another agent's.
    """
    effort = facts.effort
    if params.effort_id is None:
        task = posixpath.normpath(params.task_dir) if params.task_dir else None
        effort = effort_to_resume(task, params.skill, facts)
    if effort is None:
        raise DomainError("NOT_FOUND", f"there is no effort {params.effort_id}")
    if not effort.active:
        raise DomainError("EFFORT_FINISHED", f"effort {effort.id} is finished")
    if facts.identity.agent and effort.owner not in (None, facts.identity.agent):
        raise DomainError("EFFORT_OWNED", f"effort {effort.id} is that of agent {effort.owner}")
    beginning = resume_effort(effort, facts)
    result = Result(
        effort_id=effort.id,
        task_dir=effort.task_dir,
        ordinal=effort.ordinal,
        log_path=effort.log_path,
        phase=effort.phase,
        resumed=True,
        text=beginning.text,
    )
    return Change(result, with_queued_files(beginning, facts))


METHOD = ChangeMethod(
    "effort.resume",
    Params,
    Result,
    own_or_named_effort,
    decide,
    (Example({}, says="NO_ACTIVE_EFFORT"),),
)
