"""When the user is notified that an agent waits, with which text, and when not again."""

from typing import Any

import pytest

from hookd.config.models import Policies, Section
from hookd.core.model.effects.after_commit import NotifyUser
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import OpenTodos, StateOfSession
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.identity import Identity
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput, Notification, Stop, StopFailure
from hookd.policies.session_notification import NAME, POLICY, Options
from support.parametrize import parametrize_all
from support.policy_session import Talk, says

STOP = Stop(hook_event_name="Stop")


def asks(kind: str = "permission_prompt", message: str = "") -> Notification:
    return Notification(hook_event_name="Notification", notification_type=kind, message=message)


def active(name: str = "PreToolUse") -> HookInput:
    return HookInput(hook_event_name=name)


def facts(left: int = 0, **options: Any) -> Facts:
    return Facts(
        session=Session(1, "s", owner="backend"),
        project=Project(1, "/work/orders"),
        options={NAME: Options(mode="enforce", **options)},
        resolved={OpenTodos(1, ""): left},
    )


def told(opinion: Opinion | None) -> NotifyUser | None:
    """Return the notification of the user."""
    effects = opinion.effects if opinion else ()
    return next((effect for effect in effects if isinstance(effect, NotifyUser)), None)


def tells(event: HookInput, **options: Any) -> NotifyUser:
    said = told(says(POLICY, event, facts(**options)))
    assert said is not None
    return said


def test_it_is_off_by_default() -> None:
    assert Options().mode == "off"
    assert says(POLICY, STOP, Facts(session=Session(1, "s"))) is None


def test_the_end_of_a_turn_is_told_after_some_quiet() -> None:
    said = tells(STOP)
    assert (said.title, said.text) == ("backend", "is done and waits for you (orders)")
    assert (said.wait, said.channels, said.session_id) == (1.5, ("desktop",), 1)
    assert {"UserPromptSubmit", "PreToolUse"} <= set(said.unless)
    assert tells(STOP, idle_ms=0).wait == 0


@parametrize_all(
    ("event", "why"),
    [
        (asks(message="Claude needs your permission to use Bash"), "Claude needs your permission"),
        (asks("idle_prompt"), "waits for you"),
        (asks("agent_needs_input"), "needs your input"),
        (asks("elicitation_dialog"), "has a question"),
        (
            StopFailure(hook_event_name="StopFailure", error="rate_limit"),
            "was stopped by an API error (rate_limit)",
        ),
    ],
)
def test_a_request_for_a_person_is_notified_at_once_with_its_reason(
    event: HookInput, why: str
) -> None:
    said = tells(event)
    assert said.text.startswith(why)
    assert (said.wait, said.unless) == (0, ())


@parametrize_all(
    ("event", "more"),
    [
        (STOP, {"left": 1}),
        (Stop(hook_event_name="Stop", background_tasks=[{"id": "b1"}]), {}),
        (asks("auth_success"), {}),
        (asks("a kind of tomorrow"), {}),
        (STOP, {"kinds": ("permission_prompt",)}),
        (asks(), {"kinds": ("Stop",)}),
        (STOP, {"channels": ()}),
    ],
)
def test_what_needs_nobody_is_not_told(event: HookInput, more: dict[str, Any]) -> None:
    assert told(says(POLICY, event, facts(**more))) is None


def test_open_items_can_be_left_to_the_user() -> None:
    assert tells(STOP, left=1, only_when_todos_done=False)


def test_nothing_is_said_again_until_the_session_goes_on() -> None:
    one = Talk(POLICY, facts())
    assert told(one.hears(STOP))
    assert one.hears(asks("idle_prompt")) is None
    assert one.hears(asks()) is None
    one.hears(active("UserPromptSubmit"))
    assert told(one.hears(asks()))
    assert one.hears(asks()) is None
    one.hears(active("PostToolUse"))
    assert told(one.hears(asks()))
    # The end of a turn is always news.
    assert told(one.hears(STOP))


