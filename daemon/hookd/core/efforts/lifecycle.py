"""Effort life cycle: start, bind, resume and finish an effort; the task folder of a skill."""

import posixpath
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from hookd.core.efforts.joining import request_origin
from hookd.core.efforts.skill import Skill
from hookd.core.model.effects.efforts import (
    BindAgent,
    BindSessions,
    FinishEffort,
    OpenTask,
    SetMetadata,
    SetStarter,
    StartEffort,
)
from hookd.core.model.effects.messages import RegisterAgent
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import DirListing, TaskByDir
from hookd.core.model.facts import Effort, Facts
from hookd.core.model.origin import UNKNOWN
from hookd.core.sessions.open_session import project_of
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.redaction.redact import redact

_WORD = lazy_compile(r"[^\W_]+")
_WORDS = 6
_LONGEST = 60
_READ = 2_000
"""Maximum characters of the arguments that are read for a task's name."""


@dataclass(frozen=True, slots=True)
class EffortRequest:
    """A request for an effort: a skill on a task, which is a folder."""

    task_dir: str
    skill: str
    mode: str | None = None
    title: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EffortStart:
    """A started or resumed effort, and the effects."""

    effort: Effort
    effects: tuple[Effect, ...]
    resumed: bool


def begin(
    wanted: EffortRequest, facts: Facts, skill: Skill | None, *, resume: bool = True
) -> EffortStart:
    """Start an effort; with `resume`, resume the active effort of the same skill and task.

    An effort with phases is loading until it enters the first: no calls are counted yet.
    """
    found = facts.require(TaskByDir(wanted.task_dir))
    mine = (None, facts.identity.agent)
    active = [one for one in found.active if one.skill == wanted.skill] if found else []
    active = [effort for effort in active if effort.owner in mine]  # not another agent's
    if active and resume:
        return bind_to_effort(active[0], facts)
    project, opened = project_of(facts, facts.identity.cwd or wanted.task_dir)
    project_id = project.id if project else None
    loading = {"loading": True} if skill and skill.phases else {}
    effort = Effort(
        facts.next.effort,
        wanted.task_dir,
        wanted.skill,
        ordinal=(found.last_ordinal if found else 0) + 1,
        mode=wanted.mode,
        project_id=project_id,
        metadata={**loading, **wanted.metadata},
    )
    title = wanted.title or posixpath.basename(wanted.task_dir)
    new = found is None or not found.known
    effects = (
        *opened,
        *((OpenTask(wanted.task_dir, project_id, title),) if new else ()),
        *_registered(facts),
        _started(effort, facts),
        binding(effort.id, facts, project_id),
    )
    return EffortStart(effort, effects, resumed=False)


def bind_to_effort(effort: Effort, facts: Facts) -> EffortStart:
    """Bind the caller's session and agent to an effort."""
    agent, project_id = facts.identity.agent, facts.project.id if facts.project else None
    owned = (BindAgent(agent, effort.id),) if agent else ()
    where = request_origin(facts)
    here = (SetStarter(effort.id, where),) if where != UNKNOWN else ()
    effects = (*_registered(facts), *owned, *here, binding(effort.id, facts, project_id))
    return EffortStart(effort, effects, resumed=True)


def _registered(facts: Facts) -> tuple[Effect, ...]:
    return (RegisterAgent(facts.identity.agent),) if facts.identity.agent else ()


def _started(effort: Effort, facts: Facts) -> StartEffort:
    return StartEffort(
        effort.id,
        effort.task_dir,
        effort.project_id,
        effort.skill,
        effort.mode,
        effort.ordinal,
        effort.metadata,
        facts.identity.agent,
        request_origin(facts),
    )


def binding(effort_id: int, facts: Facts, project_id: int | None) -> BindSessions:
    """Return the effect that binds the caller's session, or the project's open sessions."""
    asker = facts.session.id if facts.session else None
    return BindSessions(
        effort_id, asker, project_id, facts.identity.agent, request_origin(facts).client
    )


def finish(effort: Effort) -> tuple[Effect, ...]:
    """Return the effects that finish an effort; none if it is finished."""
    return (FinishEffort(effort.id),) if effort.active else ()


def file_root(effort: Effort, facts: Facts) -> str:
    """Return the folder that must contain an effort's files: its project's, or its task's."""
    project = facts.project
    within = project is not None and effort.task_dir.startswith(project.path.rstrip("/") + "/")
    return project.path if project is not None and within else effort.task_dir


def without_flags(effort: Effort, *flags: str) -> tuple[Effect, ...]:
    """Return the effect that removes flags from an effort's metadata, if one is set."""
    if not any(effort.metadata.get(flag) for flag in flags):
        return ()
    left = {key: value for key, value in effort.metadata.items() if key not in flags}
    return (SetMetadata(effort.id, left),)


def task_for(skill: str, args: str, facts: Facts) -> str | None:
    """Return the task folder for a skill that is called with these arguments; None if unknown.

    It is the current task; else the folder that the arguments begin with; else a folder named after
    the arguments, in the folder for tasks. The project's latest effort may be another session's, so
    its task is used only without arguments.
    """
    own = facts.session is not None and facts.session.own_effort
    if facts.effort is not None and (own or not args.strip()):
        return facts.effort.task_dir
    if facts.project is None:
        return None
    first = args[:_READ].split(maxsplit=1)[0] if args[:_READ].split() else ""
    if "/" in first:
        folder = posixpath.normpath(posixpath.join(facts.project.path, redact(first)))
        tasks = posixpath.normpath(posixpath.join(facts.project.path, facts.settings.efforts.tasks))
        if folder.startswith(tasks + "/") and "\0" not in folder:
            return folder
        if there := facts.require(DirListing(folder, facts.project.path)):
            return there.path
    words = (
        _WORD.findall(redact(args[:_READ]).lower())[:_WORDS]
        or _WORD.findall(skill.lower())
        or [skill]
    )
    folder = posixpath.join(facts.project.path, facts.settings.efforts.tasks)
    return posixpath.normpath(posixpath.join(folder, "-".join(words)[:_LONGEST].strip("-")))
