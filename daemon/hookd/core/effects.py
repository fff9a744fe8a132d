"""What a decision causes: a closed union. store/writes.py acts on the rows, files/ on the files.

To cause one more thing, add a dataclass here and to the union; mypy names the place that must act.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Status = Literal["error", "attention", "working", "checked", "idle", "done"]


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


@dataclass(frozen=True, slots=True)
class BindSessions:
    """Open windows work on this effort from now on: one by id, or all of the owner's project.

    With `session_id` None these are the main windows of `project_id` whose owner is `owner`.
    """

    effort_id: int
    session_id: int | None
    project_id: int | None
    owner: str | None


@dataclass(frozen=True, slots=True)
class FinishEffort:
    """An effort ends; agents and open windows let go of it."""

    id: int


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A context window, or a subagent's run, gets its row."""

    id: int
    claude_session_id: str
    agent_id: str | None
    agent_type: str | None
    owner: str | None
    project_id: int | None
    effort_id: int | None
    parent_session_id: int | None
    prev_session_id: int | None
    source: str
    model: str | None
    pid: int | None
    cwd: str | None
    transcript_path: str | None


@dataclass(frozen=True, slots=True)
class EndSession:
    """A window ends, and with it the subagents that ran in it."""

    id: int
    reason: str


@dataclass(frozen=True, slots=True)
class SetHeartbeat:
    """The counter of tool calls since the last log entry takes this value."""

    session_id: int
    count: int
    last_counted: str | None


@dataclass(frozen=True, slots=True)
class SetContextUsage:
    """The share of the window in use, 0.0 to 1.0, and who said so."""

    session_id: int
    usage: float
    source: str
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class SetLoadedFiles:
    """The files that the window has read, in order."""

    session_id: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RegisterAgent:
    """An agent becomes known, or says anew who it is; its status and effort stay."""

    id: str
    claims: str | None = None
    targeted_claims: str | None = None
    manages: str | None = None
    parent: str | None = None
    tmux_pane: str | None = None


@dataclass(frozen=True, slots=True)
class SetAgentStatus:
    """An agent's status changes, caused by the event with this number."""

    id: str
    status: Status
    event_id: int


@dataclass(frozen=True, slots=True)
class AddMessage:
    """A thing said is kept; one with the same `ref` in the same session is kept once."""

    session_id: int | None
    effort_id: int | None
    role: str
    content: str
    tool_name: str | None = None
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class AddGuard:
    """A guard rule is set; one of the same name in the same place is replaced."""

    id: int
    rule_id: str
    scope: Literal["user", "project", "effort"]
    project_id: int | None
    effort_id: int | None
    rule: str  # JSON text


@dataclass(frozen=True, slots=True)
class RemoveGuard:
    """A guard rule is taken away."""

    id: int


@dataclass(frozen=True, slots=True)
class Remember:
    """A policy keeps a value for this session; it finds it in its facts next time."""

    session_id: int
    policy: str
    value: Any


@dataclass(frozen=True, slots=True)
class AppendLog:
    """After the commit: an entry goes to the end of a log file; `title` heads a new one."""

    path: str
    entry: str
    title: str


@dataclass(frozen=True, slots=True)
class StopDaemon:
    """After the answer: the daemon finishes what is in flight and ends."""


RowEffect = (
    OpenProject
    | OpenTask
    | StartEffort
    | BindSessions
    | FinishEffort
    | OpenSession
    | EndSession
    | SetHeartbeat
    | SetContextUsage
    | SetLoadedFiles
    | RegisterAgent
    | SetAgentStatus
    | AddMessage
    | AddGuard
    | RemoveGuard
    | Remember
)
LateEffect = AppendLog | StopDaemon
Effect = RowEffect | LateEffect
