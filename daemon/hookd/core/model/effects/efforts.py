"""Effects on projects, tasks, efforts, phases and skills."""

from collections.abc import Mapping
from typing import Any

from hookd.core.efforts.skill import Skill
from hookd.core.model.origin import UNKNOWN, Origin
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class OpenProject:
    """Register a project by its root folder."""

    id: int
    path: str
    name: str


@dataclass(frozen=True, slots=True)
class SetRepository:
    """Set the root of a project's repository, which is one for all worktrees."""

    project_id: int
    root: str


@dataclass(frozen=True, slots=True)
class OpenTask:
    """Register a task by its folder."""

    dir_path: str
    project_id: int | None
    title: str


@dataclass(frozen=True, slots=True)
class StartEffort:
    """Start an effort; `agent`, if given, becomes its owner."""

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
    """Record where an effort was resumed: sessions that begin there may join it."""

    effort_id: int
    starter: Origin


@dataclass(frozen=True, slots=True)
class BindAgent:
    """Make an agent the only owner of an effort."""

    agent: str
    effort_id: int


@dataclass(frozen=True, slots=True)
class BindSessions:
    """Bind open sessions to an effort: one by id, or several.

    With `session_id` None these are the main sessions of `project_id` whose owner is `owner`; with
    a `client_process`, only those that run in that process, or whose process is unknown.
    """

    effort_id: int
    session_id: int | None
    project_id: int | None
    owner: str | None
    client_process: str = ""


@dataclass(frozen=True, slots=True)
class FinishEffort:
    """Finish an effort; agents and open sessions are unbound from it."""

    id: int


@dataclass(frozen=True, slots=True)
class EnterPhase:
    """Enter a phase of an effort. `proof` belongs to the phase that is left."""

    effort_id: int
    phase: str
    proof: Mapping[str, Any] | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class SetMetadata:
    """Replace an effort's metadata: warnAfter, blockAfter, loading, dehydrating, ..."""

    effort_id: int
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SetDirectives:
    """Store the directive files found during an effort, in order."""

    effort_id: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeepSkill:
    """Store a parsed skill; `stamp` changes with its file."""

    project_id: int
    skill: Skill
    path: str
    stamp: str


@dataclass(frozen=True, slots=True)
class DropSkills:
    """Drop the stored skills of a project, and the skill at `path`, so that they are reread."""

    project_id: int | None
    path: str | None = None
