"""A blocked agent stops in the end, whatever ids its client gives to turns."""

from dataclasses import replace
from typing import Any

from hookd.core.evaluation.stop_limit import (
    apply_stop_limit,
    repeats_stop_reason,
    reset_stop_limit,
)
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, NextIds, Session
from hookd.core.model.verdict import Outcome
from hookd.events.model import Stop, SubagentStop, UserPrompt

BLOCK = Outcome("deny", "go on", rule="mine")
LIMIT = Facts().settings.user_hooks.max_consecutive_stop_blocks


def facts(state: Any = None) -> Facts:
    known = {} if state is None else {"stop-blocks": state}
    return Facts(session=Session(7, "s"), policy_state=known)


def rounds(stops: list[Any]) -> list[bool]:
    """Return for each stop whether it is blocked; the counts of one are the next one's."""
    state, blocked = None, []
    for stop in stops:
        outcome, effects = apply_stop_limit(stop, BLOCK, facts(state))
        state = next(one.value for one in effects if isinstance(one, Remember))
        blocked.append(outcome.verdict == "deny")
    return blocked


def stop(turn: str | None, *, active: bool = False, kind: Any = Stop) -> Any:
    return kind(hook_event_name=kind.__name__, prompt_id=turn, stop_hook_active=active)


def test_the_limit_holds_with_another_id_for_each_turn_that_goes_on() -> None:
    for kind in (Stop, SubagentStop):
        turns = [stop(f"t{at}", active=at > 0, kind=kind) for at in range(67)]
        assert rounds(turns) == [True] * LIMIT + [False] * (67 - LIMIT)


def test_another_turn_resets_the_count() -> None:
    turns = [stop("t1", active=at > 0) for at in range(LIMIT)]
    assert rounds([*turns, stop("t2")]) == [True] * (LIMIT + 1)


def test_without_ids_a_prompt_of_the_user_resets_the_count() -> None:
    assert rounds([stop(None)] * (LIMIT + 1)) == [True] * LIMIT + [False]
    state = {"prompt": None, "count": LIMIT}
    prompt = UserPrompt(hook_event_name="UserPromptSubmit", prompt="and now?")
    assert reset_stop_limit(prompt, facts(state)) == (Remember(7, "stop-blocks", None, lasts=True),)
    assert reset_stop_limit(prompt, facts()) == ()
    with_id = prompt.model_copy(update={"prompt_id": "p"})
    assert reset_stop_limit(with_id, facts(state)) == ()


def test_a_prompt_that_repeats_the_reason_of_a_blocked_stop_is_recognized() -> None:
    _, effects = apply_stop_limit(stop(None), BLOCK, replace(facts(), next=NextIds(event=12)))
    state = next(one.value for one in effects if isinstance(one, Remember))
    prompt = UserPrompt(hook_event_name="UserPromptSubmit", prompt="go on (hookd #12)")
    assert repeats_stop_reason(prompt, facts(state))
    other = prompt.model_copy(update={"prompt": "go on (hookd #123)"})
    assert not repeats_stop_reason(other, facts(state))
    for unknown in (None, "x", {"count": 1}, {"event": "12"}, {"event": 0}):
        assert not repeats_stop_reason(prompt, facts(unknown))
