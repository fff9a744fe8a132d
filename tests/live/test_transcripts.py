"""Live: what is said in a conversation is read from its transcript, behind the answers."""

import json
import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from support.home import Home, Window, until, window_in

KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
CALL = {"type": "tool_use", "id": "toolu_01", "name": "Read", "input": {"file_path": "/w/a.py"}}


def line(role: str, content: Any, **more: Any) -> str:
    """Return a line as the client appends it."""
    whole = {
        "isSidechain": False,
        "type": role,
        "uuid": str(uuid4()),
        "timestamp": "2026-11-21T06:39:14.123Z",
        "message": {"role": role, "content": content},
    }
    return json.dumps(whole | more) + "\n"


def answer(text: str, **more: Any) -> str:
    return line("assistant", [{"type": "text", "text": text}], **more)


def file_of(window: Window) -> Path:
    return Path(window.project) / f"{window.id}.jsonl"


def add(window: Window, *lines: str) -> None:
    with file_of(window).open("a") as file:
        file.writelines(lines)


def messages(window: Window, columns: str = "role, content") -> list[Any]:
    """Return what was said in this conversation, in the order in which it was kept."""
    return window.home.rows(
        f"SELECT {columns} FROM messages WHERE session_id IN"
        " (SELECT id FROM sessions WHERE claude_session_id = ?) ORDER BY id",
        window.id,
    )


@pytest.mark.parametrize("name", ["UserPromptSubmit", "PostToolUse", "SessionEnd"])
def test_an_event_lets_the_transcript_be_read(window: Window, name: str) -> None:
    window.says("SessionStart", transcript_path=str(file_of(window)))
    add(window, answer("The parser is done."), line("assistant", [CALL]))
    window.says(name, transcript_path=str(file_of(window)))
    expected = {
        ("assistant", "The parser is done.", None),
        ("assistant", '{"file_path":"/w/a.py"}', "Read"),
    }
    until(lambda: expected <= set(messages(window, "role, content, tool_name")))


def test_a_conversation_is_kept_once_and_in_its_order(window: Window) -> None:
    path = str(file_of(window))
    effort = window.starts()["effortId"]
    window.says("UserPromptSubmit", prompt="Add pages", transcript_path=path)
    add(window, line("user", "Add pages"), answer("I read the code."), line("assistant", [CALL]))
    window.says("PostToolUse", transcript_path=path)
    until(lambda: len(messages(window)) == 3)
    add(window, answer("a subagent's", isSidechain=True), answer("Done."))
    window.says("UserPromptSubmit", prompt="Thanks", transcript_path=path)
    until(lambda: len(messages(window)) == 5)
    assert [content for role, content in messages(window) if role == "user"] == [
        "Add pages",
        "Thanks",
    ]
    assert [content for role, content in messages(window) if role == "assistant"] == [
        "I read the code.",
        '{"file_path":"/w/a.py"}',
        "Done.",
    ]
    assert {row[0] for row in messages(window, "effort_id")} == {effort}
    assert window.sessions("transcript_offset") == [(file_of(window).stat().st_size,)]


def test_the_window_after_a_compaction_reads_on(window: Window) -> None:
    path = str(file_of(window))
    add(window, answer("before"))
    window.says("SessionStart", transcript_path=path)
    window.says("PostToolUse", transcript_path=path)
    until(lambda: len(messages(window)) == 1)
    window.says("SessionStart", source="compact", transcript_path=path)
    add(window, line("user", "a summary", isCompactSummary=True), answer("after"))
    window.says("PostToolUse", transcript_path=path)
    until(lambda: len(messages(window)) == 2)
    (first,), (second,) = window.sessions("id")
    assert messages(window, "session_id, content") == [(first, "before"), (second, "after")]


def test_no_secret_of_a_transcript_is_kept(daemon: Home) -> None:
    window = window_in(daemon)
    add(window, answer(f"the key is {KEY}"))
    window.says("UserPromptSubmit", transcript_path=str(file_of(window)))
    until(lambda: len(messages(window)) == 2)
    daemon.hookd("stop", "--yes")
    for file in daemon.path.glob("hookd.*"):
        assert KEY.encode() not in file.read_bytes(), file


def test_a_restarted_daemon_reads_on(daemon: Home) -> None:
    window = window_in(daemon)
    path = str(file_of(window))
    add(window, answer("one"))
    window.says("PostToolUse", transcript_path=path)
    until(lambda: len(messages(window)) == 1)
    add(window, answer("two"))
    daemon.restarts()
    window.says("PostToolUse", transcript_path=path)
    until(lambda: len(messages(window)) == 2)
    assert [content for _, content in messages(window)] == ["one", "two"]


def test_a_pipe_in_its_place_holds_up_nobody(daemon: Home) -> None:
    window, other = window_in(daemon), window_in(daemon)
    os.mkfifo(file_of(window))
    window.says("PostToolUse", transcript_path=str(file_of(window)))
    add(other, answer("one"))
    other.says("PostToolUse", transcript_path=str(file_of(other)))
    until(lambda: messages(other) == [("assistant", "one")])
    window.says("PostToolUse", transcript_path=str(file_of(window)))
    other.says("PostToolUse", transcript_path=str(file_of(other)))
    assert len(daemon.logged("transcript cannot be read")) == 1
