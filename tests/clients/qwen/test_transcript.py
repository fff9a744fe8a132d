"""Chat files of Qwen Code: what was said and called, and the tokens."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hookd.clients.qwen import transcript
from hookd.events.context_usage import Usage
from support.parametrize import parametrize_all
from support.transcripts import hold, odd_lines, said_in, transcript_file

LINES = transcript_file("qwen").read_bytes().splitlines()


AT = "2026-11-23T18:25:35.011Z"


def test_a_session_is_read() -> None:
    path = '"file_path":"/home/user/shop/a.txt"'
    found = said_in(transcript, LINES)
    assert [(role, tool) for role, tool, _ in found] == [
        ("user", None),
        *(("assistant", tool) for tool in ("Bash", "Write", "Edit", "Bash", None)),
    ]
    assert found[0][2] == "Write the greeting into a.txt"
    assert json.loads(found[1][2])["command"] == "cat notes.txt; echo second line"
    assert found[3][2] == f'{{{path},"old_string":"hello","new_string":"hallo"}}'
    assert found[5][2] == "The work is done."
    assert transcript.last_usage(LINES) == Usage(4321, "mock", AT, by_model=False)


def line(kind: str, *parts: Any, **more: Any) -> bytes:
    value = {"type": kind, "uuid": "u", "timestamp": AT, "message": {"parts": list(parts)}}
    return json.dumps(value | more).encode()


@parametrize_all(
    "said",
    [
        line("user", {"text": "a note"}, provenance="system"),
        line("assistant", {"text": "Hm.", "thought": True}),
        line("assistant", {"text": "in a subagent"}, isSidechain=True),
        line("tool_result", {"text": "out"}),
    ],
)
def test_what_nobody_said_is_left_out(said: bytes) -> None:
    assert transcript.parse_line(said) == ()


def test_after_a_compression_the_tokens_are_what_is_left() -> None:
    payload = {"info": {"originalTokenCount": 90, "newTokenCount": 9}}
    done = line("system", subtype="chat_compression", systemPayload=payload)
    expected = Usage(9, at=AT, compacted=True, by_model=False)
    assert transcript.last_usage([*LINES, done]) == expected


def test_a_subagent_s_answer_counts_in_its_own_file() -> None:
    one = line("assistant", usageMetadata={"promptTokenCount": 7}, isSidechain=True)
    assert transcript.last_usage([one]) is None
    assert transcript.last_usage([one], own=True) == Usage(7, None, AT, by_model=False)


@settings(max_examples=60)
@given(st.lists(odd_lines("qwen"), max_size=3))
def test_no_line_is_an_error(lines: list[bytes]) -> None:
    hold(transcript, lines)
