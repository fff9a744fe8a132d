"""Mark a work item as done: by its owner, or by a person.

The agent that added the item and the coordinator of its owner get the result and the numbers of
the items that are ready now, by mail, which wakes an idle one. A repeated call changes nothing.
"""

from pydantic import Field

from hookd.core.model.effects.work_items import FinishWorkItem
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.model.work_requests import BacklogOf
from hookd.core.sessions.caller import caller_place, caller_session, has_no_session
from hookd.core.work_items.announcing import mail_about
from hookd.core.work_items.model import MAX_TEXT_CHARS, Backlog, WorkItem
from hookd.core.work_items.ownership import caller, item_by_id, owned
from hookd.core.work_items.texts import finished


class Params(Wire):
    """`result` is what its owner says of the finished item."""

    id: RowId
    result: str | None = Field(None, max_length=MAX_TEXT_CHARS)


class Result(Wire):
    """`readyNow` are the items that waited for it alone; `again`: it was done before."""

    id: int
    title: str
    ready_now: list[int]
    again: bool


def decide(params: Params, facts: Facts) -> Change:
    """Finish the item. NOT_OWNER names its owner."""
    known = item_by_id(params.id, facts)
    if known.state == "done" and _is_own(known, facts):
        return Change(Result(id=known.id, title=known.title, ready_now=[], again=True))
    item = owned(params.id, facts)
    if item.after:
        after = ", ".join(map(str, item.after))
        raise DomainError("NOT_READY", f"work item {item.id} waits for {after}")
    backlog = facts.require(BacklogOf(item.repository)) or Backlog()
    ready = [one.id for one in backlog.items if one.after == (item.id,) and one.state == "open"]
    result = Result(id=item.id, title=item.title, ready_now=ready, again=False)
    told = finished(item, caller(facts).name, params.result, ready)
    effects = (FinishWorkItem(item.id, params.result), *mail_about(item, told, facts))
    return Change(result, effects)


def _is_own(item: WorkItem, facts: Facts) -> bool:
    session = caller_session(facts)
    return session is None or item.conversation == session.claude_session_id


METHOD = ChangeMethod(
    "work.done",
    Params,
    Result,
    caller_place,
    decide,
    (Example({"id": 1, "result": "All pages are documented."}, says="NOT_FOUND"),),
    person=has_no_session,
)
