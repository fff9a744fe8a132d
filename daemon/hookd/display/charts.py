"""Charts as SVG text: bars, stacked columns, and lines with marks.

A chart has a title and a description for screen readers; the table of its numbers is beside it.
Colours are classes (`c0` to `c7`), so that a style sheet sets them for dark and light; there is no
script and no style attribute, which a strict Content-Security-Policy would block. Every text is
escaped here.
"""

import math
import re
from collections.abc import Iterator, Sequence
from html import escape

from hookd.display.text import one_line
from hookd.lazy_dataclass import dataclass

WIDTH = 720
_HEIGHT, _TOP, _BOTTOM, _LEFT, _RIGHT = 240, 12, 30, 56, 12
_ROW, _BAR, _LABEL_WIDTH, _VALUE_WIDTH = 24, 16, 210, 70
_MAX_LABEL_CHARS, _MAX_TICK_CHARS, _AXIS_CHARS = 30, 16, 88
COLOURS = 8
"""Number of classes of colours; more series repeat them."""

_MAX_TICKS = 8
_MOST = 1e100
"""Larger numbers are drawn as this one: their sums must stay finite."""

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML does not allow, not even as references."""


@dataclass(frozen=True, slots=True)
class Series:
    """One colour of a chart: a value for each column."""

    name: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Mark:
    """A vertical line at `x` of a chart of points; `kind` is a class, such as compaction."""

    x: float
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Text:
    """Title and description of a chart, and the unit of its values, such as " ms".

    `key` is unique on its page: the ids are made of it.
    """

    key: str
    title: str
    description: str
    unit: str = ""


def bars(text: Text, items: Sequence[tuple[str, float]]) -> str:
    """Return horizontal bars, each with its label and its value, in the order given."""
    most = max((_number(value) for _, value in items), default=0.0)
    room = WIDTH - _LABEL_WIDTH - _VALUE_WIDTH
    parts = []
    for place, (label, value) in enumerate(items):
        top, long = place * _ROW, room * _share(_number(value), most)
        middle = top + _BAR
        shown = f"{short(value)}{text.unit}"
        parts.append(
            f"<g><title>{safe(label)}: {safe(shown)}</title>"
            f'<text class="label" x="{_LABEL_WIDTH - 8}" y="{middle}" text-anchor="end">'
            f"{safe(label, _MAX_LABEL_CHARS)}</text>"
            f'<rect class="c0" x="{_LABEL_WIDTH}" y="{top + 4}" width="{_px(long)}"'
            f' height="{_BAR}" rx="2"/>'
            f'<text class="value" x="{_px(_LABEL_WIDTH + long + 6)}" y="{middle}">'
            f"{safe(shown)}</text></g>"
        )
    return _svg(text, max(1, len(items)) * _ROW + 4, parts)


def columns(text: Text, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Return a column for each label, in which the values of all series are stacked."""
    sums = [sum(_value(one, place) for one in series) for place in range(len(labels))]
    most = _ceiling(max(sums, default=0.0))
    step = (WIDTH - _LEFT - _RIGHT) / max(1, len(labels))
    parts = list(_grid(most, text.unit))
    for place, label in enumerate(labels):
        base = float(_HEIGHT - _BOTTOM)
        left = _px(_LEFT + place * step + step * 0.1)
        for number, one in enumerate(series):
            value = _value(one, place)
            high = _plot_height() * _share(value, most)
            base -= high
            if high > 0:
                said = f"{label}, {one.name}: {short(value)}{text.unit}"
                parts.append(
                    f'<rect class="c{number % COLOURS}" x="{left}" y="{_px(base)}"'
                    f' width="{_px(step * 0.8)}" height="{_px(high)}">'
                    f"<title>{safe(said)}</title></rect>"
                )
    parts += _labels([(_LEFT + (place + 0.5) * step, label) for place, label in enumerate(labels)])
    return _svg(text, _HEIGHT, parts)


