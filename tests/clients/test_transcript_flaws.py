"""Transcripts of every client are checked, each by its own lines."""

import json

import pytest

from hookd.clients.adapters import ADAPTERS
from hookd.clients.transcript_flaws import transcript_flaws
from support.transcripts import transcript_file

CALLS = {"codex": 3, "gemini": 4, "qwen": 4, "copilot": 4}


@pytest.mark.parametrize("client", CALLS)
def test_a_session_has_no_flaws_until_a_result_is_gone(client: str) -> None:
    lines = transcript_file(client).read_bytes().splitlines()
    checked = transcript_flaws(lines)
    assert (checked.lines, checked.messages, checked.flaws) == (len(lines), CALLS[client] + 1, [])
    form = ADAPTERS[client].transcript
    assert form is not None
    without = [line for line in lines if not form.results(line) or form.parse_line(line)]
    if client == "gemini":  # a call and its result are in one line
        without = [line.replace(b'"result":', b'"other":') for line in lines]
    found = transcript_flaws([*without, b"broken", None]).flaws
    assert [(flaw.state, flaw.problem) for flaw in found] == [
        *[("warn", "call without result")] * CALLS[client],
        *[("fail", "broken line")] * 2,
    ]


def test_lines_of_no_client_are_checked_as_claude_code_s() -> None:
    use = {"type": "tool_use", "id": "t", "name": "Bash", "input": {}}
    call = {"type": "assistant", "uuid": "u", "message": {"id": "m", "content": [use]}}
    result = {"type": "tool_result", "tool_use_id": "t"}
    done = {"type": "user", "uuid": "v", "message": {"content": [result]}}
    lines = [json.dumps(one).encode() for one in (call, done)]
    assert transcript_flaws(lines).flaws == []
    assert [flaw.problem for flaw in transcript_flaws(lines[:1]).flaws] == ["call without result"]
    form = ADAPTERS["claude-code"].transcript
    assert form is not None
    assert form.results(lines[1]) == ("t",)
    assert [flaw.problem for flaw in transcript_flaws([b"[]"]).flaws] == ["broken line"]
