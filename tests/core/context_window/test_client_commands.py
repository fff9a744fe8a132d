"""Commands of the clients, and where a compaction can be blocked: as their capabilities say."""

from hookd.clients.adapters import ADAPTERS
from hookd.core.context_window.client_commands import blocks_compaction, compact, new_window
from support.parametrize import parametrize_all

COMMANDS = {
    "claude-code": ("/clear", "/compact"),
    "codex": ("/clear", "/compact"),
    "gemini": ("/clear", "/compress"),
    "qwen": ("/clear", "/compress"),
    "copilot": ("/clear", "/compact"),
    "opencode": ("/new", "/compact"),
}


@parametrize_all("client", ADAPTERS)
def test_each_client_has_its_own_commands(client: str) -> None:
    assert (new_window(client), compact(client)) == COMMANDS[client]


@parametrize_all("client", ADAPTERS)
def test_a_compaction_is_blocked_where_the_client_carries_that_out(client: str) -> None:
    possible = "deny" in ADAPTERS[client].capabilities.intentions("PreCompact")
    assert blocks_compaction(client) is possible


@parametrize_all("client", ADAPTERS)
def test_each_client_takes_context_at_the_start_of_a_session(client: str) -> None:
    # A handover is given there first.
    assert "add context" in ADAPTERS[client].capabilities.intentions("SessionStart")
