"""What a decision may know: plain values, read in one go before anything is decided."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from hookd.core.identity import Identity
from hookd.core.options import PolicyOptions


def iso(moment: datetime) -> str:
    """Return `moment` as it is stored: UTC, ISO-8601, milliseconds.

    >>> iso(datetime(2026, 1, 31, 8, tzinfo=UTC))
    '2026-01-31T08:00:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Project:
    """A root folder known to hookd."""

    id: int
    path: str

    @property
    def name(self) -> str:
        """The last part of the path."""
        return posixpath.basename(self.path) or self.path


@dataclass(frozen=True, slots=True)
class Effort:
    """One invocation of a skill on a task; `metadata` holds warnAfter, blockAfter, loading, ..."""

    id: int
    task_dir: str
    skill: str
    ordinal: int = 1
    mode: str | None = None
    lifecycle: str = "active"
    phase: str | None = None
    project_id: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def active(self) -> bool:
        """Whether work may still go on under it."""
        return self.lifecycle == "active"

    @property
    def log_path(self) -> str:
        """Where its log stands: `<task>/<ordinal>_<SKILL>_LOG.md`."""
        return posixpath.join(self.task_dir, f"{self.ordinal}_{self.skill.upper()}_LOG.md")


@dataclass(frozen=True, slots=True)
class Session:
    """One context window, or a subagent's run (then `agent_id` is set)."""

    id: int
    claude_session_id: str
    agent_id: str | None = None
    owner: str | None = None
    project_id: int | None = None
    effort_id: int | None = None
    parent_session_id: int | None = None
    source: str = "startup"
    heartbeat_counter: int = 0
    last_counted: str | None = None
    context_usage: float | None = None
    loaded_files: tuple[str, ...] = ()
    ended_at: str | None = None


@dataclass(frozen=True, slots=True)
class Agent:
    """A member of the fleet."""

    id: str
    effort_id: int | None = None
    status: str = "idle"


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard rule as it was set: `rule` is its JSON text and has passed validation."""

    id: int
    rule_id: str
    scope: str
    rule: str
    project_id: int | None = None


@dataclass(frozen=True, slots=True)
class NextIds:
    """The numbers that the next rows will get: exact, since one writer owns the database."""

    event: int = 1
    session: int = 1
    effort: int = 1
    project: int = 1
    guard: int = 1


@dataclass(frozen=True, slots=True)
class Stored:
    """The result and the answer that an earlier delivery of the same event got, as JSON texts."""

    result: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class Daemon:
    """The running daemon, for those who ask how it is."""

    pid: int = 0
    version: str = ""
    started_at: str = ""
    socket: str = ""
    database: str = ""
    log: str = ""
    settings: str = ""
    problem: str = ""  # why the user's settings do not hold, where they cannot be used


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known without asking the database, and holds until the daemon ends."""

    daemon: Daemon = Daemon()
    options: Mapping[str, PolicyOptions] = field(default_factory=dict)
    share_efforts: bool = False


_NOBODY = Identity()


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything one decision may know. What could not be resolved is None or empty."""

    now: datetime = datetime(2026, 1, 31, 8, tzinfo=UTC)
    identity: Identity = _NOBODY
    project: Project | None = None
    effort: Effort | None = None
    session: Session | None = None
    previous: Session | None = None
    agent: Agent | None = None
    guards: tuple[Guard, ...] = ()
    policy_state: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, PolicyOptions] = field(default_factory=dict)
    next: NextIds = NextIds()
    replay: Stored | None = None
    parent: Session | None = None
    superseded: tuple[int, ...] = ()
    effort_windows: tuple[int, ...] = ()
    last_ordinal: int = 0
    task_known: bool = False
    daemon: Daemon = Daemon()

    @property
    def at(self) -> str:
        """Now, as it is stored."""
        return iso(self.now)
