"""Effects on mail of agents."""

from hookd.core.model.mail import Priority, SenderKind, ToKind
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SendMail:
    """Store a mail, and queue it for the conversations that it is addressed to.

    With `held`, the reason, it waits for a person instead. Without `expires_at` it never expires:
    the channel `claude-code` is only a record. `sender` is the name as it is shown, `origin` what
    the frame says of it in parentheses, such as the client. `key` is that of the call.
    """

    sender: str
    sender_kind: SenderKind
    to_kind: ToKind
    recipient: str
    text: str
    conversations: tuple[str, ...] = ()
    sender_session_id: int | None = None
    sender_conversation: str | None = None
    origin: str = ""
    project_id: int | None = None
    task_dir: str | None = None
    priority: Priority = "normal"
    reply_to: int | None = None
    expires_at: str | None = None
    held: str = ""
    channel: str = "hookd"
    max_bytes: int = 2_000
    key: str | None = None


@dataclass(frozen=True, slots=True)
class ReleaseMail:
    """Queue a held mail for its recipients; it expires at that time."""

    id: int
    expires_at: str


@dataclass(frozen=True, slots=True)
class DropMail:
    """Drop a mail: whoever has not got it does not get it."""

    id: int


@dataclass(frozen=True, slots=True)
class QueueTaskMail:
    """Queue the mail to a task for a session that joined it, what its conversation has not had.

    Only mail of a person, or of the session's repository, without `across_projects`.
    """

    session_id: int
    task_dir: str
    across_projects: bool = False


@dataclass(frozen=True, slots=True)
class MoveMail:
    """Move undelivered mail to the window that continues the conversation."""

    session_id: int
    to: int


@dataclass(frozen=True, slots=True)
class ReadMail:
    """Count mail as delivered: a command has printed it. Without a session a person has read it."""

    ids: tuple[int, ...]
    session_id: int | None = None


@dataclass(frozen=True, slots=True)
class ExpireMail:
    """End a mail: whoever has not been offered it does not get it."""

    id: int


@dataclass(frozen=True, slots=True)
class SettleMail:
    """End a mail that everybody has got."""

    id: int
