"""What the shim's lines come to: counts by event and reason, and one sentence for a person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.evaluation.unjudged import (
    Missed,
    event_count,
    judged_alone,
    missed_summary,
    parse,
    report,
)
from hookd.core.evaluation.unjudged import format_line as made

AT = "2026-01-31T08:00:00.000Z"
NONE = "no daemon is running"


def line(minute: int, event: str = "PreToolUse", reason: str = NONE) -> str:
    return f"2026-01-30T07:{minute:02}:00Z\t{event}\t{reason}\n"


def test_lines_are_counted_by_event_and_reason() -> None:
    text = line(3) + line(1) + line(2, "Stop") + line(4, reason="the daemon gave no answer")
    assert parse(text, AT) == (
        Missed("PreToolUse", NONE, 2, "2026-01-30T07:01:00.000Z", "2026-01-30T07:03:00.000Z"),
        Missed("Stop", NONE, 1, "2026-01-30T07:02:00.000Z", "2026-01-30T07:02:00.000Z"),
        Missed(
            *("PreToolUse", "the daemon gave no answer", 1),
            *("2026-01-30T07:04:00.000Z", "2026-01-30T07:04:00.000Z"),
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        "\tStop\twhy",
        "2026-01-30T07:01:00Z\tStop",
        "2026-01-30T07:01:00Z\tSt op\twhy",
        "2026-01-30T07:01:00Z\tStop\t\x1b[31mwhy",
        "2026-01-30T07:01:00Z\tStop\t" + "x" * 500,
        "",
    ],
    ids=repr,
)
def test_a_line_that_cannot_be_read_is_counted_all_the_same(text: str) -> None:
    assert parse(f"{text}\n", AT) == (Missed("unknown", "no reason is known", 1, AT, AT),)


@given(st.lists(st.text(st.characters(codec="ascii"))))
def test_no_line_is_lost_whatever_it_holds(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = parse(text, AT)
    assert sum(one.count for one in found) == len(text.splitlines())
    assert all(one.first <= one.last for one in found)


@pytest.mark.parametrize(
    ("text", "full", "said"),
    [
        (line(1), False, f"1 event (PreToolUse) at 2026-01-30 07:01:00 UTC: {NONE}"),
        (
            line(1) + line(2) + line(3, "Stop", "the daemon did not start"),
            False,
            "3 events (PreToolUse, Stop) between 2026-01-30 07:01:00 UTC and 2026-01-30 07:03:00"
            f" UTC: {NONE}; the daemon did not start",
        ),
        (line(1), True, f"at least 1 event (PreToolUse) at 2026-01-30 07:01:00 UTC: {NONE}"),
    ],
)
def test_a_person_reads_how_many_of_which_when_and_why(text: str, full: bool, said: str) -> None:
    assert missed_summary(parse(text, AT, full=full)) == said


def test_of_many_reasons_those_are_told_that_count_most() -> None:
    text = "".join(line(1, reason=f"reason {n}") * n for n in range(1, 6))
    assert missed_summary(parse(text, AT)).endswith(": reason 5; reason 4; reason 3; and others")
    assert event_count(parse(text, AT)) == "15 events"


def test_of_too_many_reasons_the_rest_is_one() -> None:
    found = parse("".join(line(1, reason=f"reason {number}") for number in range(5_000)), AT)
    assert len(found) == 301
    assert sum(one.count for one in found) == 5_000
    assert found[-1] == Missed(
        *("unknown", "no reason is known", 4_700),
        *("2026-01-30T07:01:00.000Z", "2026-01-30T07:01:00.000Z"),
    )


def test_what_was_judged_without_the_daemon_is_told_by_verdict() -> None:
    at, event = "2026-01-30T07:01:00.000Z", "PreToolUse"
    reasons = [judged_alone("deny", "no-rm")] * 2 + [
        judged_alone(None, None),
        judged_alone("ask", "self-guard", 2),
    ]
    text = "".join(made(at, event, one) for one in reasons)
    assert report(parse(text, AT)) == (
        "Without its daemon hookd judged 4 events (PreToolUse) at 2026-01-30 07:01:00 UTC:"
        " 2 denied by no-rm, 1 passed, 1 asked about by self-guard, 2 hooks not run."
    )
    both = report(parse(text + line(2), AT))
    assert both.startswith(
        f"hookd did not judge 1 event (PreToolUse) at 2026-01-30 07:02:00 UTC: {NONE}."
    )


@given(st.text())
def test_whatever_a_rule_is_called_its_line_is_read(rule: str) -> None:
    (one,) = parse(made("2026-01-30T07:01:00.000Z", "Stop", judged_alone("deny", rule)), AT)
    assert (one.event, one.count, one.judged) == ("Stop", 1, True)


def test_a_long_reason_is_cut_at_a_word_and_says_so() -> None:
    (one,) = parse(made("2026-01-30T07:01:00.000Z", "Stop", "word " * 60), AT)
    assert one.reason.endswith("word ...")
    assert report((one,)).endswith("word ...")
