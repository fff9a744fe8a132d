"""A loop: start, rounds, pauses, and each way to end it."""

from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.core.model.fact_requests import SavedState, StateOfPolicy
from hookd.core.model.facts import Facts, Session, Todo
from hookd.core.model.verdict import Outcome
from hookd.core.sessions.loop import MAX_TASK_CHARS, new_loop
from hookd.events.model import PostToolUseFailure
from hookd.methods.loop import status
from hookd.policies import ralph_loop, stop_continuation_guard, todo_continuation_enforcer
from hookd.policies.todo_continuation_enforcer import Options as TodoOptions
from support.parametrize import parametrize_all
from support.policy_turns import NOON, Talk

NAME = "ralph-loop"


def talk(prompt: str = "/ralph-loop Add pages") -> Talk:
    one = Talk((stop_continuation_guard.POLICY, ralph_loop.POLICY))
    if prompt:
        one.says(prompt)
    return one


def test_without_a_loop_nothing_is_said() -> None:
    one = talk("")
    assert one.says("Add pages").context == ""
    assert one.stops() == Outcome()


def test_the_task_is_given_again_until_the_promise() -> None:
    one = talk()
    assert one.state[NAME]["iteration"] == 1
    outcome = one.stops()
    assert outcome.verdict == "deny"
    assert outcome.reason.startswith("ralph-loop: round 2/100: no promise yet.")
    assert "\n\nAdd pages\n\nTo end the loop, put <promise>DONE</promise>" in outcome.reason
    assert "hookd loop cancel" in outcome.reason
    assert '"stop continuing"' in outcome.reason
    one.works()
    assert one.stops().reason.startswith("ralph-loop: round 3/100")
    outcome = one.stops("It is <promise>DONE</promise>")
    assert (outcome.verdict, NAME in one.state) == (None, False)
    assert "loop ended in round 3/100: the agent gave the promise" in outcome.system_message


PROMISES = [
    ("DONE", "<promise>DONE</promise>", True),
    ("DONE", "x <PROMISE>\n done  </Promise> y", True),
    ("All is  well", "<promise>all\nis well</promise>", True),
    ("a.c", "<promise>abc</promise>", False),
    ("a.c", "<promise>A.C</promise>", True),
    ("DONE", "<promise>NOT DONE</promise>", False),
    ("DONE", "DONE", False),
    ("DONE", "<promise>DONE", False),
    ("DONE", "<promise>no</promise> and <promise>DONE</promise>", True),
    ("DONE", "<promise><promise>DONE</promise>", True),
    ("DONE", "", False),
]


@parametrize_all(("promise", "message", "over"), PROMISES)
def test_a_promise_is_its_words_whatever_the_case_and_the_spaces(
    promise: str, message: str, over: bool
) -> None:
    assert new_loop("x", promise, 9, Facts()).is_promised(message) is over


def test_a_message_of_a_megabyte_is_read() -> None:
    """A search that takes the square of the length would take hours for this."""
    loop = new_loop("x", "DONE", 9, Facts())
    assert not loop.is_promised("<promise>" * 120_000)
    assert loop.is_promised("<promise>" * 120_000 + "done</promise>")


@given(st.text(max_size=40))
def test_any_promise_between_its_tags_is_kept(words: str) -> None:
    promise = "a " + words.replace("<", "").replace(">", "")
    loop = new_loop("x", promise, 9, Facts())
    assert loop.is_promised(f"So: <promise>{loop.promise}</promise>")


def test_what_a_prompt_says_is_no_promise() -> None:
    one = talk()
    one.says("Say <promise>DONE</promise> when you are done.")
    assert one.stops().verdict == "deny"


def test_rounds_end() -> None:
    one = talk("/ralph-loop Add pages --max-iterations 3")
    said = []
    for _ in range(4):
        said.append(one.stops(stop_hook_active=bool(said)))
        one.works()
    assert [outcome.verdict for outcome in said] == ["deny", "deny", None, None]
    assert "all rounds are used up" in said[2].system_message


STARTS: list[tuple[str, dict[str, Any]]] = [
    ("/ralph-loop Fix it", {"prompt": "Fix it", "promise": "DONE", "max": 100}),
    ("  /ralph-loop\n Fix\nit\n", {"prompt": "Fix\nit"}),
    ("/ralph-loop Fix it --max-iterations 7", {"prompt": "Fix it", "max": 7}),
    ("/ralph-loop --max-iterations=7 Fix it", {"prompt": "Fix it", "max": 7}),
    (
        "/ralph-loop Fix --completion-promise 'ALL OK' it",
        {"prompt": "Fix  it", "promise": "ALL OK"},
    ),
    ('/ralph-loop "Fix it" --completion-promise OK', {"prompt": '"Fix it"', "promise": "OK"}),
    ("/ralph-loop Don't --verbose", {"prompt": "Don't --verbose"}),
    ("/ralph-loop ghp_abcdefghijklmnopqrstuvwxyz0123456789", {}),
]


@parametrize_all(("prompt", "kept"), STARTS)
def test_a_prompt_starts_a_loop(prompt: str, kept: dict[str, Any]) -> None:
    one = talk(prompt)
    assert kept.items() <= one.state[NAME].items()
    assert "ghp_" not in str(one.state)


