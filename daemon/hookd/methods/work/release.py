"""Give a work item back: its owner, or a person for any item; a blocked one is open again.

An agent may also release a blocked item of its repository, which has no owner.
"""

from pydantic import Field

from hookd.core.model.effects.work_items import ReleaseWorkItem
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.sessions.caller import caller_place, caller_session, has_no_session
from hookd.core.work_items.ownership import item_by_id, owned, repository_of


class Params(Wire):
    """`why` is shown with the item."""

    id: RowId
    why: str | None = Field(None, max_length=2_000)


class Result(Wire):
    """The item."""

    id: int
    title: str


def decide(params: Params, facts: Facts) -> Change:
    """Release the item. NOT_OWNER names its owner."""
    item = item_by_id(params.id, facts)
    if item.state != "blocked":
        item = owned(params.id, facts)
    elif caller_session(facts) is not None and item.repository != repository_of(facts):
        raise DomainError("NOT_FOUND", f"work item {item.id} is of another project")
    effect = ReleaseWorkItem(item.id, params.why)
    return Change(Result(id=item.id, title=item.title), (effect,))


METHOD = ChangeMethod(
    "work.release",
    Params,
    Result,
    caller_place,
    decide,
    (Example({"id": 1, "why": "another task is more urgent"}, says="NOT_FOUND"),),
    person=has_no_session,
)
