"""Fact requests about work items, and about calls of hookd's own MCP tools."""

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class BacklogOf:
    """The unfinished work items of a project."""

    project_id: int


@dataclass(frozen=True, slots=True)
class WorkItemById:
    """A work item, finished or not."""

    item_id: int


@dataclass(frozen=True, slots=True)
class WorkTakenBy:
    """The work items that a conversation has taken."""

    conversation: str


@dataclass(frozen=True, slots=True)
class WorkListeners:
    """The open sessions that wait for an item: its adder's, and those of `agent`'s parent."""

    item_id: int
    agent: str | None


@dataclass(frozen=True, slots=True)
class OwnCallsOf:
    """The calls of one of hookd's own tools with this input since a time that are not used."""

    tool: str
    digest: str
    since: str


WorkRequest = BacklogOf | WorkItemById | WorkTakenBy | WorkListeners | OwnCallsOf
