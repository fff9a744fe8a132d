"""The sentences that a model reads: factual, short, and never longer than the client takes."""

from datetime import UTC, datetime, timedelta, timezone

from hookd.core.evaluation.texts import context_line, not_judged, with_event_id
from hookd.core.model.facts import Effort, Facts, Project, Session, iso
from hookd.events.protocol import MAX_TEXT_UNITS
from support.parametrize import parametrize_all

EFFORT = Effort(1, "/work/orders/pagination", "implement", phase="tests")


def test_the_context_line_says_time_task_skill_phase_and_heartbeat() -> None:
    facts = Facts(effort=EFFORT, session=Session(1, "s", heartbeat_counter=4))
    assert context_line(facts, 10) == (
        "[Session Context] Time: 2026-01-31T08:00:00.000Z | Session: /work/orders/pagination | "
        "Skill: implement | Phase: tests | Heartbeat: 4/10"
    )


def test_what_is_not_known_is_told_as_none() -> None:
    line = context_line(Facts(effort=Effort(1, "/work/orders", "implement")), 10)
    assert line.endswith("| Phase: none | Heartbeat: 0/10")


def test_without_an_effort_there_is_no_context_line() -> None:
    assert context_line(Facts(session=Session(1, "s", heartbeat_counter=4)), 10) == ""


@parametrize_all(
    ("reason", "expected"),
    [("No.", "No. (hookd #12)"), ("", " (hookd #12)"), ("a" * 9_987, "a" * 9_987 + " (hookd #12)")],
)
def test_a_reason_is_signed_with_the_number_of_its_event(reason: str, expected: str) -> None:
    assert with_event_id(reason, 12) == expected


def test_a_long_reason_loses_its_end_and_never_its_number() -> None:
    said = with_event_id("a" * 20_000, 12)
    assert len(said) == MAX_TEXT_UNITS
    assert said.endswith(
        "[cut by hookd: the whole text is longer than the client takes] (hookd #12)"
    )


def test_a_call_that_was_not_judged_is_told_with_the_reason() -> None:
    assert "(the payload is not JSON)" in not_judged("the payload is not JSON")


MOMENTS = [
    (datetime(2026, 1, 31, 8, tzinfo=UTC), "2026-01-31T08:00:00.000Z"),
    (datetime(2026, 1, 31, 8, 0, 0, 999_999, UTC), "2026-01-31T08:00:00.999Z"),
    (datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=2))), "2025-12-31T23:00:00.000Z"),
]


@parametrize_all(("moment", "text"), MOMENTS)
def test_times_are_utc_with_milliseconds(moment: datetime, text: str) -> None:
    assert iso(moment) == text
    assert Facts(now=moment).at == text


@parametrize_all(
    ("effort", "path"),
    [
        (EFFORT, "/work/orders/pagination/1_IMPLEMENT_LOG.md"),
        (Effort(2, "/w", "code-review", ordinal=12), "/w/12_CODE-REVIEW_LOG.md"),
    ],
)
def test_the_log_of_an_effort_stands_in_its_task(effort: Effort, path: str) -> None:
    assert effort.log_path == path


@parametrize_all(("path", "name"), [("/work/orders", "orders"), ("/", "/"), ("/work/a b", "a b")])
def test_a_project_is_called_by_the_last_part_of_its_path(path: str, name: str) -> None:
    assert Project(1, path).name == name
