"""A client without an adapter: its events are read, and get no answer."""

from hookd.clients.adapters import adapter_of
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput


def test_an_unknown_client_gets_silence() -> None:
    other = adapter_of("windsurf")
    event = HookInput(**other.decode.normalize({"session_id": "s"}, "PreToolUse"))
    assert event.hook_event_name == "PreToolUse"
    assert other.encode.render(event, Outcome("deny", "no"), 7).output is None
    assert other.capabilities.feasible(event, Outcome("deny", "no")) == Outcome()
    assert other.capabilities.denial_template("PreToolUse") == ""
