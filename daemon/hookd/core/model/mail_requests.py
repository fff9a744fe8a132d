"""Fact requests about mail of agents."""

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MailById:
    """A mail."""

    id: int


@dataclass(frozen=True, slots=True)
class MailByKey:
    """The mail that a call of a sender with this key has sent; None: a sender without a session."""

    key: str
    conversation: str | None


@dataclass(frozen=True, slots=True)
class NextMail:
    """The number of the next mail: exact, because the database has one writer."""


@dataclass(frozen=True, slots=True)
class OpenAgents:
    """All open windows that mail can be addressed to, without subagents; in order of number."""


@dataclass(frozen=True, slots=True)
class MailTraffic:
    """How much mail went since a time between a sender and each other conversation.

    `conversation` is the sender's, None for an agent without a session; then `sender` is its name.
    Mail to a person, a task, or by the client's own channel counts by the address.
    """

    conversation: str | None
    sender: str
    since: str


@dataclass(frozen=True, slots=True)
class InboxOf:
    """Mail of a conversation; None: mail to the person. The newest `limit`, oldest first.

    `id` is one mail, which the conversation may have sent, too; a `person` may read any. `sender`
    is one sender's name, or `sender_session` its session; `every` includes delivered mail.
    """

    conversation: str | None
    id: int | None
    sender: str | None
    every: bool
    limit: int
    person: bool = False
    sender_session: int | None = None


MailRequest = MailById | MailByKey | NextMail | OpenAgents | MailTraffic | InboxOf
