"""Text of the board: any text fits its columns, and none reaches the terminal unescaped."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from hookd.cli.board.text import (
    Span,
    age,
    bar,
    clip,
    clock,
    cut,
    fit,
    safe,
    safe_lines,
    spread,
    width_of,
    wrapped,
)
from support.hostile_texts import TEXTS

ANY = st.text(st.characters(), max_size=60) | st.sampled_from([one.text for one in TEXTS])
NOW = datetime(2026, 1, 31, 8, 0, tzinfo=UTC)


@given(ANY)
def test_a_safe_text_is_printable_and_can_be_written(text: str) -> None:
    shown = safe(text)
    assert shown.isprintable()
    shown.encode()


@given(ANY, st.integers(0, 30))
def test_a_fitted_text_has_exactly_its_columns(text: str, width: int) -> None:
    assert cell_len(fit(safe(text), width)) == width
    assert cell_len(fit(safe(text), width, right=True)) == width
    assert cell_len(clip(safe(text), width)) <= width


@given(ANY, st.integers(2, 30))
def test_wrapped_lines_fit_and_keep_every_character(text: str, width: int) -> None:
    lines = wrapped(safe(text), width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == safe(text).replace(" ", "")


@given(st.lists(ANY, max_size=4), st.lists(ANY, max_size=3), st.integers(0, 60))
def test_a_line_is_no_wider_than_its_pane(left: list[str], right: list[str], width: int) -> None:
    spans = [Span(safe(text)) for text in left]
    ends = [Span(safe(text)) for text in right]
    assert width_of(cut(spans, width)) <= width
    assert width_of(spread(spans, ends, width)) <= width


def test_what_a_person_reads_is_kept() -> None:
    assert safe("déjà vu  日本") == "déjà vu  日本"
    assert safe("a\n\tb") == "a b"
    assert safe("\x1b[31mred\u202e") == "\\x1b[31mred\\u202e"
    assert safe("[red]x[/red]") == "[red]x[/red]"
    assert safe(None) == ""
    assert safe("half \ud800") == "half \\ud800"


def test_lines_keep_their_indentation_and_are_limited() -> None:
    assert safe_lines("a:\n\tb\x07\n\n c") == ["a:", "    b\\x07", "", " c"]
    assert safe_lines("x\n" * 5, 2) == ["x", "x", "… 3 more lines"]


@pytest.mark.parametrize(
    ("share", "full", "empty"),
    [(0, "", "────"), (0.5, "━━", "──"), (0.6, "━━╸", "─"), (1.4, "━━━━", ""), (-1, "", "────")],
)
def test_bars(share: float, full: str, empty: str) -> None:
    assert bar(share, 4) == (full, empty)


@pytest.mark.parametrize(
    ("since", "shown"),
    [
        ("2026-01-31T07:59:15.000Z", "45s"),
        ("2026-01-31T07:48:00.000Z", "12m"),
        ("2026-01-31T05:00:00.000Z", "3h"),
        ("2026-01-26T05:00:00.000Z", "5d"),
        ("2026-01-31T08:00:05.000Z", "0s"),
        ("2026-01-31T08:00:05.000", ""),
        ("yesterday", ""),
        (None, ""),
    ],
)
def test_ages(since: str | None, shown: str) -> None:
    assert age(since, NOW) == shown
    assert age(since, None) == ""


def test_times_of_day_are_local() -> None:
    assert clock("2026-01-31T08:00:05.000Z") == "09:00:05"  # tests run at UTC+1
    assert clock("soon") == clock(None) == "--:--:--"
    assert clock("0001-01-01T00:00:00+14:00") == "--:--:--"
