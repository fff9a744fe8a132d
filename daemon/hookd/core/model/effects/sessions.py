"""Effects on sessions: context windows, the runs of subagents, and what is kept for them."""

from dataclasses import dataclass
from typing import Any

from hookd.core.model.effects.messages import Status


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
    own_effort: bool = False
    run: str | None = None
    status: Status = "idle"
    tmux_pane: str | None = None
    tmux_socket: str | None = None
    tmux_server: int | None = None
    branch: str | None = None
    first_prompt: str | None = None
    client: str | None = None


@dataclass(frozen=True, slots=True)
class SetSessionStatus:
    """The status of a window without an AGENT_ID, and the event that caused it; 0: no event."""

    session_id: int
    status: Status
    event_id: int


@dataclass(frozen=True, slots=True)
class SetBranch:
    """The git branch that a window's folder is on."""

    session_id: int
    branch: str | None


@dataclass(frozen=True, slots=True)
class SetFirstPrompt:
    """The beginning of what the user said first in a conversation."""

    session_id: int
    text: str


@dataclass(frozen=True, slots=True)
class EndSession:
    """A window ends, and with it the subagents that ran in it; its status is done, or idle."""

    id: int
    reason: str


@dataclass(frozen=True, slots=True)
class SeeProcess:
    """The process of a window's client was found alive on this machine."""

    session_id: int


@dataclass(frozen=True, slots=True)
class SetHeartbeat:
    """The counter of tool calls since the last log entry; `calls` more were made in the window."""

    session_id: int
    count: int
    last_counted: str | None
    calls: int = 0


@dataclass(frozen=True, slots=True)
class SetContextUsage:
    """The share of the window in use, 0.0 to 1.0, and who said so.

    `cost` in US dollars and `window`, the tokens that it holds, stay as they are where not known.
    """

    session_id: int
    usage: float
    source: str
    cost: float | None = None
    window: int | None = None


@dataclass(frozen=True, slots=True)
class SetModel:
    """The model that a window's conversation is held with from now on.

    What was known of the window was of the other model's: it is not known any more.
    """

    session_id: int
    model: str


@dataclass(frozen=True, slots=True)
class SetCwd:
    """The folder that a window works in from now on, absolute."""

    session_id: int
    cwd: str


@dataclass(frozen=True, slots=True)
class AddDir:
    """A folder, absolute, was added to a conversation: all its open windows know it, each once."""

    session_id: int
    path: str


@dataclass(frozen=True, slots=True)
class ForgetFile:
    """A file is no longer what the open windows of a conversation were given.

    They may be given it again; its folder is looked into for directives anew.
    """

    session_id: int
    path: str


@dataclass(frozen=True, slots=True)
class SetLoadedFiles:
    """The files that the window has read, in order."""

    session_id: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddSeen:
    """More files whose content the window was given, and folders looked into for directives."""

    session_id: int
    files: tuple[str, ...]
    dirs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SaveHandover:
    """What a window leaves for the next one; it takes the place of what it left before."""

    session_id: int
    payload: str  # JSON text


@dataclass(frozen=True, slots=True)
class OfferHandover:
    """A handover goes out with an answer; it is delivered when all its pieces are."""

    session_id: int  # the window that left it


@dataclass(frozen=True, slots=True)
class Remember:
    """A policy keeps a value for this session; it finds it in its facts next time.

    With `lasts` it goes over to the next window of the conversation. A value of None is forgotten.
    """

    session_id: int
    policy: str
    value: Any
    lasts: bool = False
