"""Figures of statistics: a chart, its legend, and the table with the same numbers beside it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from hookd.display import charts
from hookd.display.amounts import dollars, parsed_time, percent
from hookd.display.charts import COLOURS, Mark, Series, Text
from hookd.lazy_dataclass import dataclass

Row = Mapping[str, Any]

_MOST_BARS = 15
_MOST_SERIES = COLOURS - 1
"""Series that have a colour of their own; the others are added up as one more."""

_OTHERS = "others"
_MAX_DAYS = 400
_HOUR_CLASSES = ((1_000, "up to 1 ms"), (5_000, "up to 5 ms"), (50_000, "up to 50 ms"))
"""Coarse classes of durations, in microseconds, for the chart by hour."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart as SVG text, with a legend (class, name) and a table.

    `empty`: there is nothing to draw, and `svg` is "".
    """

    key: str
    title: str
    svg: str
    legend: tuple[tuple[str, str], ...]
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.svg


def days_between(first: str, last: str) -> list[str]:
    """Return every day from `first` to `last`, as 2026-01-31; of more than 400, the last ones."""
    try:
        begin, end = date.fromisoformat(first[:10]), date.fromisoformat(last[:10])
    except ValueError:
        return []
    begin = max(begin, end - timedelta(days=min(_MAX_DAYS, (end - date.min).days)))
    return [str(begin + timedelta(days=number)) for number in range((end - begin).days + 1)]


def stopped_by_rule(rows: Iterable[Row]) -> Figure:
    """Return the rules that denied or asked, most often first."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: {"deny": 0, "ask": 0})
    for row in rows:
        counts[row["rule"]][row["verdict"]] += row["events"]
    order = sorted(counts, key=lambda rule: (-sum(counts[rule].values()), rule))
    text = Text("rules", "Stopped by rule", "How many events each rule denied or asked about.")
    items = [(rule, float(sum(counts[rule].values()))) for rule in order[:_MOST_BARS]]
    table = [
        (rule, *(f"{counts[rule][verdict]:,}" for verdict in ("deny", "ask"))) for rule in order
    ]
    return _bars(text, items, ("rule", "denied", "asked about"), table)


def stopped_by_day(rows: Iterable[Row], days: Sequence[str]) -> Figure:
    """Return for each day how many events each rule denied or asked about."""
    text = Text("days", "Stopped by day", "Events denied or asked about on each day, by rule.")
    found = ((row["day"], row["rule"], row["events"]) for row in rows)
    return _by_column(text, "day", found, days, _count)


def events_by_minute(rows: Iterable[Row], times: Sequence[str]) -> Figure:
    """Return for each time of a day, such as 08:15, how many events had each decision."""
    text = Text("minutes", "Events by minute", "Events from each time on, by decision.")
    found = (
        (
            row["minute"][len("2026-01-31T") :][: len("08:15")],
            row["decision"] or "none",
            row["events"],
        )
        for row in rows
    )
    return _by_column(text, "from (UTC)", found, times, _count)


def costs_by_day(rows: Iterable[Row], days: Sequence[str]) -> Figure:
    """Return for each day what the sessions of each project cost."""
    text = Text("costs", "Cost by day", "US dollars on each day (UTC), by project.", " $")
    found = ((row["day"], row["project"] or "no project", row["usd"]) for row in rows)
    return _by_column(text, "day", found, days, dollars)


def tools(rows: Sequence[Row]) -> Figure:
    """Return how many of the newest calls each tool had."""
    text = Text("tools", "Tools", "Calls of each tool among the newest 20,000 events.")
    items = [(row["tool"], float(row["calls"])) for row in rows[:_MOST_BARS]]
    table = [(row["tool"], f"{row['calls']:,}", f"{row['stopped']:,}") for row in rows]
    return _bars(text, items, ("tool", "calls", "stopped"), table)


Durations = Sequence[tuple[str, Sequence[int]]]
"""Hours, each with the events of each class."""


def durations(rows: Durations, bounds_us: Sequence[int | None]) -> Figure:
    """Return how many hooks took how long."""
    text = Text("durations", "Duration of hooks", "Hooks by the time that they took.")
    names = [_bound(bounds_us, place) for place in range(len(bounds_us))]
    sums = [float(sum(row[1][place] for row in rows)) for place in range(len(bounds_us))]
    if not any(sums):
        return _nothing(text, ("duration", "hooks", "share"))
    whole = sum(sums)
    table = [
        (name, f"{value:,.0f}", f"{value / whole:.1%}")
        for name, value in zip(names, sums, strict=True)
    ]
    svg = charts.columns(text, names, [Series("hooks", sums)])
    return Figure(text.key, text.title, svg, (), ("duration", "hooks", "share"), tuple(table))


