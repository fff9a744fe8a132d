"""The subject of an event is one short line, whatever its payload is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.display.event_subject import payload_line, subject_line, tool_input
from support.patches import add, delete, patch
from support.payloads import PAYLOADS, payload

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"tool_input": {"command": "ls  -la\n"}}, "ls -la"),
        ({"toolInput": {"file_path": "/a"}}, "/a"),
        (
            {"tool_name": "ApplyPatch", "tool_input": {"command": patch(add("a.py"), delete("b"))}},
            "a.py, b",
        ),
        ({"tool_name": "ApplyPatch", "tool_input": {"x": 1}}, "a patch that cannot be read"),
        ({"tool_input": {"description": "d", "prompt": "p"}}, "d"),
        ({"tool_input": {"questions": [{"question": "Which?"}]}}, "Which?"),
        ({"tool_input": {"questions": []}}, '{"questions": []}'),
        ({"tool_input": {"key": 1}}, '{"key": 1}'),
        ({"tool_input": {}, "prompt": "p"}, "p"),
        ({"tool_input": "text"}, ""),
        ({"prompt": "Do it.", "source": "user"}, "Do it."),
        ({"source": "clear"}, "clear"),
        ({"message": " ", "trigger": "auto"}, "auto"),
        ({"prompt": 7}, ""),
        ({}, ""),
        ([], ""),
        (None, ""),
        ({"prompt": "x" * 61}, "x" * 59 + "…"),
    ],
)
def test_what_an_event_was_about(value: Any, expected: str) -> None:
    assert subject_line(value, 60) == expected


@given(JSON)
def test_any_payload_is_told_on_one_short_line(value: Any) -> None:
    for given_payload in (value, {"tool_input": value}, {"tool_input": {"questions": value}}):
        line = subject_line(given_payload, 60)
        assert len(line) <= 60
        assert len(line.splitlines()) <= 1
        assert isinstance(tool_input(given_payload), dict)


@pytest.mark.parametrize("name", sorted(path.stem for path in PAYLOADS.glob("PreToolUse*.json")))
def test_every_real_call_says_what_it_is_about(name: str) -> None:
    assert subject_line(payload(name), 60)


@pytest.mark.parametrize(("text", "expected"), [('{"prompt": "Do it."}', "Do it."), ("{", "")])
def test_the_subject_of_a_stored_payload(text: str, expected: str) -> None:
    assert payload_line(text, 60) == expected
