"""Finish an effort: agents and windows are released, and its heartbeat no longer counts."""

from hookd.core.efforts.lifecycle import finish
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import own_or_named_effort
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """Without `effortId` it is the caller's own effort."""

    effort_id: RowId | None = None


class Result(Wire):
    """The effort that was finished."""

    effort_id: int
    skill: str
    task_dir: str


def decide(params: Params, facts: Facts) -> Change:
    """Finish the effort. NOT_FOUND, NO_ACTIVE_EFFORT or ALREADY_FINISHED if there is none."""
    effort = facts.effort
    if effort is None and params.effort_id is not None:
        raise DomainError("NOT_FOUND", f"there is no effort {params.effort_id}")
    if effort is None:
        raise DomainError("NO_ACTIVE_EFFORT", "no effort is active here")
    if not effort.active:
        raise DomainError("ALREADY_FINISHED", f"effort {effort.id} is finished already")
    result = Result(effort_id=effort.id, skill=effort.skill, task_dir=effort.task_dir)
    return Change(result, finish(effort))


METHOD = ChangeMethod(
    "effort.finish",
    Params,
    Result,
    own_or_named_effort,
    decide,
    (Example({}, says="NO_ACTIVE_EFFORT"),),
)
