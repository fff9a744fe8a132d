"""Charts: well-formed XML for any texts and numbers, and the right geometry."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookd.display.charts import WIDTH, Mark, Series, Text, bars, columns, line, safe, short

TEXT = Text("stops", "Stopped calls", "By rule")
ANY_TEXT = st.text(st.characters(), max_size=12)
ANY_NUMBER = st.floats() | st.integers(-(10**6), 10**9)
SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ET.Element:
    """Return a chart as XML, after checks that apply to each."""
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    ids = (root.get("aria-labelledby") or "").split()
    assert [child.get("id") for child in root[:2]] == ids
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in (
            "svg", "title", "desc", "g", "rect", "line", "polyline", "text",
        )  # fmt: skip
        assert not {"style", "onload", "href"} & set(element.keys())
    for name in re.findall(r'\b(?:x|y|width|height|x1|y1)="([^"]*)"', svg):
        assert -1 <= float(name) <= 100_000
    return root


@settings(max_examples=40, deadline=None)
@given(ANY_TEXT, ANY_TEXT, st.lists(st.tuples(ANY_TEXT, ANY_NUMBER), max_size=5), ANY_TEXT)
def test_bars_are_well_formed(
    key: str, title: str, items: list[tuple[str, float]], unit: str
) -> None:
    parsed(bars(Text(key, title, title, unit), items))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(ANY_TEXT, max_size=5),
    st.lists(st.builds(Series, ANY_TEXT, st.lists(ANY_NUMBER, max_size=6)), max_size=3),
)
def test_columns_are_well_formed(labels: list[str], series: list[Series]) -> None:
    parsed(columns(TEXT, labels, series))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(ANY_NUMBER, ANY_NUMBER), max_size=5),
    st.lists(st.builds(Mark, ANY_NUMBER, ANY_TEXT, ANY_TEXT), max_size=3),
    st.lists(st.tuples(ANY_NUMBER, ANY_TEXT), max_size=3),
    st.none() | st.just(1.0),
)
def test_lines_are_well_formed(
    points: list[tuple[float, float]],
    marks: list[Mark],
    labels: list[tuple[float, str]],
    most: float | None,
) -> None:
    parsed(line(TEXT, points, marks, most=most, labels=labels))


def widths(svg: str) -> list[float]:
    return [float(rect.get("width", "")) for rect in parsed(svg).iter(f"{SVG}rect")]


def test_a_bar_is_as_long_as_its_value() -> None:
    first, second, third = widths(bars(TEXT, [("rm", 40), ("mv", 10), ("cp", 0)]))
    assert first == WIDTH - 210 - 70
    assert (second, third) == (first / 4, 0)


def test_a_bar_has_its_label_and_value_for_a_pointer() -> None:
    root = parsed(bars(Text("a", "Stopped calls", "", " ms"), [("<b>&", 3)]))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles == ["Stopped calls", "<b>&: 3 ms"]


def test_the_values_of_a_column_are_stacked() -> None:
    series = [Series("deny", [3, 0]), Series("ask", [1, 2])]
    root = parsed(columns(TEXT, ["Mon", "Tue"], series))
    rects = list(root.iter(f"{SVG}rect"))
    assert [rect.get("class") for rect in rects] == ["c0", "c1", "c1"]
    deny, ask, other = ((float(rect.get("y", "")), float(rect.get("height", ""))) for rect in rects)
    assert ask[0] + ask[1] == pytest.approx(deny[0], abs=0.2)
    assert deny[1] == pytest.approx(3 * ask[1], abs=0.4)
    assert other[1] == pytest.approx(2 * ask[1], abs=0.4)


def test_a_line_has_its_points_and_marks_in_place() -> None:
    marks = [Mark(10, "compacted at 10:00", "compaction")]
    root = parsed(line(TEXT, [(0, 0.0), (10, 0.5), (20, 1.0)], marks, most=1.0))
    (path,) = root.iter(f"{SVG}polyline")
    places = [tuple(map(float, pair.split(","))) for pair in path.get("points", "").split()]
    assert places == [(56, 210), (382, 111), (708, 12)]
    (mark,) = (group for group in root.iter(f"{SVG}g") if "mark" in group.get("class", ""))
    assert mark.get("class") == "mark compaction"
    assert mark[1].get("x1") == "382"


def test_of_many_labels_a_few_are_shown() -> None:
    labels = [f"day {number}" for number in range(60)]
    root = parsed(columns(TEXT, labels, [Series("a", [1] * 60)]))
    shown = [text.text for text in root.iter(f"{SVG}text") if (text.text or "").startswith("day")]
    assert len(shown) == 8


def test_a_chart_without_numbers_is_empty() -> None:
    assert widths(bars(TEXT, [])) == []
    assert widths(columns(TEXT, [], [])) == []
    assert "polyline" not in line(TEXT, [])


@pytest.mark.parametrize(
    ("value", "shown"),
    [(float("nan"), "0"), (-4, "0"), (999, "999"), (1_000, "1k"), (2.5, "2.5"), (0.031, "0.031")],
)
def test_a_number_is_short(value: float, shown: str) -> None:
    assert short(value) == shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<script>", "&lt;script&gt;"),
        ("\x1b[1m", "\\x1b[1m"),
        ("\ufffe", "\ufffd"),
        ('"', "&quot;"),
    ],
)
def test_a_text_is_escaped_for_xml(text: str, expected: str) -> None:
    assert safe(text) == expected
