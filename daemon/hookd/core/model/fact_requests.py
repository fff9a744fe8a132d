"""The home of what a decision may find that it needs to know: a file, a skill, a task, ...

Most decisions need only the facts of every event. One that needs more calls `facts.require`. A fact
that is not loaded yet raises `MissingFacts`; it is loaded, and the decision is retried. So a
decision stays a pure function, and nothing is read that no decision needs.
"""

from dataclasses import dataclass
from typing import Any, Literal

TEXT_LIMIT = 50_000
"""Characters of a file that are read at most, unless fewer are wanted."""


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's text. `root` is the folder that it may not lead out of, links followed.

    Of a file that is longer than `most` characters the beginning is read, or its end with `tail`.
    """

    path: str
    root: str
    max_chars: int = TEXT_LIMIT
    tail: bool = False


@dataclass(frozen=True, slots=True)
class DirListing:
    """The names of the files in a folder, which may not lead out of `root`, links followed."""

    folder: str
    root: str


@dataclass(frozen=True, slots=True)
class RealPath:
    """Where an absolute path leads when links are followed, as far as there is anything."""

    path: str


@dataclass(frozen=True, slots=True)
class ExistingPaths:
    """Which of these relative paths exist in a folder, in their order; links are followed."""

    folder: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArchiveMembers:
    """The names of the files in an archive, or the header lines of a patch, as far as they tell.

    Only what `telling` is found in, in lower case, is returned; the name of a folder ends in `/`.
    None: the file is not there, or it cannot be listed in full.
    """

    path: str
    kind: Literal["archive", "patch", "folder"]
    containing: str


@dataclass(frozen=True, slots=True)
class GitBranch:
    """The git branch that a folder is on, or the beginning of its commit; None without git."""

    folder: str


@dataclass(frozen=True, slots=True)
class SkillByName:
    """What is kept of a project's skill."""

    project_id: int
    name: str


@dataclass(frozen=True, slots=True)
class SkillByPhase:
    """The one skill of a project, of those that are kept, with a phase of this label or name."""

    project_id: int
    phase: str


@dataclass(frozen=True, slots=True)
class TaskByDir:
    """What is known of the task in a folder."""

    dir_path: str


@dataclass(frozen=True, slots=True)
class PendingHandover:
    """What was left, and not yet taken, for a window that begins.

    Left by who worked on the same effort, or by the window before. Where neither was, by the last
    window of the same owner in the project that ended, without an effort, at `since` or later.
    """

    effort_id: int | None
    previous_id: int | None
    project_id: int | None
    owner: str | None
    since: str


@dataclass(frozen=True, slots=True)
class LastHandover:
    """The last thing that was left by anybody who worked on an effort, taken or not."""

    effort_id: int


@dataclass(frozen=True, slots=True)
class PromptsOfEffort:
    """The last things that the user said while an effort was worked on, oldest first."""

    effort_id: int
    limit: int


@dataclass(frozen=True, slots=True)
class PromptsOfSession:
    """What the user said in a session's conversation: the first, and the last ones, oldest first.

    Of each the beginning is read, `longest` characters at most.
    """

    session_id: int
    limit: int
    max_chars: int = 4_000


@dataclass(frozen=True, slots=True)
class CanaryCount:
    """How many events were checks by `hookd doctor`."""


@dataclass(frozen=True, slots=True)
class OpenTodos:
    """How many items of the client's task list are open in a session's conversation, besides one.

    The list outlives a window, so the windows before this one count as well.
    """

    session_id: int
    excluding: str


@dataclass(frozen=True, slots=True)
class TodosOfEffort:
    """The open items of the task lists of those who worked on an effort, as last seen, in order."""

    effort_id: int
    limit: int


@dataclass(frozen=True, slots=True)
class TodosOfSession:
    """All items of the client's task list in a session's conversation, as last seen, in order."""

    session_id: int


@dataclass(frozen=True, slots=True)
class StateOfPolicy:
    """What a policy keeps for conversations, subagents left out, the oldest window first."""

    policy: str


@dataclass(frozen=True, slots=True)
class WindowsOfRun:
    """The open windows of a supervised run, the oldest first."""

    run: str


@dataclass(frozen=True, slots=True)
class RunOfSession:
    """The supervised run whose own window a session is; None where a client in it started it.

    HOOKD_RUN is inherited by all that a client starts, also by further clients: the first open
    window is the run's own.
    """

    session_id: int


@dataclass(frozen=True, slots=True)
class WindowsOfAgent:
    """The open windows of an agent; without one, of nobody's in a project. The oldest first."""

    project_id: int | None
    owner: str | None


@dataclass(frozen=True, slots=True)
class StateOfSession:
    """What a policy remembers for another session than the event's own, as JSON text."""

    session_id: int
    policy: str


@dataclass(frozen=True, slots=True)
class OfferedInjections:
    """The texts that went out with answers to a session's events and are not known as read."""

    session_id: int


@dataclass(frozen=True, slots=True)
class HookContexts:
    """The texts that hooks have added to a conversation lately, by the end of its transcript."""

    path: str


@dataclass(frozen=True, slots=True)
class AllowancesForCall:
    """The allow rules for a call that are in force at a time; `call` is its key."""

    call: str
    at: str


@dataclass(frozen=True, slots=True)
class AllowancesOfEvent:
    """The allow rules that were set for the call of an event."""

    event_id: int


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """The facts and opinions kept with an event, as JSON text: "" if none are, None: no event."""

    event_id: int


@dataclass(frozen=True, slots=True)
class HooksOfProject:
    """The user's own hooks as they hold in a project; None: outside of any."""

    root: str | None


@dataclass(frozen=True, slots=True)
class ProcessOrigin:
    """The terminal and the client process of the process that opened a connection."""

    pid: int


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


FileRequest = (
    FileText | DirListing | RealPath | GitBranch | HookContexts | ExistingPaths | ArchiveMembers
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
    | AllowancesForCall
    | AllowancesOfEvent
    | DecisionRecord
    | OfferedInjections
    | LatestEffort
    | SessionsToBind
)
FactRequest = FileRequest | HooksOfProject | ProcessOrigin | RowRequest


@dataclass(frozen=True, slots=True)
class File:
    """A file as it was read: its real path, its text, and a stamp that changes with it."""

    path: str
    text: str
    stamp: str
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder as it was looked into: its real path, and the names of its files, sorted."""

    path: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SavedState:
    """What a policy keeps for a conversation, and the window that it is kept with."""

    session_id: int
    claude_session_id: str
    project: str | None
    value: Any


@dataclass(frozen=True, slots=True)
class OpenSessionRow:
    """An open session as a person knows it again, and the active effort that it works on."""

    id: int
    claude_session_id: str
    agent: str | None
    first_prompt: str | None
    effort_id: int | None


class MissingFacts(Exception):  # noqa: N818 - no error: it asks for what is missing
    """A decision lacks these; whoever asked for it looks them up and asks again."""

    def __init__(self, *wants: FactRequest) -> None:
        super().__init__(*wants)
        self.requests = wants
