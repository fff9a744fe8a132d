"""Add a work item to the caller's project; the worktrees of a repository share theirs.

A call that is repeated with the same `key` adds nothing: its result is the item that is there. The
new item waits for the unfinished items of `after`, and those of `before` wait for it; a taken one
cannot, since its owner could not finish it. With `wanted` only that agent takes it.
DEPENDENCY_CYCLE names the cycle that it would make.
"""

from pydantic import Field

from hookd.core.model.effects.efforts import SetRepository
from hookd.core.model.effects.union import Effect
from hookd.core.model.effects.work_items import AddWorkItem
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.model.work_requests import BacklogOf
from hookd.core.sessions.caller import caller_place
from hookd.core.sessions.open_session import project_of, repository_root
from hookd.core.work_items.dependencies import find_cycle, is_ready
from hookd.core.work_items.model import MAX_ITEMS, MAX_TEXT_CHARS, MAX_TITLE_CHARS, Backlog
from hookd.core.work_items.ownership import caller, expect_not_taken, item_by_id, item_by_key
from hookd.core.work_items.texts import one_line


class Params(Wire):
    """`wanted` is an AGENT_ID; `after` and `before` are numbers of items of the project."""

    title: str = Field(min_length=1, max_length=MAX_TITLE_CHARS, pattern=r"\S")
    text: str | None = Field(None, max_length=MAX_TEXT_CHARS)
    after: list[RowId] = Field([], max_length=100)
    before: list[RowId] = Field([], max_length=100)
    wanted: str | None = Field(None, min_length=1, max_length=200)
    key: str | None = Field(None, pattern=r"^[A-Za-z0-9_.:-]{8,100}$")


class Result(Wire):
    """The item's number; `waitsFor` are the unfinished items before it. `again`: it was there."""

    id: int
    ready: bool
    waits_for: list[int]
    again: bool


def decide(params: Params, facts: Facts) -> Change:
    """Add the item. NOT_FOUND names an item or a project that there is not."""
    title = one_line(params.title)
    if not title:
        raise DomainError("INVALID_ITEM", "the title has no visible character")
    project, opened = project_of(facts, facts.identity.cwd)
    if project is None:
        raise DomainError("NOT_FOUND", "no project is known here")
    root = repository_root(project, facts)
    if known := item_by_key(params.key, root, facts):
        waits, ready = list(known.after), is_ready(known)
        return Change(Result(id=known.id, ready=ready, waits_for=waits, again=True))
    backlog, who = facts.require(BacklogOf(root)) or Backlog(), caller(facts)
    if len(backlog.items) >= MAX_ITEMS:
        raise DomainError("NOT_READY", f"{MAX_ITEMS:,} work items of this project are unfinished")
    number = backlog.next_id
    waiting = _unfinished(params.after, root, backlog, facts)
    later = _unfinished(params.before, root, backlog, facts)
    _expect_no_cycle(number, waiting, later, backlog)
    expect_not_taken(later, backlog)
    item = AddWorkItem(
        number,
        project.id,
        title,
        params.text,
        params.wanted,
        who.name,
        who.conversation,
        who.session_id,
        tuple(dict.fromkeys(params.after)),
        tuple(dict.fromkeys(params.before)),
        params.key,
    )
    moved = () if root == project.repository else (SetRepository(project.id, root),)
    effects: tuple[Effect, ...] = (*opened, *moved, item)
    result = Result(id=number, ready=not waiting, waits_for=list(waiting), again=False)
    return Change(result, effects)


def _unfinished(numbers: list[int], root: str, backlog: Backlog, facts: Facts) -> tuple[int, ...]:
    """Return which of these items are unfinished. NOT_FOUND for one of another repository."""
    for number in numbers:
        item = backlog.find(number) or item_by_id(number, facts)
        if item.repository != root:
            raise DomainError("NOT_FOUND", f"work item {number} is of another project")
    return tuple(number for number in dict.fromkeys(numbers) if backlog.find(number))


def _expect_no_cycle(
    number: int, after: tuple[int, ...], before: tuple[int, ...], backlog: Backlog
) -> None:
    edges = {one.id: one.after for one in backlog.items}
    edges |= {one: (*edges[one], number) for one in before}
    cycle = find_cycle(edges | {number: after}, number)
    if cycle:
        path = " -> ".join(map(str, cycle))
        raise DomainError("DEPENDENCY_CYCLE", f"these work items would wait in a cycle: {path}")


METHOD = ChangeMethod(
    "work.add",
    Params,
    Result,
    caller_place,
    decide,
    (Example({"title": "Document the pages of GET /orders"}, says="NOT_FOUND"),),
)
