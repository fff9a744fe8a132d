"""Context that a client drops waits for an answer in which it is read."""

import pytest

from hookd.clients.adapters import ADAPTERS, adapter_of
from hookd.core.model.effects.messages import AddInjection
from hookd.core.model.facts import Facts, Session
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.pipeline.held_context import hold_context

FACTS = Facts(session=Session(7, "s"))
SAID = Outcome(context="read the log")


def event(name: str = "PreToolUse") -> HookInput:
    return HookInput(hook_event_name=name)


@pytest.mark.parametrize("client", ADAPTERS)
def test_context_waits_if_the_client_drops_it(client: str) -> None:
    adapter = ADAPTERS[client]
    held = hold_context(adapter, event(), SAID, FACTS)
    dropped = "add context" not in adapter.capabilities.intentions("PreToolUse")
    assert held == ((AddInjection(7, "hookd", "read the log"),) if dropped else ())


def test_both_clients_of_this_kind_are_among_them() -> None:
    for client in ("gemini", "qwen"):
        assert hold_context(ADAPTERS[client], event(), SAID, FACTS)


def test_nothing_waits_where_nothing_is_lost() -> None:
    gemini = ADAPTERS["gemini"]
    assert hold_context(gemini, event("PostToolUse"), SAID, FACTS) == ()
    assert hold_context(gemini, event("Stop"), SAID, FACTS) == ()
    assert hold_context(gemini, event("AfterModel"), SAID, FACTS) == ()
    assert hold_context(gemini, event(), Outcome("deny", "no"), FACTS) == ()
    assert hold_context(gemini, event(), SAID, Facts()) == ()


def test_nothing_waits_for_a_client_that_reads_no_context() -> None:
    assert hold_context(adapter_of("unheard-of"), event(), SAID, FACTS) == ()
