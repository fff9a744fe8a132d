"""Chat files of Gemini CLI: what was said and called, and the tokens."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hookd.clients.gemini import transcript
from hookd.events.context_usage import Usage
from support.parametrize import parametrize_all
from support.transcripts import hold, odd_lines, said_in, transcript_file

LINES = transcript_file("gemini").read_bytes().splitlines()


def test_a_session_is_read() -> None:
    edit = '{"file_path":"a.txt","old_string":"hello","new_string":"hallo","instruction":"x"}'
    assert said_in(transcript, LINES) == [
        ("user", None, "Write the greeting into a.txt"),
        ("assistant", "Bash", '{"command":"cat notes.txt; echo second line"}'),
        ("assistant", "Write", '{"file_path":"a.txt","content":"hello\\n"}'),
        ("assistant", "Edit", edit),
        ("assistant", "Bash", '{"command":"rm -rf keep"}'),
        ("assistant", None, "The work is done."),
    ]
    at, model = "2026-11-23T18:25:31.174Z", "gemini-2.5-flash"
    expected = Usage(4321, model, at, window=1_048_576, by_model=False)
    assert transcript.last_usage(LINES) == expected


def answer(content: Any = "Done.", model: Any = "gemini-2.5-pro", **more: Any) -> dict[str, Any]:
    message = {"id": "m", "type": "gemini", "content": content, "model": model}
    return message | {"tokens": {"input": 5}} | more


def test_all_messages_of_a_conversation_can_stand_in_one_line() -> None:
    again = json.dumps({"$set": {"messages": [answer("One."), answer("Two.")]}}).encode()
    assert [text for _, _, text in said_in(transcript, [again])] == ["One.", "Two."]
    usage = transcript.last_usage([again])
    assert usage is not None
    assert usage.tokens == 5


def test_a_thought_is_not_said() -> None:
    parts = [{"text": "Hm.", "thought": True}, {"text": "Done."}]
    assert said_in(transcript, [json.dumps(answer(parts)).encode()]) == [
        ("assistant", None, "Done.")
    ]


@parametrize_all(
    ("model", "window"),
    [
        ("gemini-3-pro-preview", 1_048_576),
        ("gemma-4-31b-it", 256_000),
        ("another", None),
        (None, None),
    ],
)
def test_the_window_is_that_of_a_known_model(model: Any, window: int | None) -> None:
    usage = transcript.last_usage([json.dumps(answer(model=model)).encode()])
    assert usage is not None
    assert usage.window == window


@settings(max_examples=60)
@given(st.lists(odd_lines("gemini"), max_size=3))
def test_no_line_is_an_error(lines: list[bytes]) -> None:
    hold(transcript, lines)
