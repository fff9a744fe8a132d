"""Events of a session of Copilot CLI: what was said and called, and the tokens."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hookd.clients.copilot import transcript
from hookd.events.context_usage import Usage
from support.parametrize import parametrize_all
from support.transcripts import hold, odd_lines, said_in, transcript_file

LINES = transcript_file("copilot").read_bytes().splitlines()


def test_a_session_is_read() -> None:
    found = said_in(transcript, LINES)
    assert [(role, tool) for role, tool, _ in found] == [
        ("user", None),
        *(("assistant", tool) for tool in ("Bash", "Write", "Edit", "Bash", None)),
    ]
    assert found[0][2] == "Write the greeting into a.txt"
    assert json.loads(found[2][2]) == {"file_path": "/home/user/shop/a.txt", "content": "hello\n"}
    assert found[5][2] == "The work is done."
    expected = Usage(4321, "mock", "2026-11-23T18:25:38.619Z", window=128_000, by_model=False)
    assert transcript.last_usage(LINES) == expected


def line(kind: str, data: Any, **more: Any) -> bytes:
    return json.dumps({"type": kind, "id": "e", "data": data} | more).encode()


def used(**more: Any) -> bytes:
    return line("session.usage_record", {"usage": {"inputTokens": 5, "model": "m"} | more})


@parametrize_all(
    ("lines", "expected"),
    [
        ([used()], Usage(5, "m", by_model=False)),
        ([used(), used(interactionType="conversation-subagent", inputTokens=9)], "first"),
        (
            [used(), line("session.usage_record", {"usage": {"inputTokens": 9}}, agentId="a")],
            "first",
        ),
        ([used(), line("session.compaction_complete", {"success": False})], "first"),
        (
            [
                used(),
                line("session.compaction_complete", {"success": True, "postCompactionTokens": 2}),
            ],
            Usage(2, compacted=True, by_model=False),
        ),
    ],
)
def test_the_last_request_of_the_main_agent_counts(lines: list[bytes], expected: Any) -> None:
    first = Usage(5, "m", by_model=False)
    assert transcript.last_usage(lines) == (first if expected == "first" else expected)


@parametrize_all("more", [{"agentId": "a"}, {"data": {"content": "x", "parentToolCallId": "c"}}])
def test_what_a_subagent_says_is_left_out(more: dict[str, Any]) -> None:
    said = json.loads(line("assistant.message", {"content": "x"})) | more
    assert transcript.parse_line(json.dumps(said).encode()) == ()


@parametrize_all(
    ("session", "expected"),
    [
        ("9bdf587b-505b", "session-state/9bdf587b-505b/events.jsonl"),
        ("../../x", None),
        ("", None),
        (None, None),
    ],
)
def test_the_file_is_in_the_folder_of_its_session(session: Any, expected: str | None) -> None:
    assert transcript.place(session) == expected


@settings(max_examples=60)
@given(st.lists(odd_lines("copilot"), max_size=3))
def test_no_line_is_an_error(lines: list[bytes]) -> None:
    hold(transcript, lines)
