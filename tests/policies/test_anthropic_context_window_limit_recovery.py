"""A request that did not fit: it is marked, told once, and something is left behind."""

import json
from typing import Any

from hookd.core.context_window.handover import parse_handover
from hookd.core.model.effects.sessions import Remember, SaveHandover
from hookd.core.model.facts import Effort, Facts, Session
from hookd.events.model import PostToolUse, SessionEnd, Stop, StopFailure, UserPrompt
from hookd.policies.anthropic_context_window_limit_recovery import NAME, POLICY
from support.parametrize import parametrize_all
from support.policy_session import Talk, says

PROMPT = UserPrompt(hook_event_name="UserPromptSubmit", prompt="go on")
TOOL = PostToolUse(hook_event_name="PostToolUse", tool_name="Bash", tool_input={})
STOP = Stop(hook_event_name="Stop")
ENDS = SessionEnd(hook_event_name="SessionEnd", reason="clear")
FILES = ("/work/orders.py",)
FULL = "API Error: 400 prompt is too long: 205000 tokens > 200000 maximum"


def failure(error: str, said: str | None, details: Any = None) -> StopFailure:
    return StopFailure(
        hook_event_name="StopFailure",
        error=error,
        last_assistant_message=said,
        error_details=details,
    )


def talk(**session: Any) -> Talk:
    return Talk(POLICY, Facts(session=Session(1, "s", **session)))


@parametrize_all(
    ("event", "limit"),
    [
        (failure("invalid_request", FULL), "window"),
        (failure("unknown", "Prompt is too long"), "window"),
        (failure("invalid_request", None, "context_length_exceeded"), "window"),
        (failure("max_output_tokens", "cut"), "answer"),
        (failure("max_output_tokens", FULL), "window"),
        (failure("invalid_request", "an image cannot be read"), None),
        (failure("rate_limit", "too many"), None),
        (failure("unknown", "x" * 1_000_000), None),
    ],
)
def test_only_a_limit_of_the_window_or_the_answer_is_marked(
    event: StopFailure, limit: str | None
) -> None:
    one = talk()
    one.hears(event)
    assert one.facts.policy_state.get(NAME, {}).get("limit") == limit


def test_it_is_told_once_with_its_numbers_to_the_model_and_to_the_user() -> None:
    one = talk()
    one.hears(failure("invalid_request", FULL))
    told = one.hears(PROMPT)
    assert told is not None
    assert told.context.startswith(f"[hookd:{NAME}] ")
    assert "205,000 tokens, 200,000 fit" in told.context
    assert "hookd handover save" in told.context
    assert "/compact" in told.system_message
    assert one.hears(PROMPT) is None
    one.hears(failure("invalid_request", FULL))
    assert one.hears(PROMPT) is not None


@parametrize_all("event", [STOP, TOOL])
def test_what_goes_well_takes_the_mark_away(event: Any) -> None:
    one = talk(loaded_files=FILES)
    assert one.hears(event) is None
    one.hears(failure("invalid_request", FULL))
    one.hears(event)
    assert one.facts.policy_state == {}
    assert one.hears(PROMPT) is None
    assert one.hears(ENDS) is None
    assert {type(effect) for effect in one.caused} == {Remember}


def test_a_window_that_leaves_nothing_is_given_a_handover_with_the_files_it_read() -> None:
    files = tuple(f"/work/{number}.py" for number in range(12))
    one = talk(loaded_files=files)
    one.hears(failure("invalid_request", FULL))
    one.hears(PROMPT)
    assert {type(effect) for effect in one.caused} == {Remember}
    one.hears(ENDS)
    (left,) = [effect for effect in one.caused if isinstance(effect, SaveHandover)]
    payload = parse_handover(json.loads(left.payload))
    assert payload.required_files == list(files[-8:])
    assert "205,000 tokens" in left.payload
    assert "`hookd dialogue export --session s`" in left.payload


@parametrize_all(
    ("session", "facts"),
    [
        ({"handover": True, "loaded_files": FILES}, {}),
        ({"loaded_files": FILES}, {"effort": Effort(1, "/work/demo", "implement")}),
        ({}, {}),
    ],
)
def test_a_handover_that_is_not_needed_or_has_nothing_to_tell_is_not_written(
    session: dict[str, Any], facts: dict[str, Any]
) -> None:
    one = talk(**session)
    one.hears(failure("invalid_request", FULL), **facts)
    one.hears(ENDS)
    assert [type(effect) for effect in one.caused] == [Remember]


def test_an_answer_that_was_cut_off_leaves_no_handover() -> None:
    one = talk(loaded_files=FILES)
    one.hears(failure("max_output_tokens", ""))
    one.hears(ENDS)
    assert [type(effect) for effect in one.caused] == [Remember]
    assert "smaller parts" in one.reads(PROMPT)


def test_without_a_session_and_in_a_subagent_it_is_silent() -> None:
    assert says(POLICY, failure("invalid_request", FULL), Facts()) is None
    below = Facts(session=Session(2, "s", agent_id="a1", parent_session_id=1))
    assert says(POLICY, failure("invalid_request", FULL), below) is None


@parametrize_all("kept", [3, {"limit": 4}, {"limit": "window", "tokens": "many"}])
def test_what_it_cannot_have_kept_breaks_nothing(kept: Any) -> None:
    facts = Facts(session=Session(1, "s"), policy_state={NAME: kept})
    said = says(POLICY, PROMPT, facts)
    assert (said is not None) == (isinstance(kept, dict) and kept["limit"] == "window")