@parametrize_all(
    ("prompt", "why"),
    [
        ("/ralph-loop", "the task is missing"),
        ("/ralph-loop --max-iterations 3", "the task is missing"),
        ("/ralph-loop x --max-iterations 0", "from 1 to 1000"),
        ("/ralph-loop x --max-iterations many", "from 1 to 1000"),
        ("/ralph-loop x --max-iterations ٣", "from 1 to 1000"),
        ("/ralph-loop x --completion-promise '<x>'", "without < and >"),
        ("/ralph-loop x --completion-promise ' '", "without < and >"),
        (f"/ralph-loop x --completion-promise {'y' * 201}", "200 characters"),
        ("/ralph-loop x. Then don't continue.", "stop continuing"),
    ],
)
def test_an_invalid_loop_is_not_started_and_the_reason_is_given(prompt: str, why: str) -> None:
    one = talk("")
    outcome = one.says(prompt)
    assert NAME not in one.state
    assert why in outcome.context
    assert why in outcome.system_message


@parametrize_all("prompt", ["/ralph-loops x", "Use /ralph-loop x", "/ralph-loop-x y"])
def test_other_prompts_start_none(prompt: str) -> None:
    assert NAME not in talk(prompt).state


def test_a_machine_starts_and_cancels_none() -> None:
    one = talk("")
    one.says("/ralph-loop x", source="schedule_wakeup")
    assert NAME not in one.state
    one = talk()
    one.says("/cancel-ralph", source="system")
    assert NAME in one.state


def test_a_long_task_is_cut_and_a_new_loop_takes_the_place_of_the_old() -> None:
    one = talk(f"/ralph-loop {'word ' * 200_000}")
    assert len(one.state[NAME]["prompt"]) == MAX_TASK_CHARS
    one.stops()
    one.says("/ralph-loop Something else")
    assert (one.state[NAME]["iteration"], one.state[NAME]["prompt"]) == (1, "Something else")


@parametrize_all("prompt", ["/cancel-ralph", "Enough, stop the loop.", "stop continuing"])
def test_the_user_ends_it(prompt: str) -> None:
    one = talk()
    assert "the user has cancelled it" in one.says(prompt).system_message
    assert NAME not in one.state
    assert one.stops().verdict is None


def test_an_interrupt_ends_it_and_an_error_of_a_tool_does_not() -> None:
    for interrupt in (False, True):
        one = talk()
        event = PostToolUseFailure(
            hook_event_name="PostToolUseFailure",
            tool_name="Bash",
            tool_input={},
            is_interrupt=interrupt,
        )
        one.hears(event)
        assert (NAME in one.state) is not interrupt


def test_a_long_turn_that_was_compacted_on_the_way_is_not_stale() -> None:
    one = talk()
    one.works(200)
    one.stops()
    one.waits(hours=3)
    one.session = replace(one.session, tool_calls=50)  # a new window, of the same conversation
    assert one.stops().reason.startswith("ralph-loop: round 3/100")


def test_it_ends_after_two_hours_without_activity() -> None:
    one = talk()
    one.waits(hours=2, seconds=1)
    assert "no activity for two hours" in one.stops().system_message
    one = talk()
    one.waits(hours=3)
    one.works()
    assert one.stops().verdict == "deny"
    one.waits(hours=12)
    assert "no activity" in one.says("Good morning").system_message
    assert NAME not in one.state


@parametrize_all("calls", [0, 9])
def test_how_old_a_loop_is_does_not_hang_on_the_window_that_asks(calls: int) -> None:
    here = Facts(now=NOON + timedelta(hours=3), session=Session(1, "other", tool_calls=calls))
    loop = asdict(new_loop("Add pages", "DONE", 9, replace(here, now=NOON)))
    seen = {StateOfPolicy(NAME): (SavedState(7, "s", "/work", loop),)}
    here = replace(here, resolved=seen, session=Session(1, "other", tool_calls=2))
    result = status.decide(status.Params(), here).result
    assert [one["stale"] for one in result.loops] == [True]


def test_a_prompt_of_the_user_s_keeps_it_awake() -> None:
    one = talk()
    for _ in range(3):
        one.waits(hours=1.5)
        one.says("Mind the tests")
    assert one.stops().verdict == "deny"


def test_a_hundred_rounds_are_a_hundred_rounds() -> None:
    one = talk()
    said = []
    for _ in range(100):
        said.append(one.stops(stop_hook_active=bool(said)))
        one.works()
    assert [outcome.verdict for outcome in said] == ["deny"] * 99 + [None]
    assert said[98].reason.startswith("ralph-loop: round 100/100")
    assert "all rounds are used up" in said[99].system_message


def test_it_pauses_without_progress_and_continues_at_the_next_prompt() -> None:
    one = talk()
    said = [one.stops(stop_hook_active=number > 0) for number in range(3)]
    assert [outcome.verdict for outcome in said] == ["deny"] * 2 + [None]
    assert "continues at the end of the turn after your next prompt" in (said[2].system_message)
    one.says("Go on")
    assert one.stops(prompt_id="p2").reason.startswith("ralph-loop: round 4/100")


def test_it_pauses_while_background_tasks_run() -> None:
    one = talk()
    outcome = one.stops(background_tasks=[{"id": "b"}])
    assert "paused in round 1/100: background tasks are running" in outcome.system_message
    assert one.state[NAME]["iteration"] == 1


def test_of_two_that_would_hold_a_stop_only_the_first_speaks() -> None:
    one = talk()
    one.policies = (*one.policies, todo_continuation_enforcer.POLICY)
    one.options = {"todo-continuation-enforcer": TodoOptions(mode="enforce")}
    one.todos = (Todo("Build"),)
    outcome = one.stops()
    assert outcome.rule == NAME
    assert "[Status:" not in outcome.reason
    one.options[NAME] = ralph_loop.Options(mode="warn")
    outcome = one.stops(prompt_id="p2")
    assert outcome.rule == "todo-continuation-enforcer"
    assert "[Status: 0/1 completed, 1 remaining]" in outcome.reason
    assert one.state[NAME]["iteration"] == 2


def test_a_subagent_has_none() -> None:
    one = talk()
    one.session = Session(7, "s", "a")
    assert one.stops().verdict is None
