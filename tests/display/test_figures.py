"""Figures: the numbers of a table are those of its chart, and a chart without numbers is empty."""

from xml.etree import ElementTree as ET

import pytest

from hookd.display import figures

BOUNDS = (1_000, 5_000, None)


def stopped(day: str, rule: str, verdict: str, events: int) -> dict[str, object]:
    return {"day": day, "rule": rule, "verdict": verdict, "events": events}


ROWS = [
    stopped("2026-01-30", "rm", "deny", 5),
    stopped("2026-01-31", "rm", "ask", 1),
    stopped("2026-01-31", "push", "ask", 2),
]
DAYS = ["2026-01-29", "2026-01-30", "2026-01-31"]


def test_rules_are_ordered_by_what_they_stopped() -> None:
    figure = figures.stopped_by_rule(ROWS)
    assert figure.rows == (("rm", "5", "1"), ("push", "0", "2"))
    assert not figure.empty
    ET.fromstring(figure.svg)


def test_days_have_a_column_for_each_rule() -> None:
    figure = figures.stopped_by_day(ROWS, DAYS)
    assert figure.headings == ("day", "rm", "push")
    assert figure.rows == (("2026-01-30", "5", "0"), ("2026-01-31", "1", "2"))
    assert figure.legend == (("c0", "rm"), ("c1", "push"))


def test_many_series_are_added_up_as_others() -> None:
    rows = [stopped("2026-01-31", f"rule {number}", "deny", 20 - number) for number in range(12)]
    figure = figures.stopped_by_day(rows, DAYS)
    assert len(figure.legend) == 8
    assert figure.legend[-1] == ("c7", "others")
    assert figure.rows[0][-1] == str(sum(20 - number for number in range(7, 12)))


def test_costs_are_in_dollars() -> None:
    rows = [{"day": "2026-01-31", "project": "", "usd": 1.5}]
    figure = figures.costs_by_day(rows, DAYS)
    assert figure.headings == ("day", "no project")
    assert figure.rows == (("2026-01-31", "$1.50"),)


def test_tools_have_their_calls() -> None:
    figure = figures.tools([{"tool": "Bash", "calls": 1_200, "stopped": 3}])
    assert figure.rows == (("Bash", "1,200", "3"),)


def test_durations_have_shares() -> None:
    figure = figures.durations([("2026-01-31T08", (6, 3, 1))], BOUNDS)
    assert figure.rows == (
        ("≤ 1 ms", "6", "60.0%"),
        ("≤ 5 ms", "3", "30.0%"),
        ("> 5 ms", "1", "10.0%"),
    )


def test_durations_by_hour_are_coarse() -> None:
    figure = figures.durations_by_hour([("2026-01-31T08", (6, 3, 1))], BOUNDS)
    assert figure.headings == ("hour", "up to 1 ms", "up to 5 ms", "longer")
    assert figure.rows == (("2026-01-31 08", "6", "3", "1"),)
    assert 'text-anchor="middle">2026-01-31 08<' in figure.svg


def test_names_of_hours_do_not_overlap() -> None:
    hours = [(f"2026-01-31T{hour:02}", (6, 3, 1)) for hour in range(24)]
    svg = figures.durations_by_hour(hours, BOUNDS).svg
    assert svg.count('text-anchor="middle">2026-01-31 ') == 6


def test_the_context_has_its_marks() -> None:
    history = [
        {"at": f"2026-01-31T08:0{minute}:00.000Z", "usage": minute / 10} for minute in (1, 9)
    ]
    figure = figures.context(history, [("2026-01-31T08:05:00.000Z", "compacted", "compaction")])
    assert figure.rows == ((history[0]["at"], "10%"), (history[1]["at"], "90%"))
    assert 'class="mark compaction"' in figure.svg
    assert figure.legend == (("mark compaction", "compaction"),)


@pytest.mark.parametrize(
    "figure",
    [
        figures.stopped_by_rule([]),
        figures.stopped_by_day([], DAYS),
        figures.costs_by_day([], DAYS),
        figures.tools([]),
        figures.durations([], BOUNDS),
        figures.durations_by_hour([], BOUNDS),
        figures.context([], []),
    ],
)
def test_without_numbers_there_is_nothing_to_draw(figure: figures.Figure) -> None:
    assert (figure.empty, figure.svg, figure.rows) == (True, "", ())


@pytest.mark.parametrize(
    ("first", "last", "count"),
    [("2026-01-30", "2026-02-01T08:00", 3), ("2026-02-01", "2026-01-01", 0), ("x", "y", 0),
     ("0001-01-01", "2026-01-01", 401)],
)  # fmt: skip
def test_days_between_two_times(first: str, last: str, count: int) -> None:
    assert len(figures.days_between(first, last)) == count
