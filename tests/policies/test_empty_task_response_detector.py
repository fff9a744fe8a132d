"""A subagent that ends without a result is reported, or asked for it."""

from typing import Any

from hookd.config.models import Mode
from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import MissingFacts, StateOfPolicy, StateOfSession
from hookd.core.model.facts import Facts, Session
from hookd.core.model.verdict import Opinion
from hookd.events.model import PostToolUse, SubagentStop
from hookd.policies.empty_task_response_detector import POLICY, Options, opine
from support.parametrize import parametrize_all

NAME = "empty-task-response-detector"
NOTE = {"type": "text", "text": "<tools-used-before-summary>Read</tools-used-before-summary>\n"}


def done(response: Any, tool: str = "Agent", **options: Any) -> str:
    event = PostToolUse(tool_name=tool, tool_input={}, tool_response=response)
    opinion = opine(event, Facts(), Options(**options))
    return opinion.context if opinion else ""


EMPTY = [
    "",
    " \n\t",
    [],
    {"content": []},
    {"status": "completed", "content": [{"type": "text", "text": "\n"}]},
    {"status": "completed", "content": [NOTE], "harnessNoteCount": 1},
    {"status": "completed", "content": [NOTE]},
]


@parametrize_all("response", EMPTY)
def test_an_empty_result_is_told_as_one(response: Any) -> None:
    for tool in ("Agent", "Task"):
        assert done(response, tool).startswith(
            f"[hookd:{NAME}] The delegated call returned nothing"
        )


@parametrize_all(
    "response",
    [
        "ok",
        {"status": "completed", "content": [NOTE, {"type": "text", "text": "ok"}]},
        {"status": "async_launched", "agentId": "a1"},
        {"status": "remote_launched", "taskId": "t1"},
        {"status": "failed", "content": []},
        {"error": "timeout"},
        {"something": "new"},
        None,
    ],
)
def test_a_result_a_launch_and_an_error_are_not_empty(response: Any) -> None:
    assert done(response) == ""


def test_a_short_result_counts_as_none_where_the_user_says_so() -> None:
    assert "returned only 5 characters" in done(" Done.\n", min_chars=50)
    assert done("x" * 50, min_chars=50) == ""
    assert done("", "Bash") == ""


def test_it_says_by_which_id_the_same_subagent_can_be_asked_again() -> None:
    response = {"status": "completed", "content": [], "agentId": "a1"}
    assert done(response).endswith("The same subagent can be asked again: its id is a1.")
    assert "its id" not in done({**response, "canContinueAgent": False})


def stop(said: str | None = None, **more: Any) -> SubagentStop:
    event = {"hook_event_name": "SubagentStop", "session_id": "s", "agent_id": "a1"}
    known = {} if said is None else {"last_assistant_message": said}
    return SubagentStop.model_validate({**event, "agent_type": "Explore", **known, **more})


def held(
    event: SubagentStop,
    *,
    asked: str | None = None,
    agent: str | None = "a1",
    parent: int | None = 3,
    mode: Mode = "enforce",
    ask_again: bool = True,
) -> Opinion:
    """Return what is said, with what the window of the subagent remembers looked up."""
    facts = Facts(
        session=Session(7, "s", agent_id=agent, parent_session_id=parent),
        options={NAME: Options(ask_again=ask_again, mode=mode)},
    )
    for _ in range(5):
        try:
            (heard,) = ask_policies([POLICY], event, facts, lambda: 0.0)
        except MissingFacts as lack:
            found = {StateOfSession(3, NAME): asked}
            known = {
                want: () if isinstance(want, StateOfPolicy) else found[want]
                for want in lack.requests
            }
            facts = facts.with_facts(known)
        else:
            assert heard.fault is None
            return heard.opinion or Opinion()
    raise AssertionError("it looks things up without an end")


@parametrize_all("said", [None, "", " \n"])
def test_a_subagent_without_a_last_message_is_asked_for_its_result(said: str | None) -> None:
    opinion = held(stop(said))
    assert opinion.verdict == "deny"
    assert "End with a short report" in opinion.reason
    assert opinion.effects == (Remember(3, NAME, {"asked": ["a1"]}),)


def test_it_is_asked_once_and_never_again() -> None:
    assert held(stop(stop_hook_active=True)) == Opinion()
    assert held(stop(), asked='{"asked": ["a1"]}') == Opinion()
    assert held(stop(), asked='{"asked": ["a2"]}').verdict == "deny"
    assert held(stop(), asked='{"asked": 7}').verdict == "deny"


def test_a_window_remembers_the_last_subagents_that_were_asked() -> None:
    many = ", ".join(f'"b{number}"' for number in range(80))
    (kept,) = held(stop(), asked=f'{{"asked": [{many}]}}').effects
    assert isinstance(kept, Remember)
    assert len(kept.value["asked"]) == 50
    assert kept.value["asked"][-1] == "a1"


def test_it_is_not_held_where_it_has_spoken_or_where_nobody_may_hold_it() -> None:
    assert held(stop("Done.")) == Opinion()
    assert held(stop(), ask_again=False) == Opinion()
    assert held(stop(background_tasks=[{"id": "b1"}])) == Opinion()
    assert held(stop(agent_type="")) == Opinion()
    assert held(stop(), parent=None) == Opinion()
    assert held(stop(agent_id=None), agent=None) == Opinion()


def test_in_mode_warn_the_subagent_is_not_held() -> None:
    opinion = held(stop(), mode="warn")
    assert (opinion.verdict, opinion.effects) == (None, ())
