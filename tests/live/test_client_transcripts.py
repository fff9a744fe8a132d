"""Live: the transcripts of other clients are read for dialogue and context usage."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from support.home import Home, Window, until, window_in
from support.payloads import payload
from support.transcripts import transcript_file

pytestmark = pytest.mark.gate

SIZES = {"codex": 258_400, "gemini": 1_048_576, "copilot": 128_000}
"""Sizes of the windows in the captured transcripts."""

AFTER = {
    "codex": "codex/PostToolUse",
    "gemini": "gemini/AfterTool",
    "qwen": "qwen/PostToolUse",
    "copilot": "copilot/camel/postToolUse",
}
BEFORE = {
    "codex": "codex/PreToolUse",
    "gemini": "gemini/BeforeTool",
    "qwen": "qwen/PreToolUse",
    "copilot": "copilot/camel/preToolUse",
}
KEYS = "context_usage, context_source, window_tokens"


def send(window: Window, client: str, name: str, event: str, **more: Any) -> Any:
    """Send a captured payload of this conversation; return the answer, None if it is silence."""
    key = "sessionId" if "camel" in name else "session_id"
    own = payload(name, cwd=window.project, **{key: window.id}, **more)
    own |= {"tool_use_id": uuid4().hex} if "tool_use_id" in own else {}
    return window.home.bare(json.dumps(own).encode(), event, client=client)["result"]


def called(window: Window, client: str, path: Path) -> Any:
    """Report that a tool has run. Copilot CLI does not name its file."""
    more = {} if client == "copilot" else {"transcript_path": str(path)}
    return send(window, client, AFTER[client], "PostToolUse", **more)


def told(window: Window, client: str, path: Path) -> str:
    """Return the answers to a call and its result."""
    before = send(window, client, BEFORE[client], "PreToolUse")
    return json.dumps([before, called(window, client, path)])


def write(window: Window, client: str, tokens: int) -> Path:
    """Write the captured transcript where the client does; its last request has `tokens`."""
    path = Path(window.project) / "session.jsonl"
    if client == "copilot":
        path = window.home.path / ".copilot" / "session-state" / window.id / "events.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
    text = transcript_file(client).read_text().replace("4321", str(tokens))
    text = text.replace("2026-11-23T", "2099-11-23T")  # after the session has begun
    path.write_text(text + '{"cut off')
    return path


@pytest.mark.parametrize("client", SIZES)
def test_the_levels_are_told_by_the_tokens_in_the_transcript(daemon: Home, client: str) -> None:
    window, size = window_in(daemon), SIZES[client]
    path = write(window, client, size // 2)
    called(window, client, path)
    until(lambda: window.sessions(KEYS) == [(0.5, "transcript", size)])
    for share, word in ((0.75, "hookd:overflow]"), (0.97, "hookd handover save")):
        write(window, client, int(size * share))
        called(window, client, path)
        until(lambda share=share: (window.sessions(KEYS)[0][0] or 0) > share - 0.01)
        assert word in told(window, client, path)


@pytest.mark.parametrize("client", AFTER)
def test_the_dialogue_of_a_session_is_exported(daemon: Home, client: str) -> None:
    window = window_in(daemon)
    path = write(window, client, 4321)
    called(window, client, path)
    rows = "SELECT 1 FROM messages m JOIN sessions s ON s.id = m.session_id AND s.client = ?"
    until(lambda: len(daemon.rows(rows, client)) >= 5)
    text = daemon.hookd("dialogue", "export", "--session", window.id).stdout
    assert "Write the greeting into a.txt" in text
    assert "The work is done." in text
    assert window.sessions("transcript_offset")[0][0] == path.read_bytes().rfind(b"\n") + 1


def test_the_tokens_at_a_stop_of_qwen_code_give_the_size_of_its_window(daemon: Home) -> None:
    window = window_in(daemon)
    path = write(window, "qwen", 150_000)
    called(window, "qwen", path)
    until(lambda: window.sessions("transcript_offset > 0") == [(1,)])
    assert window.sessions(KEYS) == [(None, None, None)], "the size is not known yet"
    full = {"context_limit": 200_000, "input_tokens": 150_000, "transcript_path": str(path)}
    send(window, "qwen", "qwen/Stop", "Stop", **full)
    assert window.sessions(KEYS) == [(0.75, "event", 200_000)]
    assert "hookd:overflow]" in told(window, "qwen", path)
    write(window, "qwen", 180_000)
    called(window, "qwen", path)
    until(lambda: window.sessions(KEYS) == [(0.9, "transcript", 200_000)])


def test_opencode_reports_its_answer_and_its_tokens_at_the_end_of_a_turn(daemon: Home) -> None:
    window = window_in(daemon)
    usage = {"usage": {"input": 150_000, "output": 0}, "limit": 200_000}
    idle = {"sessionID": window.id, "directory": window.project, "hook": "session.idle", **usage}
    part = idle | {"sessionID": "sub", "parentID": window.id, "hook": "session.created"}

    def sent(event: dict[str, Any], name: str) -> Any:
        return daemon.bare(json.dumps(event).encode(), name, client="opencode")["result"]

    sent(idle | {"input": {"text": "The work is done."}}, "Stop")
    assert window.sessions(KEYS) == [(0.75, "event", 200_000)]
    assert "The work is done." in daemon.hookd("dialogue", "export", "--session", window.id).stdout
    call = {"input": {"tool": "bash", "callID": "c"}, "output": {"args": {"command": "ls"}}}
    before = idle | call | {"hook": "tool.execute.before"}
    assert "hookd:overflow]" in json.dumps(sent(before, "PreToolUse"))
    sent(part, "SubagentStart")
    sent(part | {"hook": "session.idle"}, "SubagentStop")
    assert window.sessions(KEYS, "agent_id = 'sub'") == [(0.75, "event", 200_000)]
