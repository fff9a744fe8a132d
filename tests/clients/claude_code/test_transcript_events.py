"""Tool calls in a transcript become the payloads of events, in the client's form."""

import json
from typing import Any

import pytest

from hookd.clients.claude_code.transcript_events import first_folder, transcript_events
from hookd.methods import HOOKS
from support.payloads import payload


def entry(kind: str, *blocks: Any, **more: Any) -> bytes:
    value = {
        "type": kind,
        "uuid": "u",
        "sessionId": "abc",
        "cwd": "/work/shop",
        "version": "2.1.330",
        "gitBranch": "main",
        "isSidechain": False,
        "timestamp": "2026-01-31T08:00:00.000Z",
        "message": {"role": kind, "content": list(blocks)},
    }
    return json.dumps(value | more).encode() + b"\n"


def use(call: str = "toolu_1", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call, "name": "Bash", "input": given or {"command": "ls"}}


def result(call: str = "toolu_1", content: Any = "ok", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call, "content": content} | more


def payloads(*lines: bytes) -> list[Any]:
    return [one.payload for one in transcript_events(lines, "/t/abc.jsonl")]


def test_a_call_and_its_result_are_two_events() -> None:
    lines = entry("assistant", use()), entry("user", result(), toolUseResult={"stdout": "ok"})
    before, after = transcript_events(lines, "/t/abc.jsonl")
    assert (before.line, before.at, before.branch) == (1, "2026-01-31T08:00:00.000Z", "main")
    assert before.payload == {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": "toolu_1",
        "session_id": "abc",
        "transcript_path": "/t/abc.jsonl",
        "cwd": "/work/shop",
    }
    expected = {"hook_event_name": "PostToolUse", "tool_response": {"stdout": "ok"}}
    assert after.payload == before.payload | expected


@pytest.mark.parametrize("name", ["PreToolUse.Bash", "PostToolUse.Bash", "PostToolUseFailure.Bash"])
def test_the_payload_has_the_keys_of_a_captured_one(name: str) -> None:
    error = name.startswith("PostToolUseFailure")
    ends = result(content="Exit code 1", is_error=True) if error else result()
    made = payloads(entry("assistant", use()), entry("user", ends))
    event = name.partition(".")[0]
    one = next(one for one in made if one["hook_event_name"] == event)
    assert set(one) <= set(payload(name))
    assert HOOKS[event].params.model_validate(one).session_id == "abc"


@pytest.mark.parametrize(
    ("content", "events"),
    [
        ("Exit code 1\nno", ["PreToolUse", "PostToolUseFailure"]),
        ([{"type": "text", "text": "Exit code 1"}], ["PreToolUse", "PostToolUseFailure"]),
        ("The user doesn't want to proceed with this tool use.", ["PreToolUse"]),
        ("PreToolUse:Bash hook error: no", ["PreToolUse"]),
        ("<tool_use_error>File has not been read yet</tool_use_error>", ["PreToolUse"]),
        ("Permission to use Bash has been denied.", ["PreToolUse"]),
    ],
)
def test_a_rejected_call_has_no_result(content: Any, events: list[str]) -> None:
    found = payloads(
        entry("assistant", use()), entry("user", result(content=content, is_error=True))
    )
    assert [one["hook_event_name"] for one in found] == events


def test_a_call_that_is_repeated_is_one() -> None:
    lines = [entry("assistant", use()), entry("assistant", use()), *[entry("user", result())] * 2]
    assert len(payloads(*lines)) == 2


def test_a_subagent_s_call_has_its_id() -> None:
    named = payloads(entry("assistant", use(), isSidechain=True, agentId="a1"))
    unnamed = payloads(entry("assistant", use(), isSidechain=True))
    assert [one["agent_id"] for one in (*named, *unnamed)] == ["a1", "sidechain"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b'{"tool_use" broken\n', [None]),
        (b'["tool_use"]\n', [None]),
        (b'{"tool_use" is being writ', []),
        (b"not about calls\n", []),
        (entry("assistant", "tool_use"), []),
        (entry("assistant", {"type": "tool_use", "id": 7, "name": "Bash", "input": {}}), []),
        (entry("user", result("unknown")), []),
        (entry("assistant", use(), message="tool_use"), []),
        (entry("system", use()), []),
    ],
)
def test_odd_lines(line: bytes, found: list[None]) -> None:
    assert payloads(line) == found


def test_the_folder_of_the_conversation_is_the_first_one() -> None:
    lines = [b'{"cwd"\n', b"{}\n", entry("user", result()), entry("user", result(), cwd="/other")]
    assert first_folder(lines) == "/work/shop"
    assert first_folder([b"{}\n"]) is None
