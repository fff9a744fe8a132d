"""The record of a session of Codex: what was said and called, and the tokens."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hookd.clients.codex import transcript
from hookd.events.context_usage import Usage
from support.parametrize import parametrize_all
from support.transcripts import hold, odd_lines, said_in, transcript_file

LINES = transcript_file("codex").read_bytes().splitlines()


def line(kind: str, **payload: Any) -> bytes:
    return json.dumps({"type": kind, "payload": payload, "timestamp": "now"}).encode()


def counted(window: Any = 258_400, **last: Any) -> bytes:
    info = {"last_token_usage": last, "model_context_window": window}
    return line("event_msg", type="token_count", info=info)


def test_a_session_is_read() -> None:
    patch = "*** Begin Patch\\n*** Add File: a.txt\\n+hello\\n*** End Patch\\n"
    assert said_in(transcript, LINES) == [
        ("user", None, "Write the greeting into a.txt"),
        ("assistant", "Bash", '{"command":"cat notes.txt; echo second line"}'),
        ("assistant", "ApplyPatch", f'{{"command":"{patch}"}}'),
        ("assistant", "Bash", '{"command":"rm -rf keep"}'),
        ("assistant", None, "The work is done."),
    ]
    usage = transcript.last_usage(LINES)
    expected = Usage(4321, None, "2026-11-23T18:25:28.612Z", window=258_400, by_model=False)
    assert usage == expected


def test_the_calls_of_a_script_are_calls() -> None:
    scripted = transcript_file("codex").with_name("scripted.jsonl").read_bytes().splitlines()
    tools = [tool for _, tool, _ in said_in(transcript, scripted)]
    assert tools == [None, "exec", "Bash", "exec", "exec", "ApplyPatch", None]


@parametrize_all(
    ("given", "expected"),
    [
        ({"name": "shell", "arguments": '{"command":["bash","-lc","ls"]}'}, ("Bash", "ls")),
        ({"name": "shell_command", "arguments": '{"command":"ls"}'}, ("Bash", "ls")),
        ({"type": "local_shell_call", "action": {"command": ["ls", "a b"]}}, ("Bash", "ls 'a b'")),
        ({"name": "exec_command", "arguments": "no JSON"}, ("Bash", None)),
    ],
)
def test_each_form_of_a_command_is_a_command(given: Any, expected: Any) -> None:
    call = {"type": "function_call", "call_id": "c"} | given
    ((_, tool, text),) = said_in(transcript, [line("response_item", **call)])
    assert (tool, json.loads(text).get("command")) == expected


def test_an_older_version_does_not_mark_what_it_sends_itself() -> None:
    texts = [
        "<environment_context>\n</environment_context>",
        "# AGENTS.md instructions for /w",
        "Go",
    ]
    content = [{"type": "input_text", "text": text} for text in texts]
    message = line("response_item", type="message", role="user", content=content)
    assert said_in(transcript, [message]) == [("user", None, "Go")]


COUNTED = {number: Usage(number, window=258_400, by_model=False) for number in (5, 7, 9)}


@parametrize_all(
    ("lines", "expected"),
    [
        ([], None),
        ([line("event_msg", type="token_count", info=None)], None),
        (
            [counted(input_tokens=5), counted(input_tokens=9)],
            COUNTED[9],
        ),
        # After a compaction Codex estimates the total alone.
        ([counted(input_tokens=0, total_tokens=7)], COUNTED[7]),
        ([counted(None, input_tokens=5)], Usage(5, by_model=False)),
        ([counted(input_tokens=5), b'"token_count"'], COUNTED[5]),
    ],
)
def test_the_last_count_of_tokens_counts(lines: list[bytes], expected: Usage | None) -> None:
    assert transcript.last_usage(lines) == expected


@settings(max_examples=60)
@given(st.lists(odd_lines("codex"), max_size=3))
def test_no_line_is_an_error(lines: list[bytes]) -> None:
    hold(transcript, lines)
