"""An agent with open items is kept working, within limits."""

from dataclasses import replace
from typing import Any

import pytest

from hookd.core.model.fact_requests import SavedState
from hookd.core.model.facts import Session, Todo
from hookd.events.model import StopFailure, SubagentStop
from hookd.policies import stop_continuation_guard, todo_continuation_enforcer
from hookd.policies.todo_continuation_enforcer import Options
from support.parametrize import parametrize_all
from support.policy_turns import Talk

NAME = "todo-continuation-enforcer"
LIST = (Todo("Plan", "completed"), Todo("Build"), Todo("Test", "in_progress"))


def talk(todos: tuple[Todo, ...] = LIST, **options: Any) -> Talk:
    given = Options(**{"mode": "enforce", **options})
    policies = (stop_continuation_guard.POLICY, todo_continuation_enforcer.POLICY)
    return Talk(policies, {NAME: given}, todos)


def test_it_is_off_by_default() -> None:
    one = talk()
    one.options = {}
    assert one.stops().verdict is None


def test_the_reason_lists_open_items_and_ways_to_stop() -> None:
    reason = talk().stops().reason
    assert reason.startswith(
        f"{NAME}: 2 of 3 items of the task list are open. Next:\n- Test\n- Build\n"
    )
    assert "[Status: 1/3 completed, 2 remaining]" in reason
    assert "Mark each as completed" in reason
    assert '"stop continuing"' in reason


@pytest.mark.parametrize(
    ("todos", "told"),
    [
        ((Todo("Plan", "completed"), Todo("Build")), "1 of 2 items of the task list is open."),
        ((Todo("Build"),), "1 of 1 item of the task list is open."),
        ((Todo("Plan"), Todo("Build")), "2 of 2 items of the task list are open."),
    ],
)
def test_one_item_and_many_are_told_in_good_english(todos: tuple[Todo, ...], told: str) -> None:
    assert told in talk(todos).stops().reason


def test_at_most_five_items_are_named_each_in_one_short_line() -> None:
    many = tuple(Todo(f"Item {number}\n{'x' * 500}") for number in range(9))
    reason = talk(many).stops().reason
    assert reason.count("\n- Item") == 5
    assert "- and 4 more" in reason
    assert len(reason) < 1_500


@parametrize_all(
    "todos",
    [
        (),
        (Todo("A", "completed"),),
        (Todo("A", "deleted"), Todo("B", "cancelled")),
        (Todo("A", "blocked"),),
    ],
)
def test_without_an_open_item_it_is_silent(todos: tuple[Todo, ...]) -> None:
    assert talk(todos).stops().verdict is None


def test_who_works_on_is_held_five_times_for_a_prompt_and_then_let_go() -> None:
    one = talk()
    held = []
    for _ in range(8):
        held.append(one.stops(stop_hook_active=bool(held)).verdict)
        one.works()
    assert held == ["deny"] * 5 + [None] * 3
    one.says("And now?")
    assert one.stops(prompt_id="p2").verdict == "deny"


def test_its_own_number_of_holds_can_only_be_lower() -> None:
    for most, held in ((1, 1), (3, 3), (9, 5)):
        one = talk(max=most)
        said = []
        for _ in range(9):
            said.append(one.stops(stop_hook_active=bool(said)).verdict)
            one.works()
        assert said.count("deny") == held


def test_who_does_nothing_is_let_go_after_two_holds() -> None:
    one = talk()
    said = [one.stops(stop_hook_active=active).verdict for active in (False, True, True, True)]
    assert said == ["deny", "deny", None, None]


def test_closing_an_item_counts_as_doing_something() -> None:
    one = talk((Todo("A"), Todo("B"), Todo("C"), Todo("D")))
    for left in (4, 3, 2, 1):
        one.todos = one.todos[:left]
        assert one.stops(stop_hook_active=left < 4).verdict == "deny"


def test_the_user_s_word_holds_until_it_is_lifted() -> None:
    one = talk()
    one.says("stop continuing")
    for number in range(3):
        one.says("What is left?")
        assert one.stops(prompt_id=f"q{number}").verdict is None
    one.says("Please continue working.")
    assert one.stops(prompt_id="r").verdict == "deny"


def test_after_an_error_or_a_machine_s_prompt_it_waits_for_the_user() -> None:
    one = talk()
    one.hears(StopFailure(hook_event_name="StopFailure", session_id="s"))
    assert one.stops().verdict is None
    one.says("<task-notification>done</task-notification>")
    assert one.stops(prompt_id="p2").verdict is None
    one.says("Go on")
    assert one.stops(prompt_id="p3").verdict == "deny"


def test_in_mode_warn_the_user_alone_is_told() -> None:
    outcome = talk(mode="warn").stops()
    assert outcome.verdict is None
    assert outcome.system_message.startswith(
        f"[hookd:{NAME}] Not kept from stopping, since the mode is `warn`: 2 of 3 items"
    )


def subagent(one: Talk, **more: Any) -> Any:
    one.session = Session(7, "s", "a")
    given = {"agent_id": "a", "agent_type": "general-purpose", "session_id": "s"} | more
    return one.hears(SubagentStop(hook_event_name="SubagentStop", **given)).verdict


def test_a_subagent_is_held_where_that_is_wanted_and_once() -> None:
    one = replace(talk(), policies=(todo_continuation_enforcer.POLICY,))
    assert subagent(one) is None
    one.options = {NAME: Options(mode="enforce", subagents=True, skip_agents=("Explore", "scout"))}
    assert subagent(one, agent_type="scout") is None
    assert subagent(one, stop_hook_active=True) is None
    assert subagent(one) == "deny"
    one.above = {"stop-continuation-guard": (SavedState(1, "s", None, {"said": "x"}),)}
    assert subagent(one, prompt_id="p2") is None


def test_a_window_of_an_agent_type_that_is_left_out_is_never_held() -> None:
    assert talk().stops(agent_type="Plan").verdict is None
    assert talk(skip_agents=()).stops(agent_type="Plan").verdict == "deny"
