"""Work items as values: what a decision knows of them."""

from hookd.lazy_dataclass import dataclass

MAX_ITEMS = 1_000
"""Unfinished work items that a repository may have."""

MAX_TITLE_CHARS = 200
MAX_TEXT_CHARS = 16_000

LEASE_S = 1_800
"""Seconds without an event of the owner after which an item goes back."""


@dataclass(frozen=True, slots=True)
class WorkItem:
    """A work item; `after` are the unfinished items that it waits for.

    `repository` is the root that the worktrees of its project share, without git the project's.
    The owner is `conversation`, the client's id of a session, with its subagents; `session_id` is
    the window that took the item, `agent` its AGENT_ID. Only the agent `wanted` may take it.
    """

    id: int
    title: str
    state: str = "open"
    repository: str = ""
    after: tuple[int, ...] = ()
    wanted: str | None = None
    conversation: str | None = None
    session_id: int | None = None
    agent: str | None = None
    text: str | None = None
    added_by: str = "person"
    added_conversation: str | None = None
    reason: str | None = None

    @property
    def owner(self) -> str:
        """The owner as it is shown: its agent, else its session; "" without one."""
        if self.conversation is None:
            return ""
        return self.agent or f"session {self.session_id}"


@dataclass(frozen=True, slots=True)
class Listener:
    """An open conversation that waits for an item; `name` is its agent's, or its session's."""

    conversation: str
    name: str


@dataclass(frozen=True, slots=True)
class Backlog:
    """The unfinished work items of a repository, the oldest first, and the next item's number."""

    items: tuple[WorkItem, ...] = ()
    next_id: int = 1

    def find(self, number: int) -> WorkItem | None:
        """Return an unfinished item by its number."""
        return next((one for one in self.items if one.id == number), None)
