"""A payload without the path of its transcript gets it, if the client has a place for it."""

from pathlib import Path

import pytest

from hookd.clients.adapters import adapter_of
from hookd.pipeline.transcript_path import with_transcript


def test_the_file_of_a_session_of_copilot_is_in_its_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COPILOT_HOME", str(tmp_path))
    copilot, session = adapter_of("copilot"), {"session_id": "9bdf"}
    expected = str(tmp_path / "session-state" / "9bdf" / "events.jsonl")
    assert with_transcript(copilot, session) == session | {"transcript_path": expected}
    named = session | {"transcript_path": "/w/events.jsonl"}
    assert with_transcript(copilot, named) == named
    assert with_transcript(copilot, {"session_id": "../9bdf"}) == {"session_id": "../9bdf"}
    assert with_transcript(adapter_of("codex"), session) == session
