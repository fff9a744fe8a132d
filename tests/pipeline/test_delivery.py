"""Deliveries of events that no client sent share nothing with each other."""

from hookd.core.model.identity import Identity
from hookd.events.model import HookInput
from hookd.pipeline.delivery import unsent


def test_each_event_that_no_client_sent_has_a_trace_of_its_own() -> None:
    event = HookInput(hook_event_name="Stop")
    first, second = (unsent(event, Identity(), None) for _ in range(2))
    assert first.received.trace is not second.received.trace
    assert first.received.trace.row()[1].count(":") == second.received.trace.row()[1].count(":")
