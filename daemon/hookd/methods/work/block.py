"""Block a work item, by its owner or a person: it waits for other items, or for a release.

With `after` it is taken again once those are done; otherwise it stays blocked until work.release.
The agent that added the item and the coordinator of its owner get the reason by mail.
DEPENDENCY_CYCLE names the cycle that `after` would make.
"""

from pydantic import Field

from hookd.core.model.effects.work_items import BlockWorkItem
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.model.work_requests import BacklogOf
from hookd.core.sessions.caller import caller_place, has_no_session
from hookd.core.work_items.announcing import mail_about
from hookd.core.work_items.dependencies import find_cycle
from hookd.core.work_items.model import Backlog
from hookd.core.work_items.ownership import caller, owned
from hookd.core.work_items.texts import blocked


class Params(Wire):
    """`why` is the reason; `after` are unfinished items of the same project."""

    id: RowId
    why: str = Field(min_length=1, max_length=2_000, pattern=r"\S")
    after: list[RowId] = Field([], max_length=100)


class Result(Wire):
    """The item and its state: blocked, or open with what it waits for."""

    id: int
    state: str
    waits_for: list[int]


def decide(params: Params, facts: Facts) -> Change:
    """Block the item. NOT_FOUND names an item of `after` that is done or of another project."""
    item = owned(params.id, facts)
    backlog = facts.require(BacklogOf(item.repository)) or Backlog()
    edges = {one.id: one.after for one in backlog.items}
    for number in params.after:
        if number not in edges:
            raise DomainError("NOT_FOUND", f"no work item {number} is unfinished in its project")
    after = tuple(dict.fromkeys(params.after))
    edges[item.id] = (*item.after, *after)
    if cycle := find_cycle(edges, item.id):
        path = " -> ".join(map(str, cycle))
        raise DomainError("DEPENDENCY_CYCLE", f"these work items would wait in a cycle: {path}")
    waits = list(edges[item.id]) if after else []
    state = "open" if after else "blocked"
    told = blocked(item, caller(facts).name, params.why, waits)
    effects = (BlockWorkItem(item.id, params.why, after), *mail_about(item, told, facts))
    return Change(Result(id=item.id, state=state, waits_for=waits), effects)


METHOD = ChangeMethod(
    "work.block",
    Params,
    Result,
    caller_place,
    decide,
    (Example({"id": 1, "why": "the API has no key yet"}, says="NOT_FOUND"),),
    person=has_no_session,
)
