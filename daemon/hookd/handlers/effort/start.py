"""Start an effort: one invocation of a skill on a task, a folder.

The task and its project become known where they are not. With AGENT_ID the agent owns the effort;
the session that asks, or else the agent's (or the project's unowned) open windows, work on it from
now on.
"""

import posixpath
from typing import Any

from pydantic import Field

from hookd.core.effects import BindSessions, Effect, OpenTask, RegisterAgent, StartEffort
from hookd.core.errors import DomainError
from hookd.core.facts import Facts
from hookd.core.identity import Identity, Where
from hookd.core.method import Change, ChangeMethod, Example, Wire
from hookd.core.windows import project_of


class Params(Wire):
    """`taskDir` is absolute; `metadata` may set warnAfter and blockAfter for this effort."""

    task_dir: str = Field(pattern=r"^/[^\x00]*$")
    skill: str = Field(pattern=r"^[A-Za-z0-9._:-]+$", max_length=80)
    mode: str | None = None
    title: str | None = None
    metadata: dict[str, Any] = {}


class Result(Wire):
    """The new effort and where its log goes."""

    effort_id: int
    task_dir: str
    ordinal: int
    log_path: str


def where(params: Params, identity: Identity) -> Where:
    """Find the task, the asker's session and project."""
    task = posixpath.normpath(params.task_dir)
    return Where(identity, identity.claude_session_id, task_dir=task, cwd=identity.cwd)


def decide(params: Params, facts: Facts) -> Change:
    """Give it the task's next ordinal and bind who works on it."""
    task, agent = posixpath.normpath(params.task_dir), facts.identity.agent
    for name in ("warnAfter", "blockAfter"):
        value = params.metadata.get(name, 0)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise DomainError("INVALID_RULE", f"metadata.{name} is a whole number from 0")
    project, effects = project_of(facts, facts.identity.cwd or task)
    project_id = project.id if project else None
    started: list[Effect] = [*effects]
    if not facts.task_known:
        started.append(OpenTask(task, project_id, params.title or posixpath.basename(task)))
    if agent:
        started.append(RegisterAgent(agent))
    ordinal, number = facts.last_ordinal + 1, facts.next.effort
    started.append(
        StartEffort(
            number, task, project_id, params.skill, params.mode, ordinal, params.metadata, agent
        )
    )
    asker = facts.session.id if facts.session else None
    started.append(BindSessions(number, asker, project_id, agent))
    log = posixpath.join(task, f"{ordinal}_{params.skill.upper()}_LOG.md")
    result = Result(effort_id=number, task_dir=task, ordinal=ordinal, log_path=log)
    return Change(result, tuple(started))


METHOD = ChangeMethod(
    "effort.start",
    Params,
    Result,
    where,
    decide,
    (Example({"taskDir": "/work/orders/pagination", "skill": "implement"}, says="effort 1"),),
)
