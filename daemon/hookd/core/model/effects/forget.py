"""Effects of forgetting a session: its rows, and its texts in files."""

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ForgetSession:
    """Delete a session and its subagents' with everything recorded of them, overwriting it."""

    session_id: int


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry of an effort's log: the file, the folder that must contain it, and the text."""

    path: str
    root: str
    text: str


@dataclass(frozen=True, slots=True)
class EraseTexts:
    """Remove a forgotten session's texts from files: effort logs, long texts, the daemon's log.

    `conversation` is Claude Code's id. Lines of the daemon's log from `began` to `ended` lose their
    free texts. `events` are the numbers of its events, after which files of long texts are named.
    """

    conversation: str
    began: str
    ended: str
    events: tuple[int, ...]
    entries: tuple[LogEntry, ...]
