"""The result of a call is found in its response, whatever its shape."""

from typing import Any

from hookd.events.model import HookInput, PostToolUse, PostToolUseFailure
from hookd.events.tool_results import (
    MAX_ERROR_CHARS,
    error_of,
    failures,
    reported_state,
    text_of,
    unreported,
)
from support.parametrize import parametrize_all

TEXTS = [
    ("a", "a"),
    (["a", {"type": "text", "text": "b"}, {"type": "image", "data": "x"}, 7], "a\nb"),
    ({"content": "a"}, "a"),
    ({"content": [{"type": "text", "text": "a"}]}, "a"),
    ({"content": []}, ""),
    ({"stdout": "a"}, None),
    ({"content": {"text": "a"}}, None),
    (None, None),
    (7, None),
]


@parametrize_all(("response", "text"), TEXTS)
def test_the_text_of_a_response_is_found_where_its_shape_is_known(
    response: Any, text: str | None
) -> None:
    assert text_of(response) == text


ERRORS = [
    ("Error: no", "Error: no"),
    ("  [ERROR] no", "[ERROR] no"),
    ("<tool_use_error>no</tool_use_error>", "no"),
    ("Invalid arguments: x", "Invalid arguments: x"),
    ("The error: it was found and mended.", ""),
    ({"error": "no"}, "no"),
    ({"error": " "}, ""),
    ({"is_error": True, "content": "no"}, "no"),
    ({"isError": True}, "error"),
    ({"status": "failed", "content": []}, "error"),
    ({"status": "completed", "content": "about an error: none"}, ""),
    (None, ""),
    ("Error: " + "x" * 100_000, "Error: " + "x" * (MAX_ERROR_CHARS - 7)),
]


@parametrize_all(("response", "error"), ERRORS)
def test_a_response_is_an_error_where_it_says_so_and_not_where_it_speaks_of_one(
    response: Any, error: str
) -> None:
    assert error_of(response) == error


def batch(calls: Any) -> HookInput:
    return HookInput.model_validate({"hook_event_name": "PostToolBatch", "tool_calls": calls})


@parametrize_all(
    "calls",
    [
        None,
        {},
        [None, 7, "x"],
        [{}],
        [{"tool_name": "Edit", "tool_response": "done"}],
        [{"tool_name": "Edit", "tool_response": "a <tool_use_error>no</tool_use_error>"}],
        [{"tool_name": 7, "tool_response": "<tool_use_error>no</tool_use_error>"}],
        [{"tool_name": "Edit", "tool_response": "<tool_use_error></tool_use_error>"}],
        [{"tool_name": "Read", "tool_response": "<tool_use_error>no</tool_use_error>"}],
    ],
)
def test_a_batch_without_a_refused_call_of_these_tools_holds_no_failure(calls: Any) -> None:
    assert failures(batch(calls), frozenset({"Edit"})) == ()


def test_a_refused_call_of_a_batch_is_a_failure_of_which_is_spoken_once() -> None:
    refused = [{"type": "text", "text": "<tool_use_error>no</tool_use_error>"}]
    call = {"tool_name": "Edit", "tool_input": 7, "tool_use_id": "t1", "tool_response": refused}
    found = failures(batch([call]), frozenset({"Edit"}))
    assert [(one.tool, one.input, one.call, one.text) for one in found] == [
        ("Edit", {}, "t1", "no")
    ]
    state = reported_state(found, {"told": [str(number) for number in range(100)]})
    assert len(state["told"]) == 20
    assert (unreported(found, state), unreported(found, {"told": 7}), unreported(found, None)) == (
        (),
        found,
        found,
    )


def test_an_interrupt_is_no_failure_and_a_long_error_is_looked_at_in_part() -> None:
    event = PostToolUseFailure(tool_name="Edit", tool_input={}, error="x" * 100_000)
    (found,) = failures(event, frozenset({"Edit"}))
    assert len(found.text) == MAX_ERROR_CHARS
    stopped = event.model_copy(update={"is_interrupt": True})
    assert failures(stopped, frozenset({"Edit"})) == ()


def test_a_response_that_is_an_error_is_a_failure() -> None:
    event = PostToolUse(tool_name="Edit", tool_input={}, tool_response="Error: no")
    assert [one.text for one in failures(event, frozenset({"Edit"}))] == ["Error: no"]
    good = event.model_copy(update={"tool_response": "done"})
    assert failures(good, frozenset({"Edit"})) == ()
