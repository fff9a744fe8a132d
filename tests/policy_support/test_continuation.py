"""Reasons to let an agent stop, each alone, and none."""

from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from hookd.config.models import PolicyOptions, Settings
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import SavedState, StateOfPolicy, TodosOfSession
from hookd.core.model.facts import Facts, NextIds, Session, Todo
from hookd.core.model.verdict import Opinion
from hookd.events.model import (
    HookInput,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    Stop,
    StopFailure,
    SubagentStop,
    UserPrompt,
)
from hookd.policy_support.continuation import hindrance, hold, turn
from support.parametrize import parametrize_all

OPEN = (Todo("One"), Todo("Two", "in_progress"), Todo("Three", "completed"))
GUARD = "stop-continuation-guard"


def facts(todos: tuple[Todo, ...] = OPEN, **state: Any) -> Facts:
    known = {name.replace("_", "-"): value for name, value in state.items()}
    session = Session(7, "s", tool_calls=40, context_usage=0.5)
    return Facts(session=session, policy_state=known, resolved={TodosOfSession(7): todos})


def unkept(**state: Any) -> Facts:
    return replace(facts(**state), options={GUARD: PolicyOptions(mode="off")})


def stop(**more: Any) -> Stop:
    return Stop(hook_event_name="Stop", session_id="s", prompt_id="p", **more)


PLAIN: list[tuple[str, Stop, Facts, str]] = [
    ("nothing", stop(), facts(), ""),
    ("no task is left", stop(background_tasks=[]), facts(), ""),
    ("another prompt's holds", stop(), facts(stop_blocks={"prompt": "q", "count": 5}), ""),
    ("four holds", stop(), facts(stop_blocks={"prompt": "p", "count": 4}), ""),
    ("five holds", stop(), facts(stop_blocks={"prompt": "p", "count": 5}), "5 times since"),
    ("tasks", stop(background_tasks=[{"id": "b", "status": "running"}]), facts(), "background"),
    ("odd tasks", stop(background_tasks=["?"]), facts(), "background"),
    ("a schedule", stop(session_crons=[{"id": "c"}]), facts(), "schedule"),
    ("plan mode", stop(permission_mode="plan"), facts(), "plan mode"),
    ("another mode", stop(permission_mode="acceptEdits"), facts(), ""),
    ("the user's word", stop(), facts(stop_continuation_guard={"said": "x"}), "stop continuing"),
    ("an interrupt", stop(), facts(continuation={"interrupted": True}), "interrupted"),
    ("an error", stop(), facts(continuation={"failed": True}), "error"),
    ("a machine", stop(), facts(continuation={"machine": True}), "not from the user"),
    ("a question", stop(), facts(continuation={"asking": True}), "question"),
    ("no session", stop(), Facts(), "is new"),
    ("a new window", stop(), replace(facts(), next=NextIds(session=7)), "is new"),
    ("another voice", stop(), replace(facts(), shared={"continuation": "x"}), "x keeps it"),
    # If the guard is off, nothing would remove such a mark.
    ("an unrecorded phrase", stop(), unkept(stop_continuation_guard={"said": "x"}), ""),
    ("an unrecorded mark", stop(), unkept(continuation={"interrupted": True}), ""),
]


@parametrize_all(("_case", "event", "known", "why"), PLAIN, ids=[row[0] for row in PLAIN])
def test_an_agent_may_stop_for_each_reason(_case: str, event: Stop, known: Facts, why: str) -> None:
    found = hindrance(event, known)
    assert bool(found) == bool(why)
    assert why in found


@parametrize_all(("usage", "held"), [(None, True), (0.949, True), (0.95, False), (1, False)])
def test_in_a_nearly_full_window_the_agent_may_stop(usage: float | None, held: bool) -> None:
    known = facts()
    session = replace(known.session or Session(7, "s"), context_usage=usage)
    assert (hindrance(stop(), replace(known, session=session)) == "") is held


def test_the_limit_of_blocked_stops_is_the_setting() -> None:
    more = TypeAdapter(Settings).validate_python({"user_hooks": {"max_consecutive_stop_blocks": 7}})
    known = facts(stop_blocks={"prompt": "p", "count": 6})
    assert hindrance(stop(), known)
    assert not hindrance(stop(), replace(known, settings=more))


MARK = {"calls": 40, "open": 2, "idle": 1}
VAIN = [
    ({"calls": 40, "open": 2, "idle": 0}, OPEN, True, False),
    (MARK, OPEN, True, True),
    (MARK, OPEN, False, False),
    (MARK, OPEN[1:], True, False),
    (MARK, (*OPEN, Todo("Four")), True, True),
    (MARK | {"calls": 39}, OPEN, True, False),
    (MARK | {"calls": 60}, OPEN, True, False),  # the window after a compaction counts from zero
    ({"machine": False}, OPEN, True, False),
]