def test_a_subagent_that_goes_on_counts_for_its_window_and_its_own_end_does_not() -> None:
    below = Session(2, "s", agent_id="a1", parent_session_id=1)
    for kept, effects in (('{"told": "Stop"}', (Remember(1, NAME, None),)), (None, ())):
        given = facts()
        given = Facts(
            session=below, options=given.options, resolved={StateOfSession(1, NAME): kept}
        )
        said = says(POLICY, active("PostToolUse"), given)
        assert (said.effects if said else ()) == effects
        assert says(POLICY, STOP, given) is None


def test_words_are_the_users_own_where_there_are_some() -> None:
    said = tells(
        STOP,
        title="{project}/{agent}",
        text="{agent} {why}",
        texts={"Stop": "would like to go on"},
        channels=("command",),
        command=("say", "{agent}: {why}", "{project}"),
    )
    assert (said.title, said.text) == ("orders/backend", "backend would like to go on")
    assert said.command == ("say", "backend: would like to go on", "orders")


def test_what_is_filled_in_has_no_places_no_control_characters_and_is_no_option() -> None:
    event = asks(message="--exec \x1b[31m{agent}\n$(date)\u202e {project}")
    said = tells(event, command=("say", "{why}"), channels=("command",), text="{why}")
    assert said.text == "exec  [31m{agent} $(date)  {project}"
    assert said.command == ("say", said.text)
    long = tells(asks(message="x" * 1_000_000))
    assert len(long.text) <= 300
    secret = tells(asks(message="use ghp_" + "a" * 36))
    assert "ghp_" not in secret.text


def test_without_an_agent_or_a_project_there_are_words_as_well() -> None:
    given = Facts(session=Session(1, "s"), options=facts().options, resolved={OpenTodos(1, ""): 0})
    said = told(says(POLICY, STOP, given))
    assert said is not None
    assert (said.title, said.text) == ("Claude Code", "is done and waits for you (no project)")
    named = Facts(
        session=Session(1, "s"),
        identity=Identity(agent="ada"),
        options=given.options,
        resolved=given.resolved,
    )
    assert getattr(told(says(POLICY, STOP, named)), "title", "") == "ada"


def test_the_bell_rings_where_the_client_takes_it() -> None:
    rung = says(POLICY, asks(), facts(channels=("bell",)))
    assert rung is not None
    assert dict(rung.event_fields) == {"terminal_sequence": "\a"}
    assert told(rung) is None
    quiet = says(POLICY, STOP, facts(channels=("bell", "desktop")))
    assert quiet is not None
    assert not quiet.event_fields


@parametrize_all(
    ("options", "why"),
    [
        ({"channels": ("pigeon",)}, "channels"),
        ({"kinds": ("Sotp",)}, "unknown kind 'Sotp'"),
        ({"texts": {"Sotp": "x"}}, "unknown kind 'Sotp'"),
        ({"command": ("./say",)}, "without a slash, or an absolute path"),
        ({"command": ("",)}, "without a slash"),
        ({"idle_ms": -1}, "idle_ms"),
    ],
)
def test_an_invalid_option_is_refused(options: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Options(**options)


def test_it_is_switched_on_by_its_name() -> None:
    from hookd.policy_support.layering import choose

    section = Section(Policies(enabled=(NAME,)))
    assert choose((POLICY,), [section])[NAME].options.mode == "enforce"


def test_custom_texts_may_name_the_agent_and_the_project() -> None:
    said = tells(STOP, texts={"Stop": "{agent} would like to go on with {project}"}, text="{why}")
    assert said.text == "backend would like to go on with orders"


@parametrize_all(
    "options", [{"texts": {"Stop": "done {nam}"}}, {"texts": {"Stop": "{why}"}}, {"title": "{x}"}]
)
def test_an_unknown_placeholder_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="unknown placeholder"):
        Options(**options)