def durations_by_hour(rows: Durations, bounds_us: Sequence[int | None]) -> Figure:
    """Return for each hour how many hooks were how fast."""
    text = Text("hours", "Duration of hooks by hour", "Hooks of each hour (UTC), by duration.")
    found = [
        (hour.replace("T", " "), _coarse(bound), count)
        for hour, counts in rows
        for bound, count in zip(bounds_us, counts, strict=True)
        if count
    ]
    hours = [hour.replace("T", " ") for hour, _ in rows]
    return _by_column(text, "hour", found, hours, _count)


def context(history: Sequence[Row], marks: Iterable[tuple[str, str, str]]) -> Figure:
    """Return the share of a session's context window over time.

    `history` are its changes (at, usage); `marks` are times with a label and a kind, such as
    ("2026-01-31T08:00:00.000Z", "compacted", "compaction").
    """
    text = Text("context", "Context window", "Used share of the context window over time.", "%")
    points = [(_seconds(row["at"]), row["usage"] * 100) for row in history]
    headings = ("time", "used")
    if not points:
        return _nothing(text, headings)
    lines = [Mark(_seconds(at), label, kind) for at, label, kind in marks]
    labels = [(_seconds(row["at"]), row["at"][11:16]) for row in (history[0], history[-1])]
    svg = charts.line(text, points, lines, most=100.0, labels=labels)
    table = tuple((row["at"], percent(row["usage"])) for row in history)
    kinds = dict.fromkeys(mark.kind for mark in lines)
    legend = tuple((f"mark {kind}", kind) for kind in kinds)
    return Figure(text.key, text.title, svg, legend, headings, table)


def _bars(
    text: Text,
    items: Sequence[tuple[str, float]],
    headings: tuple[str, ...],
    table: Sequence[tuple[str, ...]],
) -> Figure:
    if not items:
        return _nothing(text, headings)
    svg = charts.bars(text, items)
    return Figure(text.key, text.title, svg, (), headings, tuple(table))


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _by_column(
    text: Text,
    heading: str,
    rows: Iterable[tuple[str, str, float]],
    columns: Sequence[str],
    show: Callable[[float], str],
) -> Figure:
    """Return stacked columns for rows of (column, series, value); the largest series first."""
    values: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for column, name, value in rows:
        values[name][column] += value
    order = sorted(values, key=lambda name: (-sum(values[name].values()), name))
    series = [
        Series(name, [values[name][column] for column in columns]) for name in order[:_MOST_SERIES]
    ]
    if rest := order[_MOST_SERIES:]:
        summed = [sum(values[name][column] for name in rest) for column in columns]
        series.append(Series(_OTHERS, summed))
    headings = (heading, *(one.name for one in series))
    if not any(value for one in series for value in one.values):
        return _nothing(text, headings[:1])
    table = tuple(
        (column, *(show(one.values[place]) for one in series))
        for place, column in enumerate(columns)
        if any(one.values[place] for one in series)
    )
    legend = tuple((f"c{place % COLOURS}", one.name) for place, one in enumerate(series))
    svg = charts.columns(text, columns, series)
    return Figure(text.key, text.title, svg, legend, headings, table)


def _nothing(text: Text, headings: tuple[str, ...]) -> Figure:
    return Figure(text.key, text.title, "", (), headings, ())


def _bound(bounds_us: Sequence[int | None], place: int) -> str:
    """Return the name of a class of durations: up to its bound, or longer than the one before."""
    bound = bounds_us[place]
    if bound is None:
        before = bounds_us[place - 1] if place else 0
        return f"> {(before or 0) / 1_000:g} ms"
    return f"≤ {bound / 1_000:g} ms"


def _coarse(bound_us: int | None) -> str:
    for limit, name in _HOUR_CLASSES:
        if bound_us is not None and bound_us <= limit:
            return name
    return "longer"


def _seconds(timestamp: str) -> float:
    moment = parsed_time(timestamp)
    return moment.timestamp() if moment else 0.0
