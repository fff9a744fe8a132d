"""Effects on the work: projects, tasks, efforts, their phases and skills."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hookd.core.efforts.skill import Skill
from hookd.core.model.origin import UNKNOWN, Origin


@dataclass(frozen=True, slots=True)
class OpenProject:
    """A root folder becomes known."""

    id: int
    path: str
    name: str


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A folder becomes a task."""

    dir_path: str
    project_id: int | None
    title: str


@dataclass(frozen=True, slots=True)
class StartEffort:
    """An effort begins; where `agent` is given, that agent owns it from now on."""

    id: int
    task_dir: str
    project_id: int | None
    skill: str
    mode: str | None
    ordinal: int
    metadata: Mapping[str, Any]
    agent: str | None
    starter: Origin = UNKNOWN


@dataclass(frozen=True, slots=True)
class SetStarter:
    """An effort is resumed: sessions that begin where this was done may join it."""

    effort_id: int
    starter: Origin


@dataclass(frozen=True, slots=True)
class BindAgent:
    """An agent owns this effort from now on; no other agent does."""

    agent: str
    effort_id: int


@dataclass(frozen=True, slots=True)
class BindSessions:
    """Open windows work on this effort from now on: one by id, or several.

    With `session_id` None these are the main windows of `project_id` whose owner is `owner`; with a
    `client`, only those that run in that process, or whose process is not known.
    """

    effort_id: int
    session_id: int | None
    project_id: int | None
    owner: str | None
    client: str = ""


@dataclass(frozen=True, slots=True)
class FinishEffort:
    """An effort ends; agents and open windows let go of it."""

    id: int


@dataclass(frozen=True, slots=True)
class EnterPhase:
    """An effort stands in a phase from now on. `proof` is of the phase it leaves."""

    effort_id: int
    phase: str
    proof: Mapping[str, Any] | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class SetMetadata:
    """What an effort is to remember, whole: warnAfter, blockAfter, loading, dehydrating, ..."""

    effort_id: int
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SetDirectives:
    """The directive files that were found while an effort was worked on, in order."""

    effort_id: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeepSkill:
    """What a skill's file says is kept; `stamp` tells when the file has changed."""

    project_id: int
    skill: Skill
    path: str
    stamp: str


@dataclass(frozen=True, slots=True)
class DropSkills:
    """What is kept of a project's skills, and of the skill at `path`, is to be read anew."""

    project_id: int | None
    path: str | None = None
