"""Live: one event through the real shim, the real daemon and a real database."""

from conftest import Home, payload


def test_an_event_is_answered_and_kept(daemon: Home) -> None:
    assert daemon.said(payload("PreToolUse.Bash")) is None
    assert daemon.rows("SELECT event, tool_name, decision FROM events") == [
        ("PreToolUse", "Bash", None)
    ]
