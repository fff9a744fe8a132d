"""After-commit effects: files, background reading, notifications, the daemon's shutdown."""

from typing import Literal

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AppendLog:
    """Append an entry to a log file; `title` heads a new file.

    The file must be inside `root`, symlinks resolved.
    """

    path: str
    entry: str
    title: str
    root: str


@dataclass(frozen=True, slots=True)
class ReadTranscript:
    """Ingest the new part of a session's transcript, in the background.

    `stopped` is the id of the Stop event that ended a turn; the transcript shows whether an error
    ended it.
    """

    session_id: int
    path: str
    stopped: int = 0


@dataclass(frozen=True, slots=True)
class AskRestart:
    """Ask the supervisor of this run to restart its client with a prompt to continue by."""

    run: str
    prompt: str
    reason: str


@dataclass(frozen=True, slots=True)
class RegisterProcess:
    """Register the client process of a new session, if it runs on this machine."""

    session_id: int
    pid: int


@dataclass(frozen=True, slots=True)
class ReadClientVersion:
    """Read the version of a new session's client from its package, in the background.

    `process` is the client's process, as PID:START.
    """

    session_id: int
    process: str


@dataclass(frozen=True, slots=True)
class ArmCanary:
    """Deny the next tool call in the session of this nonce, with `answer` in the reason.

    This is a check by `hookd doctor`.
    """

    nonce: str
    answer: str


@dataclass(frozen=True, slots=True)
class RunMaintenance:
    """Run the daemon's maintenance now."""


@dataclass(frozen=True, slots=True)
class ReloadSettings:
    """Reload the settings; if they are invalid, the last valid ones stay in use."""


@dataclass(frozen=True, slots=True)
class ReloadHooks:
    """Reload the user hooks and policy settings of a project; `every`: of all known ones."""

    root: str | None
    every: bool = False


@dataclass(frozen=True, slots=True)
class NotifyUser:
    """Notify the user about a session, outside the client.

    The notification is sent after `wait` seconds, unless one of the events `unless` follows this
    `event` in the session or a stop is blocked. A later pending notification replaces an earlier.
    """

    session_id: int
    event: int
    title: str
    text: str
    channels: tuple[str, ...]  # desktop, tmux, command
    command: tuple[str, ...] = ()
    wait: float = 0.0
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerApproval:
    """Answer the permission request `id`, which waits, for the person of the process `peer`.

    `via` names what the person used, such as `web`; "" is the terminal of that process.
    """

    id: int
    answer: Literal["allow", "deny", "dialog"]
    message: str = ""
    peer: int | None = None
    via: str = ""


@dataclass(frozen=True, slots=True)
class AnnounceMail:
    """Notify the subscribers of mail that a mail was sent or released: they look at their inbox."""


@dataclass(frozen=True, slots=True)
class StopDaemon:
    """Finish the requests in progress and exit."""
