"""Effects that wait for the commit: files, what is read in the background, the daemon's end."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AppendLog:
    """An entry goes to the end of a log file; `title` heads a new one.

    The file may not stand outside of `root`, links followed.
    """

    path: str
    entry: str
    title: str
    root: str


@dataclass(frozen=True, slots=True)
class ReadTranscript:
    """What is new in a session's transcript is taken in, in the background.

    `stopped` is the number of the Stop that ended a turn: whether by an error, the file tells.
    """

    session_id: int
    path: str
    stopped: int = 0


@dataclass(frozen=True, slots=True)
class AskRestart:
    """The supervisor of this run is asked to start its client anew, with a prompt to go on by."""

    run: str
    prompt: str
    reason: str


@dataclass(frozen=True, slots=True)
class MeetProcess:
    """A window has begun: its client lives now, so it is seen whether that is on this machine."""

    session_id: int
    pid: int


@dataclass(frozen=True, slots=True)
class ArmCanary:
    """The next tool call in the session of this nonce is denied, with `answer` in its reason.

    It is a check by `hookd doctor`.
    """

    nonce: str
    answer: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """The daemon looks after its open windows at once."""


@dataclass(frozen=True, slots=True)
class ReloadSettings:
    """The daemon reads its settings again; where they cannot be used, the last good ones hold."""


@dataclass(frozen=True, slots=True)
class RenewHooks:
    """The hooks of a project are read again."""

    root: str


@dataclass(frozen=True, slots=True)
class TellUser:
    """The user is told something of a session, outside of its client.

    It is said after `wait` seconds, if none of the events `unless` came to the session behind this
    `event`, and nobody kept the client from stopping. Of two that wait the later one is said.
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
class StopDaemon:
    """The daemon finishes what is in flight and ends."""
