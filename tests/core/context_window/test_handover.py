"""A handover is complete or refused by the field that lacks; the next window reads all of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hookd.core.context_window.handover import Payload, rebuilt_recovery, recovery_text
from hookd.core.model.facts import Effort
from support.parametrize import parametrize_all

GOOD: dict[str, Any] = {
    "summary": "Pages of orders.",
    "lastAction": "Wrote the test.",
    "nextSteps": ["Document it.", "Review."],
    "requiredFiles": ["docs/api.md"],
    "handoverInstructions": "Mind the index.",
    "userHistory": ["pages, please", "and sizes"],
}
EFFORT = Effort(4, "/work/demo", "implement", phase="2: Build")
SAID = st.text(min_size=1, max_size=60).filter(lambda text: bool(text.strip()))

REFUSED = [
    ({"summary": ""}, "summary"),
    ({"summary": " \n\t"}, "summary"),
    ({"summary": 3}, "summary"),
    ({"summary": "x" * 100_001}, "summary"),
    ({"lastAction": ""}, "lastAction"),
    ({"nextSteps": []}, "nextSteps"),
    ({"nextSteps": ["Document it.", " "]}, "nextSteps"),
    ({"nextSteps": "Document it."}, "nextSteps"),
    ({"nextSteps": ["x"] * 101}, "nextSteps"),
    ({"requiredFiles": None}, "requiredFiles"),
    ({"requiredFiles": [""]}, "requiredFiles"),
    ({"requiredFiles": ["x"] * 101}, "requiredFiles"),
    ({"userHistory": {"a": 1}}, "userHistory"),
    ({"notes": "x"}, "notes"),
]


@parametrize_all(("change", "field"), REFUSED)
def test_what_is_incomplete_is_refused_by_its_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Payload.model_validate(GOOD | change)
    assert {error["loc"][0] for error in refused.value.errors()} == {field}
    assert "input_value" not in str(refused.value)


@parametrize_all("field", ["summary", "lastAction", "nextSteps", "requiredFiles"])
def test_a_field_that_lacks_is_refused(field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        Payload.model_validate({key: value for key, value in GOOD.items() if key != field})


@parametrize_all(
    "change", [{}, {"requiredFiles": []}, {"userHistory": "as a text"}, {"userHistory": []}]
)
def test_what_is_complete_is_kept_as_it_was_said(change: dict[str, Any]) -> None:
    assert Payload.model_validate(GOOD | change).model_dump(by_alias=True) == GOOD | change


def test_what_may_lack_is_empty() -> None:
    fields = ("summary", "lastAction", "nextSteps", "requiredFiles")
    kept = Payload.model_validate({key: GOOD[key] for key in fields})
    assert (kept.handover_instructions, kept.user_history) == ("", "")


def test_the_next_window_reads_where_it_comes_from_and_every_part() -> None:
    assert recovery_text(GOOD, EFFORT).split("\n\n") == [
        "## Session Recovery (Dehydrated Context), handover of the previous session",
        "Task: /work/demo | Skill: implement | Phase: 2: Build",
        "### Summary\nPages of orders.",
        "### Last action\nWrote the test.",
        "### Next steps\n1. Document it.\n2. Review.",
        "### Handover instructions\nMind the index.",
        "### What the user asked for\n- pages, please\n- and sizes",
    ]


def test_without_an_effort_and_with_what_is_required_only_there_is_nothing_empty() -> None:
    text = recovery_text({"summary": "S", "lastAction": "L", "nextSteps": ["N"]}, None)
    assert "Task:" not in text
    assert [line for line in text.splitlines() if line.startswith("###")] == [
        "### Summary",
        "### Last action",
        "### Next steps",
    ]


def test_a_history_that_is_one_text_stands_as_it_is() -> None:
    assert recovery_text(GOOD | {"userHistory": "pages"}, None).endswith(
        "### What the user asked for\npages"
    )


@given(SAID, SAID, st.lists(SAID, min_size=1, max_size=5), SAID | st.lists(SAID, max_size=4))
def test_whatever_was_said_is_read_by_the_next_window(
    summary: str, last: str, steps: list[str], history: str | list[str]
) -> None:
    told = {"summary": summary, "lastAction": last, "nextSteps": steps, "userHistory": history}
    kept = Payload.model_validate(told | {"requiredFiles": []}).model_dump(by_alias=True)
    text = recovery_text(kept, EFFORT)
    asked = [history] if isinstance(history, str) else history
    assert all(one in text for one in (summary, last, *steps, *asked))


def test_what_was_rebuilt_says_so() -> None:
    text = rebuilt_recovery(
        Effort(4, "/work/demo", "fix"), (("The log's end", "done"), ("Nothing", ""))
    )
    assert text.split("\n\n") == [
        "## Session Recovery (Dehydrated Context), rebuilt from the effort's files. Earlier"
        " handovers: hookd handover list",
        "Task: /work/demo | Skill: fix | Phase: none",
        "### The log's end\ndone",
    ]