def line(
    text: Text,
    points: Sequence[tuple[float, float]],
    marks: Sequence[Mark] = (),
    *,
    most: float | None = None,
    labels: Sequence[tuple[float, str]] = (),
) -> str:
    """Return a line through points (x, y), with vertical lines at marks.

    The y axis ends at `most`, or at the highest point; `labels` are texts at places of the x axis.
    """
    places = [_number(x) for x, _ in points] + [_number(mark.x) for mark in marks]
    places += [_number(x) for x, _ in labels]
    first, last = min(places, default=0.0), max(places, default=1.0)
    top = _ceiling(max((_number(y) for _, y in points), default=0.0)) if most is None else most

    def across(x: float) -> float:
        part = (_number(x) - first) / (last - first) if last > first else 0.5
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * part

    def down(y: float) -> float:
        return _HEIGHT - _BOTTOM - _plot_height() * _share(_number(y), top)

    parts = list(_grid(top, text.unit))
    path = " ".join(f"{_px(across(x))},{_px(down(y))}" for x, y in points)
    if path:
        parts.append(f'<polyline class="line c0" fill="none" points="{path}"/>')
    for mark in marks:
        x = _px(across(mark.x))
        kind = re.sub(r"[^a-z-]", "", mark.kind.lower())
        parts.append(
            f'<g class="mark {kind}"><title>{safe(mark.label)}</title>'
            f'<line x1="{x}" y1="{_TOP}" x2="{x}" y2="{_HEIGHT - _BOTTOM}"/></g>'
        )
    parts += _labels([(across(x), label) for x, label in labels])
    return _svg(text, _HEIGHT, parts)


def safe(value: object, limit: int | None = None) -> str:
    """Return a text for XML: hostile characters visible, markup escaped."""
    return escape(_ILLEGAL.sub("\ufffd", one_line(str(value), limit)))


def short(value: float) -> str:
    """Return a number in few characters.

    >>> [short(value) for value in (0, 0.25, 7, 1_234, 45_600_000)]
    ['0', '0.25', '7', '1.2k', '45.6M']
    """
    number = _number(value)
    for bound, name in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= bound:
            return f"{number / bound:.3g}{name}" if number < 1e15 else f"{number:.2g}"
    return f"{number:.0f}" if number == round(number) else f"{number:.2g}"


def _svg(text: Text, height: int, parts: Sequence[str]) -> str:
    key = re.sub(r"[^A-Za-z0-9_-]", "-", text.key)
    return (
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' role="img" aria-labelledby="{key}-title {key}-text">'
        f'<title id="{key}-title">{safe(text.title)}</title>'
        f'<desc id="{key}-text">{safe(text.description)}</desc>{"".join(parts)}</svg>'
    )


def _grid(most: float, unit: str) -> Iterator[str]:
    """Yield the horizontal lines at 0, a half and all of the y axis, with their values."""
    for part in (0.0, 0.5, 1.0):
        y = _px(_HEIGHT - _BOTTOM - _plot_height() * part)
        yield f'<line class="grid" x1="{_LEFT}" y1="{y}" x2="{WIDTH - _RIGHT}" y2="{y}"/>'
        yield (
            f'<text class="axis" x="{_LEFT - 6}" y="{y}" dy="4" text-anchor="end">'
            f"{safe(short(most * part) + unit)}</text>"
        )


def _labels(labels: Sequence[tuple[float, str]]) -> Iterator[str]:
    """Yield texts below the x axis; of many, only so many that they do not overlap."""
    shown = [(x, safe(label, _MAX_TICK_CHARS)) for x, label in labels]
    longest = max([1, *(len(label) for _, label in shown)])
    ticks = max(1, min(_MAX_TICKS, _AXIS_CHARS // longest))
    step = max(1, math.ceil(len(shown) / ticks))
    for x, label in shown[::step]:
        yield (
            f'<text class="axis" x="{_px(x)}" y="{_HEIGHT - 10}" text-anchor="middle">'
            f"{label}</text>"
        )


def _plot_height() -> int:
    return _HEIGHT - _TOP - _BOTTOM


def _number(value: float) -> float:
    """Return a finite number of at least zero, for any number."""
    return min(max(value, 0.0), _MOST) if math.isfinite(value) else 0.0


def _value(series: Series, place: int) -> float:
    return _number(series.values[place]) if place < len(series.values) else 0.0


def _share(value: float, most: float) -> float:
    return min(value / most, 1.0) if most > 0 else 0.0


def _ceiling(value: float) -> float:
    """Return the next number of 1, 2 or 5 times a power of ten; 1 for zero."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next((power * step for step in (1, 2, 5) if power * step >= value), power * 10)


def _px(value: float) -> str:
    """Return a length with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")
