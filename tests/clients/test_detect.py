"""A payload tells which client sent it, where hooks of one are run by another."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookd.clients.adapters import CLAUDE_CODE, adapter_of, sender_of
from hookd.clients.detect import detect_client
from support.paths import ROOT

OWN = sorted((ROOT / "tests" / "payloads").glob("*.json"))
ISO = "2026-11-22T17:23:52.733Z"


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_no_payload_of_claude_code_is_taken_for_another_clients(path: Path) -> None:
    for variables in ({}, {"GEMINI_SESSION_ID": "s", "COPILOT_PROJECT_DIR": "/p"}):
        assert detect_client(json.loads(path.read_text()), variables) == ""


@pytest.mark.parametrize(
    ("payload", "client"),
    [
        ({"turn_id": "t", "model": "m", "session_id": "s"}, "codex"),
        ({"hook_event_name": "BeforeTool", "timestamp": ISO, "transcript_path": "/x"}, "gemini"),
        ({"hook_event_name": "PreToolUse", "timestamp": ISO, "prompt_id": "s########0"}, "qwen"),
        ({"timestamp": ISO, "transcript_path": "/home/user/.qwen/projects/x.jsonl"}, "qwen"),
        ({"timestamp": ISO, "transcript_path": "/home/user/elsewhere.jsonl"}, ""),
        ({"sessionId": "s", "timestamp": 1795367951801, "toolName": "bash"}, "copilot"),
        ({"hook_event_name": "PreToolUse", "timestamp": ISO, "session_id": "s"}, "copilot"),
        ({"timestamp": ISO, "session_id": "s", "tool_use_id": "t"}, ""),
        ({"timestamp": None, "sessionId": 1}, ""),
    ],
)
def test_the_fields_of_a_payload_tell_the_client(payload: dict[str, Any], client: str) -> None:
    assert detect_client(payload, {}) == client


@pytest.mark.parametrize(
    ("variables", "client"),
    [
        ({"COPILOT_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"}, "copilot"),
        ({"GEMINI_SESSION_ID": "s", "CLAUDE_PROJECT_DIR": "/p"}, "gemini"),
        ({"QWEN_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"}, "qwen"),
        ({"CLAUDE_PROJECT_DIR": "/p", "GEMINI_SESSION_ID": ""}, ""),
    ],
)
def test_variables_tell_the_client_where_the_payload_does_not(
    variables: dict[str, str], client: str
) -> None:
    payload = {"session_id": "s", "timestamp": ISO, "transcript_path": "/elsewhere.jsonl"}
    assert detect_client(payload, variables) == client
    del payload["timestamp"]
    assert detect_client(payload, variables) == ""


def test_a_hook_of_another_client_is_its_own() -> None:
    other = adapter_of("windsurf")
    assert (other.name, sender_of(other, {"turn_id": "t", "model": "m"}, {})) == ("windsurf", other)
    assert sender_of(CLAUDE_CODE, {"session_id": "s"}, {}) is CLAUDE_CODE
    assert adapter_of("") is CLAUDE_CODE
