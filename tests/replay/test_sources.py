"""Sources of a replay: rows, exported events, transcripts; what is cut, redacted or damaged."""

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from hookd.core.model.fact_requests import GitBranch
from hookd.replay.event import (
    CUT,
    DAMAGED,
    HOOK_REWROTE,
    PAUSED,
    REDACTED,
    UNREADABLE,
    Damaged,
    RecordedEvent,
)
from hookd.replay.sources import ExportSource, TranscriptSource, event_of_row
from support.replays import row

WHOLE = json.dumps({"session_id": "s1", "tool_name": "Bash", "tool_input": {"command": "ls"}})


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({}, ""),
        ({"decided_by": "unreadable"}, UNREADABLE),
        ({"decided_by": "pause"}, PAUSED),
        ({"payload_sha256": "x"}, CUT),
        ({"payload_sha256": "x", "body": zlib.compress(WHOLE.encode())}, ""),
        ({"command": "cat [cut by hookd: 70000 characters in all]"}, CUT),
        ({"command": "curl -H [redacted:bearer]"}, REDACTED),
        ({"hooks": (("fix", None),), "answer": '{"updatedInput": {}}'}, HOOK_REWROTE),
    ],
)
def test_why_a_row_cannot_be_compared(more: dict[str, Any], problem: str) -> None:
    found = event_of_row(row(7, **more))
    assert isinstance(found, RecordedEvent)
    assert (found.label, found.problem) == ("#7", problem)


@pytest.mark.parametrize(
    "more",
    [
        {"payload": "{"},
        {"payload": "[]"},
        {"payload": ""},
        {"payload": None},
        {"body": b"\0no zlib", "payload_sha256": "x"},
        {"resolved": "{"},
        {"resolved": "[1]"},
    ],
)
def test_a_damaged_row_is_named(more: dict[str, Any]) -> None:
    assert event_of_row(row(7, **more)) == Damaged("#7", (row(7).at, 7), DAMAGED)


def test_a_row_is_read_whole() -> None:
    found = event_of_row(
        row(7, decision="deny", decided_by="self-guard", agent="b", client_version="2.1.330")
    )
    assert isinstance(found, RecordedEvent)
    assert (found.decided, found.by, found.agent) == ("deny", "self-guard", "b")
    assert (found.client, found.claude_code) == ("", (2, 1, 330))
    other = event_of_row(row(8, client="codex", client_version="0.169.0"))
    assert isinstance(other, RecordedEvent)
    assert (other.client, other.claude_code) == ("codex", None)
    other = event_of_row(row(8, client_version="next"))
    assert isinstance(other, RecordedEvent)
    assert (other.claude_code, other.decided) == (None, "")


def exported(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "at": f"2026-01-31T08:00:{number:02}.000Z",
        "event": "PreToolUse",
        "kind": "hook",
        "decision": None,
        "rule": None,
        "payload": {"session_id": f"s{number % 2}", "tool_name": "Bash", "tool_input": {}},
        "payloadSha256": None,
        "resolved": {"1a": True},
        "facts": None,
        "answer": None,
    } | more


LIST = json.dumps([exported(number) for number in (3, 1, 2)]).encode()
LINES = b"\n".join(json.dumps(exported(number)).encode() for number in (3, 1, 2)) + b"\n"


@pytest.mark.parametrize("text", [LIST, LINES], ids=["list", "lines"])
def test_exported_events_are_sorted_into_sessions(text: bytes) -> None:
    source = ExportSource([("events.json", text)], "")
    found = {unit.conversation: [one.label for one in unit.content] for unit in source.units()}
    assert found == {"s1": ["#1", "#3"], "s0": ["#2"]}
    (first, *_) = source.load(source.units()[0])
    assert isinstance(first, RecordedEvent)
    assert first.facts.values == {"1a": True}
    later = ExportSource([("events.json", text)], "2026-01-31T08:00:02.000Z", "s1")
    assert [[one.label for one in unit.content] for unit in later.units()] == [["#3"]]


