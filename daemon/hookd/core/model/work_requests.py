"""Fact requests about work items, and about calls of hookd's own MCP tools."""

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class BacklogOf:
    """The unfinished work items of a repository, by its root: one for all its worktrees."""

    repository: str


@dataclass(frozen=True, slots=True)
class WorkItemById:
    """A work item, finished or not."""

    item_id: int


@dataclass(frozen=True, slots=True)
class WorkItemByKey:
    """The work item that a call with this key has added."""

    key: str


@dataclass(frozen=True, slots=True)
class WorkTakenBy:
    """The work items that a conversation has taken."""

    conversation: str


@dataclass(frozen=True, slots=True)
class WorkListeners:
    """The open conversations that wait for an item: its adder's, and those of `agent`'s parent."""

    item_id: int
    agent: str | None


@dataclass(frozen=True, slots=True)
class OwnCallsOf:
    """The calls of one of hookd's own tools with this input since a time that are not used."""

    tool: str
    digest: str
    since: str


WorkRequest = BacklogOf | WorkItemById | WorkItemByKey | WorkTakenBy | WorkListeners | OwnCallsOf
