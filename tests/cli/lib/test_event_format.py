"""An event is described in a few words, whatever its payload is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.lib.event_format import about, call_of, milliseconds, slowest_stage, who
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
    assert about({"payload": value}) == expected


@given(JSON)
def test_any_payload_is_told_on_one_short_line(value: Any) -> None:
    for given_payload in (value, {"tool_input": value}, {"tool_input": {"questions": value}}):
        line = about({"payload": given_payload})
        assert len(line) <= 60
        assert len(line.splitlines()) <= 1
        assert isinstance(call_of({"payload": given_payload}), dict)


@pytest.mark.parametrize("name", sorted(path.stem for path in PAYLOADS.glob("PreToolUse*.json")))
def test_every_real_call_says_what_it_is_about(name: str) -> None:
    assert about({"payload": payload(name)})


@pytest.mark.parametrize(
    ("agent", "number", "subagent", "expected"),
    [
        ("orders", 12, None, "orders"),
        (None, 12, None, "session 12"),
        (None, 12, "a1b2c3d4e5", "session 12/a1b2c3d4"),
        (None, None, None, ""),
    ],
)
def test_whose_event_it_was(
    agent: str | None, number: int | None, subagent: str | None, expected: str
) -> None:
    assert who({"agent": agent, "sessionId": number, "agentId": subagent}) == expected


@pytest.mark.parametrize(
    ("microseconds", "shown"),
    [(None, "-"), (0, "0.0"), (49, "0.0"), (1_234, "1.2"), (99_940, "99.9"), (812_400, "812")],
)
def test_a_duration_is_shown_in_milliseconds(microseconds: int | None, shown: str) -> None:
    assert milliseconds(microseconds) == shown


@pytest.mark.parametrize(
    ("stages", "shown"),
    [
        ({}, ""),
        ({"parse": 30, "wait": 4_000}, "wait 4.0"),
        ({"userHooks": 150_000, "parse": 1}, "user hooks 150"),
        ({"user_hooks": 2_000}, "user hooks 2.0"),
    ],
)
def test_the_slowest_stage_is_named_in_words(stages: dict[str, int], shown: str) -> None:
    assert slowest_stage(stages) == shown