def test_hooks_of_an_exported_event_are_its_opinions_of_no_rule() -> None:
    opinions = [
        {"rule": "lint", "verdict": "ask"},
        {"rule": "self-guard", "verdict": "deny"},
        {"rule": "no-push", "verdict": "deny"},
        {"rule": "note"},
    ]
    one = exported(1, facts={"guards": ["no-push"], "opinions": opinions})
    source = ExportSource([("e", json.dumps(one).encode())], "")
    (event,) = source.units()[0].content
    assert event.hooks == (("lint", "ask"),)


@pytest.mark.parametrize(
    "line",
    [b"{", b"7", b'{"id": 1}', json.dumps(exported(1, payload="x")).encode(), b'{"id": "1"}'],
)
def test_a_damaged_line_is_named(line: bytes) -> None:
    source = ExportSource([("dir/events.json", line + b"\n" + LINES)], "")
    bad = [one for unit in source.units() for one in unit.content if isinstance(one, Damaged)]
    assert [(one.label, one.why) for one in bad] == [("events.json:1", DAMAGED)]


def test_a_check_of_doctor_is_left_out() -> None:
    source = ExportSource([("e", json.dumps([exported(1, kind="canary")]).encode())], "")
    assert source.units() == []


def line(kind: str, block: dict[str, Any], second: int, **more: Any) -> str:
    entry = {
        "type": kind,
        "sessionId": "abc",
        "cwd": "/work/shop",
        "gitBranch": "main",
        "timestamp": f"2026-01-31T08:00:{second:02}.000Z",
        "message": {"role": kind, "content": [block]},
    }
    return json.dumps(entry | more) + "\n"


def use(call: str, command: str, second: int, **more: Any) -> str:
    block = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}
    return line("assistant", block, second, **more)


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    """A folder of transcripts: one session, one subagent of it, another session."""
    folder = tmp_path / "-work-shop"
    (folder / "abc" / "subagents").mkdir(parents=True)
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}
    text = use("t1", "git status", 1) + line("user", result, 3) + "{broken tool_use\n"
    (folder / "abc.jsonl").write_text(text.replace("{broken tool_use", '{"tool_use"'))
    sub = use("t2", "ls", 2, isSidechain=True, agentId="a1")
    (folder / "abc" / "subagents" / "agent-a1.jsonl").write_text(sub)
    (folder / "def.jsonl").write_text(use("t3", "pwd", 9, sessionId="def"))
    return folder


def test_transcripts_are_sorted_into_sessions_by_time(projects: Path) -> None:
    source = TranscriptSource(sorted(projects.rglob("*.jsonl")), "")
    assert [unit.conversation for unit in source.units()] == ["abc", "def"]
    found = list(source.load(source.units()[0]))
    named = [(one.label, getattr(one, "name", "")) for one in found]
    assert named == [
        ("abc:1", "PreToolUse"),
        ("agent-a1:1", "PreToolUse"),
        ("abc:2", "PostToolUse"),
        ("abc:3", ""),
    ]
    first = found[0]
    assert isinstance(first, RecordedEvent)
    assert (first.project, first.decided, first.facts.find(GitBranch("/work/shop"))) == (
        "/work/shop",
        None,
        "main",
    )


def test_a_window_and_a_session_of_transcripts(projects: Path) -> None:
    files = sorted(projects.rglob("*.jsonl"))
    source = TranscriptSource(files, "2026-01-31T08:00:02.000Z", "ab")
    (unit,) = source.units()
    assert [one.window for one in source.load(unit)] == [False, True, True, True]


def test_a_transcript_that_is_gone_is_named(tmp_path: Path) -> None:
    source = TranscriptSource([tmp_path / "gone.jsonl"], "")
    (one,) = source.load(source.units()[0])
    assert isinstance(one, Damaged)
    assert one.why == "the transcript cannot be read: No such file or directory"
