"""Effects on sessions: context windows, subagents' runs, handovers, the state of policies."""

from typing import Any

from hookd.core.model.effects.messages import Status
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Open a session: a context window or a subagent's run."""

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
    own_effort: bool = False
    run: str | None = None
    status: Status = "idle"
    tmux_pane: str | None = None
    tmux_socket: str | None = None
    tmux_server: int | None = None
    branch: str | None = None
    first_prompt: str | None = None
    client_process: str | None = None
    messaging_socket: str | None = None


@dataclass(frozen=True, slots=True)
class SetSessionStatus:
    """Set the status of a session without AGENT_ID; `event_id` is the cause, 0: none."""

    session_id: int
    status: Status
    event_id: int


@dataclass(frozen=True, slots=True)
class SetBranch:
    """Set the git branch of a session's folder."""

    session_id: int
    branch: str | None


@dataclass(frozen=True, slots=True)
class SetFirstPrompt:
    """Store the beginning of a conversation's first prompt."""

    session_id: int
    text: str


@dataclass(frozen=True, slots=True)
class EndSession:
    """End a session and its subagents' runs; its status becomes done or idle."""

    id: int
    reason: str


@dataclass(frozen=True, slots=True)
class SeeProcess:
    """Record that a session's client process runs on this machine."""

    session_id: int


@dataclass(frozen=True, slots=True)
class SetHeartbeat:
    """Set the counter of calls since the last log entry, and add `calls` to the session's calls."""

    session_id: int
    count: int
    last_counted: str | None
    calls: int = 0


@dataclass(frozen=True, slots=True)
class SetContextUsage:
    """Set the used share of the context window, 0.0 to 1.0, and its source.

    `cost` in US dollars and `window` in tokens are unchanged if None.
    """

    session_id: int
    usage: float
    source: str
    cost: float | None = None
    window: int | None = None


@dataclass(frozen=True, slots=True)
class SetModel:
    """Set a session's model, and forget the window size, which belonged to the previous model."""

    session_id: int
    model: str


@dataclass(frozen=True, slots=True)
class SetCwd:
    """Set a session's working folder, an absolute path."""

    session_id: int
    cwd: str


@dataclass(frozen=True, slots=True)
class AddDir:
    """Add a folder, an absolute path, to all open sessions of a conversation, each once."""

    session_id: int
    path: str


@dataclass(frozen=True, slots=True)
class ForgetFile:
    """Forget that the open sessions of a conversation were given a file, which has changed.

    It may be given again, and its folder is searched for directives again.
    """

    session_id: int
    path: str


@dataclass(frozen=True, slots=True)
class SetLoadedFiles:
    """Set the files that a session has read, in order."""

    session_id: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddSeen:
    """Add files that a session was given, and folders that were searched for directives."""

    session_id: int
    files: tuple[str, ...]
    dirs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SaveHandover:
    """Store a session's handover; it replaces an earlier one."""

    session_id: int
    payload: str  # JSON text


@dataclass(frozen=True, slots=True)
class OfferHandover:
    """Send a handover with an answer; it is delivered when all its parts are."""

    session_id: int  # the window that left it


@dataclass(frozen=True, slots=True)
class ReserveHandover:
    """Give a handover to a run alone, though another window has it; `run` None: to any again."""

    session_id: int  # the window that left it
    run: str | None


@dataclass(frozen=True, slots=True)
class Remember:
    """Store a policy's value for a session; the policy reads it from its facts.

    With `lasts`, the conversation's next session inherits it. None removes the value.
    """

    session_id: int
    policy: str
    value: Any
    lasts: bool = False
