"""Each client's adapter keeps the contract: its modules have the functions of the protocols."""

import inspect
from dataclasses import fields

import pytest

from hookd.clients import contract
from hookd.clients.adapters import ADAPTERS
from hookd.clients.contract import Adapter, Capabilities, Decoder, Encoder, Registration
from hookd.core.model.verdict import Outcome
from hookd.events.protocol import EVENTS

PARTS = {
    "decode": Decoder,
    "encode": Encoder,
    "registration": Registration,
    "capabilities": Capabilities,
}


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=ADAPTERS)
def test_an_adapter_has_the_functions_of_the_contract(adapter: Adapter) -> None:
    assert {field.name for field in fields(Adapter)} == {"name", *PARTS}
    for part, protocol in PARTS.items():
        module = getattr(adapter, part)
        for name, promised in inspect.getmembers(protocol, inspect.isfunction):
            if not name.startswith("_"):
                taken = list(inspect.signature(getattr(module, name)).parameters)
                assert taken == list(inspect.signature(promised).parameters)[1:], name


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=ADAPTERS)
@pytest.mark.parametrize("event", [*sorted(EVENTS), "Unknown"])
def test_silence_is_silence_in_every_client(adapter: Adapter, event: str) -> None:
    assert adapter.encode.render(event, Outcome(), 7) == contract.Rendered(None)
    assert adapter.capabilities.feasible(event, Outcome()) == Outcome()
