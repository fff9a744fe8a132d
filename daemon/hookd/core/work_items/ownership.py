"""Ownership of work items: who calls, and what it may do with an item."""

from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import CallerReason
from hookd.core.model.facts import Facts, Session
from hookd.core.model.work_requests import BacklogOf, WorkItemById, WorkItemByKey
from hookd.core.sessions.caller import caller_session
from hookd.core.sessions.open_session import repository_root
from hookd.core.work_items.model import Backlog, WorkItem
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: its conversation and window, None outside of a session; `name` as it is shown."""

    conversation: str | None
    session_id: int | None
    agent: str | None
    name: str


def caller(facts: Facts) -> Caller:
    """Return the caller: its session; else AGENT_ID, a person or a script without a session.

    A session's agent is that of its client: a command of it may have set another AGENT_ID.
    """
    session, agent = caller_session(facts), facts.identity.agent
    if session is None:
        peer = facts.identity.peer
        client = peer and facts.require(CallerReason(peer))
        nameless = "an agent without a session" if client else "person"
        return Caller(None, None, agent, agent or nameless)
    agent = session.owner
    return Caller(session.claude_session_id, session.id, agent, agent or f"session {session.id}")


def window(facts: Facts) -> Session:
    """Return the caller's session. NOT_A_SESSION without one."""
    session = caller_session(facts)
    if session is None or session.ended_at is not None:
        raise DomainError(
            "NOT_A_SESSION",
            "only an agent in an open session takes work items; this is no session of hookd",
        )
    return session


def repository_of(facts: Facts) -> str:
    """Return the root of the caller's repository: the items of its worktrees are the same.

    "" without a project. Raise MissingFacts.
    """
    return "" if facts.project is None else repository_root(facts.project, facts)


def backlog_of(facts: Facts) -> Backlog:
    """Return the unfinished items of the caller's repository; without a project it is empty."""
    root = repository_of(facts)
    return facts.require(BacklogOf(root)) or Backlog() if root else Backlog()


def item_by_id(number: int, facts: Facts) -> WorkItem:
    """Return an item. NOT_FOUND if there is none of this number."""
    item = facts.require(WorkItemById(number))
    if item is None:
        raise DomainError("NOT_FOUND", f"there is no work item {number}")
    return item


def item_by_key(key: str | None, repository: str, facts: Facts) -> WorkItem | None:
    """Return the item that a call with this key has added. INVALID_ITEM: in another project."""
    item = facts.require(WorkItemByKey(key)) if key else None
    if item is not None and item.repository != repository:
        told = f"the key {key} is of work item {item.id} in another project"
        raise DomainError("INVALID_ITEM", f"{told}; give this one another key")
    return item


def owned(number: int, facts: Facts) -> WorkItem:
    """Return an item that the caller may change: its own, or any for a caller without a session.

    NOT_OWNER names the owner, NOT_READY: it is done. A caller without a session must be a
    person: see `has_no_session`.
    """
    item = item_by_id(number, facts)
    if item.state == "done":
        raise DomainError("NOT_READY", f"work item {number} is done")
    session = caller_session(facts)
    if session is None or item.conversation == session.claude_session_id:
        return item
    if item.conversation is None:
        raise DomainError("NOT_OWNER", f"work item {number} is {item.state}, and not taken by you")
    raise DomainError("NOT_OWNER", f"work item {number} is taken by {item.owner}")


def expect_not_taken(numbers: tuple[int, ...], backlog: Backlog) -> None:
    """Raise NOT_READY, which names the owner, if one of these items is taken.

    It cannot wait for a new item: its owner could not finish it.
    """
    for item in backlog.items:
        if item.id in numbers and item.state == "taken":
            raise DomainError(
                "NOT_READY",
                f"work item {item.id} is taken by {item.owner}, and waits for nothing new; add it"
                f" without --before, and let its owner wait: hookd work block {item.id} --after N",
            )
