"""Take a work item: the caller's conversation is its owner until it is done or its lease ends.

Without `id` it is the item that the caller has taken already, else the next ready one: the oldest
for this agent alone, else the oldest. So a call that is repeated takes nothing more; `another`
takes one more item. An item goes back `leaseS` seconds after the last event of its owner.
"""

from pydantic import Field

from hookd.core.model.effects.work_items import TakeWorkItem
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, Session
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.model.work_requests import WorkTakenBy
from hookd.core.sessions.caller import caller_place
from hookd.core.work_items.dependencies import is_ready, next_ready, nothing_ready
from hookd.core.work_items.model import LEASE_S, WorkItem
from hookd.core.work_items.ownership import (
    backlog_of,
    caller,
    item_by_id,
    repository_of,
    window,
)


class Params(Wire):
    """`id` is the item's number."""

    id: RowId | None = None
    another: bool = False
    lease_s: int = Field(LEASE_S, ge=60, le=7 * 86_400)


class Result(Wire):
    """The item; `again`: the caller had taken it before."""

    id: int
    title: str
    text: str | None
    added_by: str
    again: bool


def decide(params: Params, facts: Facts) -> Change:
    """Take the item. NOT_READY says who has it, or what it waits for."""
    session = window(facts)
    item = _wanted_item(params, session, facts)
    again = item.conversation == session.claude_session_id
    result = Result(
        id=item.id, title=item.title, text=item.text, added_by=item.added_by, again=again
    )
    owner = (session.claude_session_id, session.id, caller(facts).agent)
    take = TakeWorkItem(item.id, *owner, params.lease_s)
    return Change(result, () if again else (take,))


def _wanted_item(params: Params, session: Session, facts: Facts) -> WorkItem:
    conversation, agent = session.claude_session_id, caller(facts).agent
    if params.id is not None:
        return _named(params.id, conversation, agent, facts)
    own = facts.require(WorkTakenBy(conversation)) or ()
    if own and not params.another:
        return own[0]
    backlog = backlog_of(facts)
    item = next_ready(backlog, agent)
    if item is None:
        raise DomainError("NOT_READY", nothing_ready(backlog, agent))
    return item


def _named(number: int, conversation: str, agent: str | None, facts: Facts) -> WorkItem:
    item = item_by_id(number, facts)
    if item.repository != repository_of(facts):
        raise DomainError("NOT_FOUND", f"work item {number} is of another project")
    if item.state == "taken" and item.conversation == conversation:
        return item
    if item.state == "taken":
        raise DomainError("NOT_READY", f"work item {number} is taken by {item.owner}")
    if not is_ready(item):
        after = ", ".join(map(str, item.after))
        why = f"waits for {after}" if item.state == "open" else f"is {item.state}"
        raise DomainError("NOT_READY", f"work item {number} {why}")
    if item.wanted not in (None, agent):
        raise DomainError("NOT_READY", f"work item {number} is for {item.wanted}")
    return item


METHOD = ChangeMethod(
    "work.take",
    Params,
    Result,
    caller_place,
    decide,
    (Example({}, says="NOT_A_SESSION"),),
)