@parametrize_all(("mark", "todos", "active", "vain"), VAIN)
def test_an_agent_without_progress_for_two_rounds_may_stop(
    mark: dict[str, Any], todos: tuple[Todo, ...], active: bool, vain: bool
) -> None:
    found = hindrance(stop(stop_hook_active=active), facts(todos, continuation=mark))
    assert ("did nothing" in found) is vain


def subagent(**more: Any) -> SubagentStop:
    return SubagentStop(hook_event_name="SubagentStop", session_id="s", agent_id="a", **more)


@parametrize_all(
    ("above", "own", "more", "held"),
    [
        ({}, {}, {}, True),
        ({}, {}, {"stop_hook_active": True}, False),
        ({}, {}, {"background_tasks": [1]}, False),
        ({GUARD: {"said": "x"}}, {}, {}, False),
        ({"continuation": {"interrupted": True}}, {}, {}, False),
        ({}, {"continuation": {"interrupted": True}}, {}, False),
    ],
)
def test_a_subagent_is_held_once_and_what_the_user_has_said_in_its_window_holds_for_it(
    above: dict[str, Any], own: dict[str, Any], more: dict[str, Any], held: bool
) -> None:
    others = SavedState(3, "other", None, {"said": "x", "interrupted": True})
    seen: dict[Any, Any] = {
        StateOfPolicy(name): (
            others,
            *((SavedState(4, "s", None, above[name]),) if name in above else ()),
        )
        for name in (GUARD, "continuation")
    }
    known = replace(facts(), policy_state=own)
    assert (hindrance(subagent(**more), known.with_facts(seen)) == "") is held


def test_a_held_stop_is_told_to_the_others_and_marked() -> None:
    said = Opinion("deny", "Go on.", rule="x", effects=(Remember(7, "x", 1),))
    one = hold(said, stop(), facts(), "enforce")
    assert one.shared_facts == {"continuation": "x"}
    mark = Remember(7, "continuation", {"calls": 40, "open": 2, "idle": 0}, lasts=True)
    assert one.effects == (*said.effects, mark)


TOLD = "[hookd:x] Not kept from stopping, since the mode is `warn`:"


def test_in_mode_warn_the_user_is_told_and_nothing_is_kept() -> None:
    said = Opinion("deny", "Go on.", rule="x", effects=(Remember(7, "x", 1),))
    one = hold(said, stop(), facts(), "warn")
    assert (one.effects, one.shared_facts, one.system_message) == ((), {}, f"{TOLD} Go on.")


def tool(kind: type[Any], tool_name: str, **more: Any) -> Any:
    return kind(hook_event_name=kind.__name__, tool_name=tool_name, tool_input={}, **more)


def typed(text: str) -> UserPrompt:
    """Return a prompt of the turn p."""
    return UserPrompt(hook_event_name="UserPromptSubmit", prompt=text, prompt_id="p")


ALL = {"interrupted": True, "failed": True, "machine": True, "asking": True, "calls": 1}
MARKS: list[tuple[HookInput, dict[str, Any], dict[str, Any]]] = [
    (UserPrompt(hook_event_name="UserPromptSubmit", prompt="Go"), ALL, {}),
    (
        UserPrompt(hook_event_name="UserPromptSubmit", prompt="<task-notification>"),
        {"calls": 1},
        {"calls": 1, "machine": True},
    ),
    (
        UserPrompt(hook_event_name="UserPromptSubmit", prompt="Go", source="loop_wakeup"),
        {},
        {"machine": True},
    ),
    (typed("Go"), ALL, {"prompt": "p"}),
    (typed("<task-notification>"), {"prompt": "p", "calls": 1}, {"prompt": "p", "calls": 1}),
    (typed("<task-notification>"), {"prompt": "o"}, {"prompt": "o", "machine": True}),
    (StopFailure(hook_event_name="StopFailure"), {}, {"failed": True}),
    (tool(PostToolUseFailure, "Bash", is_interrupt=True), {}, {"interrupted": True}),
    (tool(PostToolUseFailure, "Bash"), {}, {}),
    (tool(PreToolUse, "AskUserQuestion"), {}, {"asking": True}),
    (tool(PostToolUse, "AskUserQuestion"), {"asking": True, "calls": 1}, {"calls": 1}),
    (tool(PostToolUseFailure, "AskUserQuestion"), {"asking": True}, {}),
    (tool(PreToolUse, "Bash"), {"asking": True}, {"asking": True}),
    (HookInput(hook_event_name="Elicitation"), {}, {"asking": True}),
    (HookInput(hook_event_name="ElicitationResult"), {"asking": True}, {}),
]


@parametrize_all(("event", "before", "after"), MARKS)
def test_the_marks_of_a_turn_follow_its_events(
    event: HookInput, before: dict[str, Any], after: dict[str, Any]
) -> None:
    effects = turn(event, facts(continuation=before))
    changed = Remember(7, "continuation", after or None, lasts=True)
    assert effects == (() if before == after else (changed,))
    assert turn(event, Facts()) == ()
