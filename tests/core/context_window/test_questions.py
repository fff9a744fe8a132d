"""What a model asked and the user answered, from whatever shape a client sends."""

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from hookd.core.context_window.questions import dialogue, record_dialogue
from hookd.core.model.effects.messages import AddMessage
from hookd.core.model.facts import Effort, Facts, Session
from hookd.events.model import PostToolUse
from support.parametrize import parametrize_all

ASKED = {
    "question": "Which database?",
    "options": [{"label": "SQLite"}, {"label": "Postgres"}],
    "multiSelect": False,
}


def event(response: Any, questions: Any = None, **more: Any) -> PostToolUse:
    told = {"questions": [ASKED] if questions is None else questions, **more}
    return PostToolUse(tool_name="AskUserQuestion", tool_input=told, tool_response=response)


ANSWERS: list[tuple[Any, str]] = [
    ({"answers": {"Which database?": "SQLite"}}, "SQLite"),
    ({"answers": [{"question": "Which database?", "answer": "SQLite"}]}, "SQLite"),
    ([{"question": "Which database?", "answer": "SQLite"}], "SQLite"),
    ('{"answers": {"Which database?": "SQLite"}}', "SQLite"),
    ('[{"question": "Which database?", "answer": "SQLite"}]', "SQLite"),
    ({"answers": {"Which database?": ["SQLite", "Postgres"]}}, "SQLite, Postgres"),
    ({"answers": {"Which database?": ["SQLite", 3, None]}}, "SQLite"),
    ({"answers": {"Which database?": 3}}, ""),
    ({"answers": {"Another question?": "SQLite"}}, ""),
    ([{"question": ["Which database?"], "answer": "SQLite"}], ""),
    ([{"question": None, "answer": "SQLite"}], ""),
    ([{"answer": "SQLite"}], ""),
    (["Which database?"], ""),
    ({"answers": "SQLite"}, ""),
    ("SQLite", ""),
    ("", ""),
    (None, ""),
    (7, ""),
    ("\ud800", ""),
    ("[" * 5_000, ""),
]


@parametrize_all(("response", "answer"), ANSWERS)
def test_the_answer_is_found_in_every_shape(response: Any, answer: str) -> None:
    assert dialogue(event(response)) == {
        "preamble": "",
        "questions": [
            {
                "question": "Which database?",
                "options": ["SQLite", "Postgres"],
                "multiSelect": False,
                "answer": answer,
            }
        ],
    }


def test_answers_that_stand_in_the_input_are_taken_where_the_response_has_none() -> None:
    said = dialogue(event("done", answers={"Which database?": "SQLite"}))
    assert said is not None
    assert said["questions"][0]["answer"] == "SQLite"


@parametrize_all("questions", ["x", 1, {}, {"question": "x"}])
def test_what_asks_nothing_is_no_dialogue(questions: Any) -> None:
    assert dialogue(event({}, questions)) is None


def test_another_tool_is_no_dialogue() -> None:
    assert dialogue(PostToolUse(tool_name="Read", tool_input={"questions": [ASKED]})) is None


def test_a_question_that_is_no_text_and_options_that_are_none_are_empty() -> None:
    odd = [{"question": {"a": 1}, "options": "x", "multiSelect": "yes"}, 5, {"options": [1, {}]}]
    said = dialogue(event({}, odd))
    assert said is not None
    assert said["questions"] == [
        {"question": "", "options": [], "multiSelect": False, "answer": ""},
        {"question": "", "options": [""], "multiSelect": False, "answer": ""},
    ]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda deeper: (
        st.lists(deeper, max_size=4)
        | st.dictionaries(
            st.sampled_from(["answers", "question", "answer", "options", "label", "x"]),
            deeper,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(VALUES, st.lists(VALUES, max_size=3), VALUES)
@example([{"question": [[]]}], [{"question": {}, "options": [{"label": []}]}], None)
@example([{"question": 10**5_000, "answer": 10**5_000}], [{"question": 10**5_000}], None)
def test_no_response_is_too_odd(response: Any, questions: list[Any], answers: Any) -> None:
    said = dialogue(event(response, questions, answers=answers))
    assert said is not None
    for one in said["questions"]:
        assert all(isinstance(text, str) for text in (one["question"], one["answer"]))
        assert all(isinstance(label, str) for label in one["options"])


@given(VALUES, st.text(max_size=20))
def test_no_response_that_is_json_text_is_too_odd(response: Any, rest: str) -> None:
    for text in (json.dumps(response), json.dumps(response) + rest, rest):
        assert dialogue(event(text)) is not None


def test_it_is_kept_once_per_call_with_the_effort_at_hand() -> None:
    asked = event({"answers": {"Which database?": "é"}}).model_copy(update={"tool_use_id": "t1"})
    facts = Facts(session=Session(3, "s"), effort=Effort(5, "/work/demo", "implement"))
    (message,) = record_dialogue(asked, facts)
    assert isinstance(message, AddMessage)
    assert (message.session_id, message.effort_id, message.role) == (3, 5, "user")
    assert (message.tool_name, message.ref) == ("AskUserQuestion", "t1")
    assert json.loads(message.content) == dialogue(asked)
    assert "é" in message.content


def test_without_a_window_or_a_dialogue_nothing_is_kept() -> None:
    assert record_dialogue(event({}), Facts()) == ()
    assert record_dialogue(event({}, "x"), Facts(session=Session(3, "s"))) == ()
