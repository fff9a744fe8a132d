"""Facts: the plain values that a decision is based on, read together before it."""

import posixpath
from collections.abc import Mapping
from dataclasses import field, replace
from datetime import UTC, datetime
from typing import Any, overload

from hookd.config.models import PolicyOptions, Settings
from hookd.core.efforts.skill import Skill
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.model import (
    claim_requests,
    fact_requests,
    fleet_requests,
    mail_requests,
    work_requests,
)
from hookd.core.model.claim import Claim, FilePlace, HeldFiles, Stamp
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.identity import Identity
from hookd.core.model.mail import InboxItem, Mail, OpenAgent
from hookd.core.model.membership import Membership
from hookd.core.model.origin import Origin
from hookd.core.model.own_call import OwnCall
from hookd.core.work_items.model import Backlog, Listener, WorkItem
from hookd.lazy_dataclass import dataclass


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
    repository: str | None = None  # the root that its worktrees share; without git, the path

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
    directives: tuple[str, ...] = ()
    owner: str | None = None  # the agent that owns it
    starter: Origin | None = None  # where it was started or resumed last; None: not recorded

    @property
    def active(self) -> bool:
        """Return whether the effort is not finished."""
        return self.lifecycle == "active"

    @property
    def log_path(self) -> str:
        """The path of its log: `<task>/<ordinal>_<SKILL>_LOG.md`."""
        return self.artifact("log")

    def artifact(self, kind: str) -> str:
        """Return the path of an artifact: its log, its plan, or (`debrief`) its result.

        >>> Effort(1, "/work/demo", "implement", ordinal=2).artifact("plan")
        '/work/demo/2_IMPLEMENT_PLAN.md'
        """
        skill = self.skill.rpartition(":")[2].upper()
        name = skill if kind == "debrief" else f"{skill}_{kind.upper()}"
        return posixpath.join(self.task_dir, f"{self.ordinal}_{name}.md")


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
    preloaded_files: tuple[str, ...] = ()
    touched_dirs: tuple[str, ...] = ()
    tool_calls: int = 0
    handover: bool = False  # it saved one
    own_effort: bool = False  # False: its effort is only the project's latest
    cost: float | None = None
    model: str | None = None
    window_tokens: int | None = None
    context_source: str | None = None
    run: str | None = None
    added_dirs: tuple[str, ...] = ()
    status: str = "idle"  # of the window; a subagent's is that of the window it runs in
    branch: str | None = None
    first_prompt: str | None = None
    company: bool = False  # another conversation is open in its repository
    claimed: bool = False  # another conversation, or a person, holds a claim somewhere


@dataclass(frozen=True, slots=True)
class Injection:
    """A text that is queued for a session's model, or that was sent and is not confirmed."""

    id: int
    rule_id: str
    content: str
    path: str | None = None
    offered: bool = False
    offers: int = 0
    priority: str = "normal"  # of mail


@dataclass(frozen=True, slots=True)
class Handover:
    """A session's handover; `offers` counts the sessions it was sent to; `open`: it still runs."""

    session_id: int
    payload: Mapping[str, Any]
    at: str
    offers: int = 0
    open: bool = False


@dataclass(frozen=True, slots=True)
class KnownSkill:
    """A parsed skill, and its file."""

    skill: Skill
    path: str
    stamp: str


