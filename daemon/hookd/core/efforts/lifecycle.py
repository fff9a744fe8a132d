"""How an effort begins, goes on or ends: at the terminal, by a skill, by a phase, by its tasks."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
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
from hookd.redaction.redact import redact

_WORD = re.compile(r"[^\W_]+")
_WORDS = 6
_LONGEST = 60
_READ = 2_000
"""Characters of what was typed that a task is named after at most."""


@dataclass(frozen=True, slots=True)
class EffortRequest:
    """An effort that somebody wants to work on: a skill on a task, a folder."""

    task_dir: str
    skill: str
    mode: str | None = None
    title: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EffortStart:
    """The effort that is worked on from now on, and what makes it so."""

    effort: Effort
    effects: tuple[Effect, ...]
    resumed: bool


def begin(
    wanted: EffortRequest, facts: Facts, skill: Skill | None, *, resume: bool = True
) -> EffortStart:
    """Begin an effort, or with `resume` go on with the one of the same skill that is active there.

    While a skill with phases has not entered its first one it is loading: nothing is counted yet.
    """
    found = facts.require(TaskByDir(wanted.task_dir))
    mine = (None, facts.identity.agent)
    active = [one for one in found.active if one.skill == wanted.skill] if found else []
    active = [one for one in active if one.owner in mine]  # nobody takes another agent's work
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
    """Go on with an effort: the asker's window and agent work on it from now on."""
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
    """Return the effect that binds the asker's session, or the project's open ones."""
    asker = facts.session.id if facts.session else None
    return BindSessions(
        effort_id, asker, project_id, facts.identity.agent, request_origin(facts).client
    )


def finish(effort: Effort) -> tuple[Effect, ...]:
    """Return what ends an effort; nothing where it has ended already."""
    return (FinishEffort(effort.id),) if effort.active else ()


def file_root(effort: Effort, facts: Facts) -> str:
    """Return the folder that an effort's files may not lead out of: its project, or its task's."""
    project = facts.project
    within = project is not None and effort.task_dir.startswith(project.path.rstrip("/") + "/")
    return project.path if project is not None and within else effort.task_dir


def without_flags(effort: Effort, *flags: str) -> tuple[Effect, ...]:
    """Return the effect that takes flags from an effort's metadata, where one of them is set."""
    if not any(effort.metadata.get(flag) for flag in flags):
        return ()
    left = {key: value for key, value in effort.metadata.items() if key not in flags}
    return (SetMetadata(effort.id, left),)


def task_for(skill: str, args: str, facts: Facts) -> str | None:
    """Return the folder of the task that a skill, called with these words, is about.

    It is the task in hand; else the folder that the words begin with; else the one that they name,
    below the folder for tasks. A window whose effort is but the project's latest, maybe another
    window's, has none in hand: there the words decide.
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
