"""Mail: a text of an agent, a person or a script to agents, and the sessions that can get it."""

from typing import Literal

from hookd.lazy_dataclass import dataclass

Priority = Literal["low", "normal", "high"]
SenderKind = Literal["person", "script", "agent", "hookd"]
ToKind = Literal["agent", "session", "task", "all", "person"]
MailState = Literal["waiting", "held", "dropped", "expired", "delivered", "sent"]

INJECTION_SOURCE = "hookd:mail"
"""The source of injections that are mail: no guard rule can have this name."""

MAX_TEXT_BYTES = 16_384
"""Bytes of UTF-8 that a mail may have."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A stored mail. `conversations` are the client's ids of those that it is addressed to."""

    id: int
    thread_id: int
    sender: str
    sender_kind: str
    sender_conversation: str | None
    to_kind: str
    recipient: str
    conversations: tuple[str, ...]
    state: str
    project_id: int | None = None
    task_dir: str | None = None
    reason: str | None = None
    expires_at: str | None = None


@dataclass(frozen=True, slots=True)
class OpenAgent:
    """An open window that mail can be addressed to; `task` is that of its active effort.

    `repository` is the root that the worktrees of its project share, without git the project's.
    `inbox` is the socket at which its client takes messages of other sessions of that client.
    `waker_seen`: when a process that waits to wake it last asked; `in_tmux`: keys can wake it.
    `waiting` is the number of mails that it has not got, without those of low priority.
    """

    session_id: int
    conversation: str
    name: str | None
    client: str | None
    repository: str | None
    project: str | None
    task: str | None
    status: str | None = None
    version: str | None = None
    inbox: str | None = None
    waker_seen: str | None = None
    in_tmux: bool = False
    waiting: int = 0

    @property
    def shown(self) -> str:
        """The name by which people and agents know it."""
        return self.name or f"session {self.session_id}"


@dataclass(frozen=True, slots=True)
class InboxItem:
    """A mail as its recipient has it; `state` is that of its delivery to this one."""

    id: int
    thread_id: int
    reply_to: int | None
    sender: str
    sender_kind: str
    sender_conversation: str | None
    recipient: str
    priority: str
    channel: str
    state: str
    text: str
    framed: str
    created_at: str
    origin: str = ""


@dataclass(frozen=True, slots=True)
class OverdueMail:
    """A mail whose time is over, with how many sessions it was queued for, and how many got it."""

    id: int
    sender: str
    sender_kind: str
    sender_conversation: str | None
    recipient: str
    state: str
    recipients: int
    delivered: int
