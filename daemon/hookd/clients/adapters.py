"""Table of the clients that hookd serves: the adapter of each, by its name."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from hookd.clients import unknown
from hookd.clients.claude_code import (
    capabilities,
    decode,
    encode,
    registration,
    transcript,
)
from hookd.clients.contract import Adapter
from hookd.clients.detect import detect_client

CLAUDE_CODE = Adapter(
    "claude-code", decode, encode, capabilities, registration, transcript=transcript
)

_OTHERS = ("codex", "copilot", "gemini", "opencode", "qwen")
"""The other clients, each by the name of its folder here."""

_WITHOUT_TRANSCRIPT = ("opencode",)
"""Clients that keep conversations in a database of their own."""


_SHARING_PROCESS = ("codex",)
"""Clients of which one process may serve several windows."""


class _Adapters(Mapping[str, Adapter]):
    """The adapters by name; each but Claude Code's is imported when it is first used."""

    def __init__(self) -> None:
        self._used = {CLAUDE_CODE.name: CLAUDE_CODE}

    def __getitem__(self, name: str) -> Adapter:
        if name not in self._used:
            if name not in _OTHERS:
                raise KeyError(name)
            self._used[name] = _imported(name)
        return self._used[name]

    def __iter__(self) -> Iterator[str]:
        return iter((CLAUDE_CODE.name, *_OTHERS))

    def __len__(self) -> int:
        return 1 + len(_OTHERS)


def _imported(name: str) -> Adapter:
    def part(of: str) -> Any:
        return import_module(f"hookd.clients.{name}.{of}")

    own = part("capabilities")
    asks = getattr(own, "attended", None)
    lines = None if name in _WITHOUT_TRANSCRIPT else part("transcript")
    modules = part("decode"), part("encode"), own, part("registration")
    place, shares = getattr(lines, "place", None), name in _SHARING_PROCESS
    return Adapter(name, *modules, asks, lines, place, shares)


ADAPTERS: Mapping[str, Adapter] = _Adapters()

_UNKNOWN = Adapter("", decode, encode=unknown, capabilities=unknown)
"""A client without an adapter: its events are read as far as they can be, and get no answer."""


def adapter_of(name: str) -> Adapter:
    """Return the adapter of a client by the name that its shim sends; "" is Claude Code.

    An unknown client gets an adapter that answers nothing.
    """
    return ADAPTERS.get(name or CLAUDE_CODE.name) or replace(_UNKNOWN, name=name)


def sender_of(
    registered: Adapter, payload: Mapping[str, Any], variables: Mapping[str, object]
) -> Adapter:
    """Return the adapter of the client that sent a payload to a hook registered for another.

    Some clients run the hooks of Claude Code's settings in a project. `variables` are the hook's.
    """
    if registered is not CLAUDE_CODE:
        return registered
    return ADAPTERS.get(detect_client(payload, variables), CLAUDE_CODE)
