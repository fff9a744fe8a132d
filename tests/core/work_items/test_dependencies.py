"""Dependencies of work items: which item is next, what waits for what, and cycles."""

from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.work_items.dependencies import find_cycle, is_ready, next_ready, nothing_ready
from hookd.core.work_items.model import Backlog, WorkItem

NUMBERS = st.integers(1, 8)
EDGES = st.dictionaries(NUMBERS, st.lists(NUMBERS, max_size=4).map(tuple), max_size=8)


def item(number: int, **more: object) -> WorkItem:
    return WorkItem(number, f"Item {number}", **more)  # type: ignore[arg-type]


@given(EDGES, NUMBERS)
def test_a_cycle_is_a_path_from_the_item_to_itself(
    edges: dict[int, tuple[int, ...]], start: int
) -> None:
    cycle = find_cycle(edges, start)
    if cycle:
        assert cycle[0] == cycle[-1] == start
        assert all(after in edges[one] for one, after in pairwise(cycle))
        assert len(set(cycle[:-1])) == len(cycle) - 1, "the shortest one names no item twice"


@given(EDGES)
def test_a_cycle_is_found_exactly_where_there_is_one(edges: dict[int, tuple[int, ...]]) -> None:
    try:
        tuple(TopologicalSorter(edges).static_order())
        circular = False
    except CycleError:
        circular = True
    assert any(find_cycle(edges, one) for one in edges) == circular


@pytest.mark.parametrize(
    ("items", "agent", "number"),
    [
        ((), None, None),
        ((item(1), item(2)), None, 1),
        ((item(1, state="taken"), item(2)), None, 2),
        ((item(1, state="blocked"), item(2, after=(1,))), None, None),
        ((item(1), item(2, wanted="ada")), "ada", 2),
        ((item(1, wanted="ada"),), "bob", None),
        ((item(1, wanted="ada"),), None, None),
    ],
)
def test_the_next_item_is_the_oldest_for_the_agent_alone_then_the_oldest(
    items: tuple[WorkItem, ...], agent: str | None, number: int | None
) -> None:
    found = next_ready(Backlog(items), agent)
    assert (found and found.id) == number
    assert found is None or is_ready(found)


def test_where_nothing_is_ready_each_item_is_explained() -> None:
    assert nothing_ready(Backlog(), None) == "no work item is unfinished in this project"
    items = (
        item(1, state="taken", conversation="c", session_id=7, agent="ada"),
        item(2, state="taken", conversation="d", session_id=8),
        item(3, state="blocked", reason="no key"),
        item(4, after=(1, 2)),
        item(5, wanted="bob"),
        item(6, after=(4,)),
    )
    assert nothing_ready(Backlog(items), None) == (
        "no work item is ready: item 1 is taken by ada; item 2 is taken by session 8;"
        " item 3 is blocked: no key; item 4 waits for 1, 2; item 5 is for bob; 1 more"
    )
