"""Table of the clients that hookd serves: the adapter of each, by its name."""

from collections.abc import Mapping

from hookd.clients.claude_code import capabilities, decode, encode, registration
from hookd.clients.contract import Adapter

CLAUDE_CODE = Adapter("claude-code", decode, encode, registration, capabilities)

ADAPTERS: Mapping[str, Adapter] = {adapter.name: adapter for adapter in (CLAUDE_CODE,)}
