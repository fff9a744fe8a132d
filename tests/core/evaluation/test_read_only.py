"""Where nothing can be kept no count is held against anybody: of calls, or of stops."""

import pytest
from pydantic import TypeAdapter

from hookd.core.evaluation.read_only import release_stop, without_heartbeat
from hookd.core.model.facts import Facts, Session
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput, Stop, SubagentStop

HELD = Outcome("deny", "go on")


def stop(kind: type[HookInput], *, before: bool) -> HookInput:
    return TypeAdapter(kind).validate_python(
        {"hook_event_name": kind.__name__, "stop_hook_active": before, "agent_id": "a"}
    )


@pytest.mark.parametrize("kind", [Stop, SubagentStop])
def test_a_stop_is_held_up_once_and_let_go_when_it_was_held_before(kind: type[HookInput]) -> None:
    assert release_stop(stop(kind, before=False), HELD) == HELD
    freed = release_stop(stop(kind, before=True), HELD)
    assert (freed.verdict, "not writable" in (freed.system_message or "")) == (None, True)


def test_a_call_that_is_denied_stays_denied() -> None:
    assert release_stop(HookInput(hook_event_name="PreToolUse"), HELD) == HELD


def test_no_call_waits_for_a_log_entry() -> None:
    assert without_heartbeat(Facts()) == Facts()
    session = without_heartbeat(
        Facts(session=Session(1, "s", heartbeat_counter=12, tool_calls=12))
    ).session
    assert session == Session(1, "s", tool_calls=12)
