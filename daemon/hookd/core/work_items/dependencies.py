"""Dependencies of work items: which are ready, what waits for what, and cycles."""

from collections.abc import Iterable, Mapping

from hookd.core.work_items.model import Backlog, WorkItem

_NAMED = 5
"""Items that a sentence about a backlog names."""


def next_ready(backlog: Backlog, agent: str | None) -> WorkItem | None:
    """Return the item that an agent takes next: the oldest for it alone, else the oldest of all.

    >>> mine, other = WorkItem(2, "Review", wanted="ada"), WorkItem(1, "Build")
    >>> next_ready(Backlog((other, mine)), "ada").id, next_ready(Backlog((other, mine)), None).id
    (2, 1)
    """
    ready = [one for one in backlog.items if is_ready(one) and one.wanted in (None, agent)]
    return min(ready, key=lambda one: (one.wanted is None, one.id), default=None)


def is_ready(item: WorkItem) -> bool:
    """Return whether an item can be taken: it is open, and all that it waits for is done."""
    return item.state == "open" and not item.after


def find_cycle(edges: Mapping[int, Iterable[int]], start: int) -> tuple[int, ...]:
    """Return the shortest cycle through an item, from it to itself; empty if there is none.

    `edges` maps an item to those that it waits for.

    >>> find_cycle({3: (5,), 5: (4, 3), 4: ()}, 3)
    (3, 5, 3)
    """
    came: dict[int, int] = {}
    front = [start]
    while front:
        reached: list[int] = []
        for item in front:
            for after in edges.get(item, ()):
                if after == start:
                    return (*_path(came, start, item), start)
                if after not in came:
                    came[after] = item
                    reached.append(after)
        front = reached
    return ()


def _path(came: Mapping[int, int], start: int, end: int) -> tuple[int, ...]:
    steps = [end]
    while steps[-1] != start:
        steps.append(came[steps[-1]])
    return tuple(reversed(steps))


def nothing_ready(backlog: Backlog, agent: str | None) -> str:
    """Return why an agent can take nothing: each item's owner, or what it waits for."""
    if not backlog.items:
        return "no work item is unfinished in this project"
    told = [_waiting(one, agent) for one in backlog.items[:_NAMED]]
    more = len(backlog.items) - len(told)
    rest = f"; {more} more" if more else ""
    return f"no work item is ready: {'; '.join(told)}{rest}"


def _waiting(item: WorkItem, agent: str | None) -> str:
    if item.state == "taken":
        return f"item {item.id} is taken by {item.owner}"
    if item.state == "blocked":
        return f"item {item.id} is blocked: {item.reason or 'without a reason'}"
    if item.after:
        return f"item {item.id} waits for {', '.join(map(str, item.after))}"
    return f"item {item.id} is for {item.wanted}" if item.wanted != agent else f"item {item.id}"
