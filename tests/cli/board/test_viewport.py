"""Viewport: the cursor stays on its row, and on the screen, whatever happens to the rows."""

from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.board.text import Item
from hookd.cli.board.viewport import Viewport


def items(*keys: str | None) -> list[Item]:
    return [Item(key, key) for key in keys]


def unique(keys: list[str | None]) -> list[Item]:
    """Return rows without a second one of the same key."""
    return items(*(key for place, key in enumerate(keys) if not key or key not in keys[:place]))


ROWS = st.lists(st.none() | st.integers(0, 40).map(str), max_size=30).map(unique)
MOVES = st.lists(
    st.tuples(st.sampled_from(["move", "page", "scroll", "end"]), st.integers(-3, 3)), max_size=6
)


def moved(view: Viewport, rows: list[Item], how: str, steps: int) -> None:
    if how == "end":
        view.end(rows, last=steps > 0)
    elif steps:
        getattr(view, how)(rows, steps)


@given(st.lists(ROWS, min_size=1, max_size=4), st.integers(1, 12), MOVES, st.booleans())
def test_what_is_visible_is_always_a_part_of_the_rows(
    states: list[list[Item]], height: int, moves: list[tuple[str, int]], follows: bool
) -> None:
    view = Viewport(follows=follows)
    for rows in states:
        view.arrange(rows, height)
        for how, steps in moves:
            moved(view, rows, how, steps)
            shown = view.visible(rows)
            assert len(shown) == min(height, len(rows))
            assert view.key is None or view.key in {item.key for item in rows}
            assert (view.key is None) == all(item.key is None for item in rows)


def test_the_cursor_stays_on_its_row() -> None:
    view = Viewport()
    view.arrange(items("a", "b", "c"), 2)
    view.move(items("a", "b", "c"), 1)
    view.arrange(items("x", "y", "a", "b"), 2)
    assert view.key == "b"
    assert [item.key for item in view.visible(items("x", "y", "a", "b"))] == ["a", "b"]
    view.arrange(items("x", "y", "a"), 2)
    assert view.key == "a", "the row is gone: the one before it is selected"


def test_rows_out_of_sight_are_counted() -> None:
    rows = items(None, "a", None, "b", "c", "d")
    view = Viewport()
    view.arrange(rows, 2)
    assert view.hidden(rows) == (0, 3), "a heading is no row"
    view.end(rows, last=True)
    assert view.hidden(rows) == (2, 0)
    text = items(None, None, None)
    view.arrange(text, 2)
    assert sum(view.hidden(text)) == 1, "lines, where there are no rows"
    tail = Viewport(follows=True)
    tail.arrange(rows, 2)
    assert tail.hidden(rows) == (0, 0), "there is always something above a followed end"


def test_headings_are_passed_over_and_stay_in_sight() -> None:
    rows = items(None, "a", None, "b", "c", "d")
    view = Viewport()
    view.arrange(rows, 4)
    assert view.key == "a"
    view.move(rows, 1)
    assert view.key == "b"
    view.end(rows, last=True)
    view.end(rows, last=False)
    assert (view.key, view.top) == ("a", 0)


def test_the_end_is_followed_until_the_cursor_leaves_it() -> None:
    view = Viewport(follows=True)
    rows = items(*map(str, range(10)))
    view.arrange(rows, 4)
    assert (view.key, view.at_tail) == ("9", True)
    view.move(rows, -1)
    assert not view.at_tail
    view.arrange(rows + items("10"), 4)
    assert view.key == "8"
    view.end(rows, last=True)
    view.arrange(rows + items("10", "11"), 4)
    assert view.key == "11"


def test_text_without_rows_to_select_scrolls() -> None:
    rows = items(*[None] * 20)
    view = Viewport()
    view.arrange(rows, 5)
    view.move(rows, 3)
    assert view.top == 3
    view.page(rows, 1)
    assert view.top == 7
    view.end(rows, last=True)
    assert view.top == 15
    view.end(rows, last=False)
    assert view.top == 0


def test_long_text_between_rows_is_scrolled_through() -> None:
    rows = items("a", *[None] * 10, "b")
    view = Viewport()
    view.arrange(rows, 4)
    view.move(rows, 1)
    assert (view.key, view.top) == ("a", 1)
    view.move(rows, 20)
    assert view.key == "b"
