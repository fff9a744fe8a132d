"""Layout of the board: panes fill the terminal, and none covers another, at any size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.board.layout import MIN_HEIGHT, MIN_WIDTH, Wanted, places


@given(
    st.integers(MIN_WIDTH, 300),
    st.integers(MIN_HEIGHT, 120),
    st.builds(
        Wanted,
        st.sampled_from(["fleet", "stream", "detail", "approvals"]),
        st.integers(0, 3),
        st.integers(0, 20),
        st.integers(0, 300),
    ),
)
def test_panes_fill_the_terminal_and_cover_no_other(
    width: int, height: int, wanted: Wanted
) -> None:
    found = places(width, height, wanted)
    assert wanted.focus in found
    seen: set[tuple[int, int]] = set()
    for place in found.values():
        assert place.width > 0
        assert place.height > 0
        cells = {
            (x, y)
            for x in (place.x, place.x + place.width - 1)
            for y in range(place.y, place.y + place.height)
        }
        assert not cells & seen
        seen |= cells
        assert place.x + place.width <= width
    assert {y for _, y in seen} == set(range(height))


def shown(width: int, height: int, focus: str = "fleet", approvals: int = 0) -> set[str]:
    found = places(width, height, Wanted(focus, 0, approvals, 10))
    return set(found) - {"top", "foot"}


@pytest.mark.parametrize(
    ("size", "focus", "panes"),
    [
        ((80, 24), "fleet", {"fleet", "stream"}),
        ((80, 24), "stream", {"fleet", "stream"}),
        ((80, 24), "detail", {"detail"}),
        ((80, 24), "approvals", {"approvals", "detail"}),
        ((60, 15), "stream", {"stream"}),
        ((120, 40), "fleet", {"fleet", "stream", "detail"}),
        ((200, 60), "detail", {"fleet", "stream", "detail"}),
    ],
)
def test_each_size_shows_what_fits(size: tuple[int, int], focus: str, panes: set[str]) -> None:
    assert shown(*size, focus) == panes


def test_requests_come_up_where_there_is_room() -> None:
    assert "approvals" in shown(120, 40, approvals=2)
    assert "approvals" in shown(200, 60, approvals=2)
    assert "approvals" not in shown(80, 24, approvals=2)


def test_the_fleet_grows_in_steps() -> None:
    heights = [
        places(120, 40, Wanted(sessions=number))["fleet"].height for number in (1, 8, 10, 11, 200)
    ]
    assert heights == [9, 12, 12, 16, 22]
