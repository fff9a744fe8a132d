"""Effects on work items."""

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AddWorkItem:
    """Add a work item; `after` are items that it waits for, `before` those that wait for it.

    `key` is the caller's own: a repeated call has the same.
    `added_conversation` and `added_session_id` are those of the agent that adds it; None: no agent.
    """

    id: int
    project_id: int
    title: str
    text: str | None
    wanted: str | None
    added_by: str
    added_conversation: str | None = None
    added_session_id: int | None = None
    after: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    key: str | None = None


@dataclass(frozen=True, slots=True)
class TakeWorkItem:
    """Give an open work item its owner, a conversation."""

    id: int
    conversation: str
    session_id: int
    agent: str | None
    lease_s: int


@dataclass(frozen=True, slots=True)
class FinishWorkItem:
    """Mark a work item as done, with its result."""

    id: int
    result: str | None


@dataclass(frozen=True, slots=True)
class BlockWorkItem:
    """Mark a work item as blocked, without an owner; or have it wait for other items."""

    id: int
    reason: str
    after: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReleaseWorkItem:
    """Make a work item open, without an owner; `reason` says why."""

    id: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class MoveWorkItems:
    """Give the items of a conversation to its successor, for example after /clear."""

    conversation: str
    to: str
    session_id: int
