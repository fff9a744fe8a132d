"""Fact requests: facts that a decision may need beyond those of every event: a file, a skill, ...

A decision that needs such a fact calls `facts.require`. A fact that is not loaded yet raises
`MissingFacts`; it is loaded, and the decision is retried. So a decision stays a pure function, and
only needed facts are read.
"""

from datetime import datetime
from typing import Any, Literal

from hookd.core.model.claim_requests import (
    FileHash,
    FilesHeld,
    OpenClaims,
    PlaceOfFile,
    StampOfFile,
)
from hookd.core.model.fleet_requests import FleetRequest
from hookd.core.model.mail_requests import MailRequest
from hookd.core.model.work_requests import WorkRequest
from hookd.lazy_dataclass import dataclass

TEXT_LIMIT = 50_000
"""Maximum characters of a file that are read, unless fewer are requested."""


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's text. The file must be inside `root`, symlinks resolved.

    Of a longer file the first `max_chars` characters are read, with `tail` the last ones.
    """

    path: str
    root: str
    max_chars: int = TEXT_LIMIT
    tail: bool = False


@dataclass(frozen=True, slots=True)
class DirListing:
    """The names of the files in a folder, which must be inside `root`, symlinks resolved."""

    folder: str
    root: str


@dataclass(frozen=True, slots=True)
class RealPath:
    """The real path of an absolute path, symlinks resolved as far as the path exists."""

    path: str


@dataclass(frozen=True, slots=True)
class RealPathsOf:
    """The real paths of absolute paths, in order; None for a path that cannot be resolved."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExistingPaths:
    """Which of these relative paths exist in a folder, in order; symlinks are resolved."""

    folder: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArchiveMembers:
    """The names of the files in an archive, or the header lines of a patch.

    Only names that contain `containing`, in lower case, are returned; a folder's name ends in `/`.
    None: the file does not exist, or cannot be listed in full.
    """

    path: str
    kind: Literal["archive", "patch", "folder"]
    containing: str


@dataclass(frozen=True, slots=True)
class GitBranch:
    """The git branch of a folder, or the abbreviated commit; None without git."""

    folder: str


@dataclass(frozen=True, slots=True)
class GitCopy:
    """Whether git has a copy of the file at an absolute path, symlinks resolved.

    `same`: its content is in the index; `absent`: there is no such file; `none`: neither.
    """

    path: str


@dataclass(frozen=True, slots=True)
class SkillByName:
    """The stored skill of a project with this name."""

    project_id: int
    name: str


@dataclass(frozen=True, slots=True)
class SkillByPhase:
    """The only stored skill of a project that has a phase with this label or name."""

    project_id: int
    phase: str


@dataclass(frozen=True, slots=True)
class TaskByDir:
    """The task in a folder."""

    dir_path: str


@dataclass(frozen=True, slots=True)
class PendingHandover:
    """The undelivered handover for a new session.

    It is of a session on the same effort, or of the previous session. Without either, it is of the
    owner's last session in the project that ended, without an effort, at `since` or later. A
    handover for `run` comes first, one for another run is left to that.
    """

    effort_id: int | None
    previous_id: int | None
    project_id: int | None
    owner: str | None
    since: str
    run: str | None = None


@dataclass(frozen=True, slots=True)
class LastHandover:
    """The last handover of an effort, delivered or not."""

    effort_id: int


@dataclass(frozen=True, slots=True)
class PromptsOfEffort:
    """The user's last prompts during an effort, oldest first."""

    effort_id: int
    limit: int


@dataclass(frozen=True, slots=True)
class PromptsOfSession:
    """The user's prompts in a session's conversation: the first, and the last ones, oldest first.

    Each has at most `max_chars` characters.
    """

    session_id: int
    limit: int
    max_chars: int = 4_000


@dataclass(frozen=True, slots=True)
class CallsThatRan:
    """Which of these tool calls of a session have run to a result, by their tool_use_id."""

    session_id: int
    tool_use_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CanaryCount:
    """The number of canary events, which `hookd doctor` sends."""


@dataclass(frozen=True, slots=True)
class OpenTodos:
    """The number of open items of a conversation's task list, except one.

    The list outlives a session, so earlier sessions of the conversation count as well.
    """

    session_id: int
    excluding: str


@dataclass(frozen=True, slots=True)
class TodosOfEffort:
    """The open items of the task lists of an effort's sessions, in order."""

    effort_id: int
    limit: int


@dataclass(frozen=True, slots=True)
class TodosOfSession:
    """All items of the task list of a session's conversation, in order."""

    session_id: int


@dataclass(frozen=True, slots=True)
class StateOfPolicy:
    """A policy's stored values for conversations, without subagents, the oldest session first."""

    policy: str


@dataclass(frozen=True, slots=True)
class WindowsOfRun:
    """The open sessions of a supervised run, the oldest first."""

    run: str


@dataclass(frozen=True, slots=True)
class RunOfSession:
    """The supervised run that a session belongs to; None if a client inside the run started it.

    HOOKD_RUN is inherited by all processes of a client, also by further clients: only the first
    open session is the run's own.
    """

    session_id: int


@dataclass(frozen=True, slots=True)
class WindowsOfAgent:
    """The open sessions of an agent, or of a project without an agent, the oldest first."""

    project_id: int | None
    owner: str | None