@dataclass(frozen=True, slots=True)
class Task:
    """A task: whether it is stored, its last ordinal, its active efforts, newest first."""

    known: bool = False
    last_ordinal: int = 0
    active: tuple[Effort, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt of the user."""

    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Todo:
    """An item of the client's task list: pending, in_progress, completed or deleted."""

    subject: str
    status: str = "pending"


@dataclass(frozen=True, slots=True)
class Agent:
    """A member of the fleet."""

    id: str
    effort_id: int | None = None
    status: str = "idle"


@dataclass(frozen=True, slots=True)
class Guard:
    """A stored guard rule: `rule` is its validated JSON text.

    `root` is the root of the project that it was added for. A rule of a file has its `layer` and,
    as `source`, its path; `loosens`: a person confirmed what it spares from other rules.
    """

    id: int
    rule_id: str
    scope: str
    rule: str
    project_id: int | None = None
    root: str | None = None
    layer: str | None = None
    source: str | None = None
    loosens: bool = False


@dataclass(frozen=True, slots=True)
class Allowance:
    """An allow rule: the guard that a call passes, and the event on which the user allowed it."""

    guard: str
    event: int


@dataclass(frozen=True, slots=True)
class NextIds:
    """The ids of the next rows: exact, because the database has one writer."""

    event: int = 1
    session: int = 1
    effort: int = 1
    project: int = 1
    guard: int = 1


@dataclass(frozen=True, slots=True)
class Stored:
    """The result and the answer of an earlier delivery of the same event, as JSON texts.

    `pending`: the user hooks have not finished, so they are not final.
    """

    result: str
    answer: str | None
    number: int = 0
    pending: bool = False


FactValue = (
    fact_requests.File
    | fact_requests.Folder
    | KnownSkill
    | Task
    | Handover
    | tuple[Prompt, ...]
    | tuple[Injection, ...]
    | tuple[str, ...]
    | tuple[Todo, ...]
    | tuple[fact_requests.SavedState, ...]
    | fact_requests.Spent
    | tuple[fact_requests.OpenSessionRow, ...]
    | fact_requests.Traces
    | tuple[int, ...]
    | tuple[Allowance, ...]
    | tuple[str | None, ...]
    | int
    | str
    | ProjectConfig
    | Origin
    | Effort
    | Session
    | FilePlace
    | Stamp
    | HeldFiles
    | tuple[Claim, ...]
    | Mail
    | tuple[OpenAgent, ...]
    | tuple[InboxItem, ...]
    | tuple[tuple[str, int], ...]
    | WorkItem
    | Backlog
    | tuple[WorkItem, ...]
    | tuple[Listener, ...]
    | tuple[OwnCall, ...]
    | Membership
)
"""Values of fact requests; None if there is no such fact."""

_NO_IDENTITY = Identity()
_DEFAULTS = Settings()
_NO_DAEMON = DaemonState()


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of one decision. Facts that do not exist are None or empty."""

    now: datetime = datetime(2026, 1, 31, 8, tzinfo=UTC)
    identity: Identity = _NO_IDENTITY
    project: Project | None = None
    effort: Effort | None = None
    by_project: bool = False  # the effort is only the latest active one of the project
    session: Session | None = None
    previous: Session | None = None
    agent: Agent | None = None
    guards: tuple[Guard, ...] = ()
    policy_state: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, PolicyOptions] = field(default_factory=dict)
    settings: Settings = _DEFAULTS
    next: NextIds = NextIds()
    replay: Stored | None = None
    parent: Session | None = None
    superseded: tuple[int, ...] = ()
    effort_windows: tuple[int, ...] = ()
    injections: tuple[Injection, ...] = ()
    any_allowances: bool = True  # False: there is no allow rule at all
    any_task_mail: bool = False  # mail to a task may still be delivered
    handover: Handover | None = None  # the pending one, for a new session
    daemon: DaemonState = _NO_DAEMON
    resolved: Mapping[fact_requests.FactRequest, FactValue | None] = field(default_factory=dict)
    shared: Mapping[str, Any] = field(default_factory=dict)  # by policies that ran before
    client: str = ""  # the name of the client that sent the event; "": unknown

    @property
    def at(self) -> str:
        """Now, as it is stored."""
        return iso(self.now)

    @property
    def home(self) -> str:
        """The user's home folder, from the client or from Claude Code's folder; "" if unknown."""
        home, found, _ = f"{self.daemon.claude}/".partition("/.claude/")
        return self.identity.home or (home if found else "")

    @overload
    def require(self, request: fact_requests.FileText) -> fact_requests.File | None: ...
    @overload
    def require(self, request: fact_requests.DirListing) -> fact_requests.Folder | None: ...
    @overload
    def require(
        self, request: fact_requests.SkillByName | fact_requests.SkillByPhase
    ) -> KnownSkill | None: ...
    @overload
    def require(self, request: fact_requests.TaskByDir) -> Task | None: ...
    @overload
    def require(
        self, request: fact_requests.PendingHandover | fact_requests.LastHandover
    ) -> Handover | None: ...
    @overload
    def require(
        self, request: fact_requests.PromptsOfEffort | fact_requests.PromptsOfSession
    ) -> tuple[Prompt, ...] | None: ...
    @overload
    def require(
        self, request: fact_requests.TodosOfEffort | fact_requests.TodosOfSession
    ) -> tuple[Todo, ...] | None: ...
    @overload
    def require(
        self, request: fact_requests.StateOfPolicy
    ) -> tuple[fact_requests.SavedState, ...] | None: ...
    @overload
    def require(self, request: fact_requests.OfferedInjections) -> tuple[Injection, ...] | None: ...
    @overload
    def require(self, request: fact_requests.HookContexts) -> tuple[str, ...] | None: ...
    @overload
    def require(self, request: fact_requests.HooksOfProject) -> ProjectConfig | None: ...
    @overload
    def require(self, request: fact_requests.ProcessOrigin) -> Origin | None: ...
    @overload
    def require(self, request: mail_requests.MailById | mail_requests.MailByKey) -> Mail | None: ...
    @overload
    def require(self, request: mail_requests.InboxOf) -> tuple[InboxItem, ...] | None: ...
    @overload
    def require(self, request: mail_requests.OpenAgents) -> tuple[OpenAgent, ...] | None: ...
    @overload
    def require(self, request: mail_requests.MailTraffic) -> tuple[tuple[str, int], ...] | None: ...
    @overload
    def require(self, request: fact_requests.SessionTraces) -> fact_requests.Traces | None: ...
    @overload
    def require(self, request: fact_requests.LatestEffort) -> Effort | None: ...
    @overload
    def require(
        self, request: fact_requests.SessionsToBind
    ) -> tuple[fact_requests.OpenSessionRow, ...] | None: ...
    @overload
    def require(
        self,
        request: fact_requests.RunOfSession
        | fact_requests.RealPath
        | fact_requests.StateOfSession
        | fact_requests.DecisionRecord
        | fact_requests.GitCopy
        | claim_requests.FileHash
        | fact_requests.GitBranch
        | fact_requests.PromptTyped
        | fact_requests.CallerReason,
    ) -> str | None: ...
    @overload
    def require(
        self, request: fact_requests.AllowancesForCall | fact_requests.AllowancesOfEvent
    ) -> tuple[Allowance, ...] | None: ...
    @overload
    def require(
        self,
        request: fact_requests.WindowsOfRun | fact_requests.WindowsOfAgent,
    ) -> tuple[int, ...] | None: ...
    @overload
    def require(
        self,
        request: fact_requests.ExistingPaths
        | fact_requests.ArchiveMembers
        | fact_requests.CallsThatRan,
    ) -> tuple[str, ...] | None: ...
    @overload
    def require(self, request: work_requests.BacklogOf) -> Backlog | None: ...
    @overload
    def require(
        self, request: work_requests.WorkItemById | work_requests.WorkItemByKey
    ) -> WorkItem | None: ...
    @overload
    def require(self, request: work_requests.WorkListeners) -> tuple[Listener, ...] | None: ...
    @overload
    def require(self, request: work_requests.WorkTakenBy) -> tuple[WorkItem, ...] | None: ...
    @overload
    def require(self, request: fact_requests.CallerSession) -> Session | None: ...
    @overload
    def require(self, request: work_requests.OwnCallsOf) -> tuple[OwnCall, ...] | None: ...
    @overload
    def require(self, request: fleet_requests.FleetMembership) -> Membership | None: ...
    @overload
    def require(self, request: fleet_requests.KnownItems) -> tuple[str, ...] | None: ...
    @overload
    def require(self, request: fact_requests.Spending) -> fact_requests.Spent | None: ...
    @overload
    def require(self, request: claim_requests.StampOfFile) -> Stamp | None: ...
    @overload
    def require(self, request: claim_requests.PlaceOfFile) -> FilePlace | None: ...
    @overload
    def require(self, request: claim_requests.FilesHeld) -> HeldFiles | None: ...
    @overload
    def require(self, request: claim_requests.OpenClaims) -> tuple[Claim, ...] | None: ...
    @overload
    def require(self, request: fact_requests.RealPathsOf) -> tuple[str | None, ...] | None: ...
    @overload
    def require(
        self,
        request: fact_requests.CanaryCount
        | fact_requests.OpenTodos
        | mail_requests.NextMail
        | fleet_requests.WaitingRows,
    ) -> int | None: ...

    def require(self, request: fact_requests.FactRequest) -> FactValue | None:
        """Return the fact, None if there is none. Raise MissingFacts if it was not loaded.

        The caller loads it then, and retries the decision.
        """
        self.require_all(request)
        return self.resolved[request]

    def require_all(self, *requests: fact_requests.FactRequest) -> None:
        """Raise MissingFacts with all requests that were not loaded, to load them together."""
        missing = [request for request in requests if request not in self.resolved]
        if missing:
            raise fact_requests.MissingFacts(*missing)

    def with_facts(self, more: Mapping[fact_requests.FactRequest, FactValue | None]) -> "Facts":
        """Return the facts with further resolved requests."""
        return replace(self, resolved={**self.resolved, **more}) if more else self