@dataclass(frozen=True, slots=True)
class StateOfSession:
    """A policy's stored value for a session other than the event's, as JSON text."""

    session_id: int
    policy: str


@dataclass(frozen=True, slots=True)
class OfferedInjections:
    """The texts that were sent with answers to a session and are not confirmed."""

    session_id: int


@dataclass(frozen=True, slots=True)
class HookContexts:
    """The texts that hooks have added to a conversation, from the end of its transcript."""

    path: str


@dataclass(frozen=True, slots=True)
class AllowancesForCall:
    """The allow rules for a call that are in force at a time; `call` is its key."""

    call: str
    at: str


@dataclass(frozen=True, slots=True)
class AllowancesOfEvent:
    """The allow rules that were added for the call of an event."""

    event_id: int


@dataclass(frozen=True, slots=True)
class Spending:
    """What a conversation has cost, and what an agent and all sessions have cost on a day (UTC)."""

    claude_session_id: str
    agent: str | None
    day: str


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """The decision record of an event, as JSON text: "" without a record, None without an event."""

    event_id: int


@dataclass(frozen=True, slots=True)
class HooksOfProject:
    """The user hooks that apply in a project; `root` None: outside of any project."""

    root: str | None


@dataclass(frozen=True, slots=True)
class ProcessOrigin:
    """The terminal and the client process of the process that opened a connection."""

    pid: int


@dataclass(frozen=True, slots=True)
class CallerSession:
    """The open session of the client process that a caller runs in, else of its agent.

    `client` is that process as PID:START, "" if the caller runs in none. Of several sessions of one
    process it is the one of the caller's variables, `named`, else the one with the latest event.
    """

    client: str
    agent: str | None
    named: int | None = None


@dataclass(frozen=True, slots=True)
class PromptTyped:
    """Why it is not known that a person typed an event's prompt, "" if a person did.

    `pid` is the process that opened the connection for the event, `now` the event's time.
    """

    pid: int
    now: datetime


@dataclass(frozen=True, slots=True)
class LatestEffort:
    """The latest active effort of a project."""

    project_id: int


@dataclass(frozen=True, slots=True)
class SessionsToBind:
    """The sessions that the effect BindSessions binds with these values, the oldest first."""

    session_id: int | None
    project_id: int | None
    owner: str | None
    client_process: str


@dataclass(frozen=True, slots=True)
class SessionTraces:
    """The records of a session and its subagents' sessions; None without a session."""

    session_id: int


@dataclass(frozen=True, slots=True)
class CallerReason:
    """Why the process that opened a connection is not a person's, "" if it may be."""

    pid: int


FileRequest = (
    FileText
    | DirListing
    | RealPath
    | RealPathsOf
    | GitBranch
    | HookContexts
    | ExistingPaths
    | GitCopy
    | ArchiveMembers
    | PlaceOfFile
    | StampOfFile
    | FileHash
)
RowRequest = (
    SkillByName
    | SkillByPhase
    | TaskByDir
    | PendingHandover
    | LastHandover
    | PromptsOfEffort
    | PromptsOfSession
    | CanaryCount
    | OpenTodos
    | TodosOfEffort
    | TodosOfSession
    | StateOfPolicy
    | WindowsOfRun
    | RunOfSession
    | WindowsOfAgent
    | StateOfSession
    | CallsThatRan
    | AllowancesForCall
    | AllowancesOfEvent
    | DecisionRecord
    | Spending
    | OfferedInjections
    | LatestEffort
    | SessionsToBind
    | SessionTraces
    | CallerSession
    | FilesHeld
    | OpenClaims
    | MailRequest
    | WorkRequest
    | FleetRequest
)
ProcessRequest = ProcessOrigin | PromptTyped | CallerReason
FactRequest = FileRequest | HooksOfProject | ProcessRequest | RowRequest


@dataclass(frozen=True, slots=True)
class File:
    """A file: its real path, its text, and a stamp that changes with it."""

    path: str
    text: str
    stamp: str
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder: its real path, and the sorted names of its files."""

    path: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """Costs in US dollars."""

    session: float = 0.0
    agent: float = 0.0
    day: float = 0.0


@dataclass(frozen=True, slots=True)
class SavedState:
    """A policy's stored value for a conversation, and the session that has it."""

    session_id: int
    claude_session_id: str
    project: str | None
    value: Any


@dataclass(frozen=True, slots=True)
class OpenSessionRow:
    """An open session with the columns that a person recognizes it by, and its active effort."""

    id: int
    claude_session_id: str
    agent: str | None
    first_prompt: str | None
    effort_id: int | None


@dataclass(frozen=True, slots=True)
class Traces:
    """The records of a session: rows by table, and where texts of it are outside of them.

    `entries` are the log entries: file, folder of the project, text and time. `backups` are copies
    of the database that were made since the session began, with their times.
    """

    sessions: tuple[int, ...]
    began: str
    ended: str
    transcript: str | None
    rows: tuple[tuple[str, int], ...]
    events: tuple[int, ...]
    entries: tuple[tuple[str, str, str, str], ...]
    backups: tuple[tuple[str, str], ...]


class MissingFacts(Exception):  # noqa: N818 - no error: it asks for what is missing
    """A decision needs these facts; the caller loads them and retries."""

    def __init__(self, *requests: FactRequest) -> None:
        super().__init__(*requests)
        self.requests = requests
