"""When an idle session is woken for mail: once for each mail, by the last waker, if it is idle."""

from dataclasses import replace
from datetime import timedelta

import pytest

from hookd.core.mail.waking import NAME, waits, wake, wake_line
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Injection, Session, iso
from hookd.core.model.mail import INJECTION_SOURCE

MAIL = Injection(5, INJECTION_SOURCE, "x")
IDLE = Facts(session=Session(1, "s", status="idle"), injections=(MAIL,))
NOW = iso(IDLE.now)
MINE = replace(IDLE, policy_state={NAME: {"waker": "a", "last": 0, "seen": NOW}})


@pytest.mark.parametrize(
    ("facts", "count"),
    [
        (MINE, 1),
        (replace(MINE, session=Session(1, "s", status="done")), 1),
        (replace(MINE, session=Session(1, "s", status="checked")), 1),
        (replace(MINE, session=Session(1, "s", status="working")), 0),
        (replace(MINE, session=Session(1, "s", status="attention")), 0),
        (replace(MINE, injections=()), 0),
        (replace(MINE, injections=(replace(MAIL, priority="low"),)), 0),
        (replace(MINE, injections=(replace(MAIL, offered=True),)), 0),
        (replace(MINE, injections=(replace(MAIL, rule_id="directive"),)), 0),
        (replace(MINE, injections=(MAIL, replace(MAIL, id=6))), 2),
        (replace(MINE, policy_state={NAME: {"waker": "a", "last": 5, "seen": NOW}}), 0),
        (replace(MINE, policy_state={NAME: {"waker": "a", "last": 4}}), 1),
    ],
)
def test_a_session_is_woken_while_it_is_idle(facts: Facts, count: int) -> None:
    found = wake(facts, "a")
    assert (found.count, found.over) == (count, False)
    assert bool(found.effects) == bool(count)


@pytest.mark.parametrize(
    "facts",
    [
        Facts(),
        replace(MINE, session=replace(Session(1, "s"), ended_at="2026-01-31T07:00:00.000Z")),
        replace(MINE, session=Session(1, "s", agent_id="sub")),
        replace(MINE, policy_state={NAME: {"waker": "b", "last": 0}}),
        IDLE,
    ],
)
def test_a_waker_ends_with_the_session_or_where_another_has_replaced_it(facts: Facts) -> None:
    assert wake(facts, "a").over


def test_the_first_request_replaces_the_former_waker() -> None:
    other = replace(MINE, policy_state={NAME: {"waker": "b", "last": 5}})
    found = wake(other, "a", first=True)
    assert found.effects == (Remember(1, NAME, {"waker": "a", "last": 5, "seen": NOW}),)
    assert (found.count, found.over) == (0, False)


def test_the_daemon_wakes_beside_any_waker() -> None:
    found = wake(MINE)
    assert found.count == 1
    assert found.effects == (Remember(1, NAME, {"waker": "a", "last": 5, "seen": NOW}),)


def test_a_waker_counts_while_it_asks() -> None:
    """It may be killed, or given up after a day, and then nothing wakes the session."""
    calm, state = replace(IDLE, injections=()), None
    for minutes in range(0, 25 * 60, 4):
        now = calm.now + timedelta(minutes=minutes)
        states = {NAME: state} if state else {}
        asked = wake(replace(calm, now=now, policy_state=states), "a", first=state is None)
        for effect in asked.effects:
            assert isinstance(effect, Remember)
            state = effect.value
        assert state is not None
        assert waits(state["seen"], now)
        assert waits(state["seen"], now + timedelta(minutes=1))
    assert not waits(state["seen"], now + timedelta(minutes=10))
    assert not waits(None, now)


def test_a_waker_does_not_count_once_it_has_said_the_line() -> None:
    (effect,) = wake(MINE, "a").effects
    assert effect == Remember(1, NAME, {"waker": "a", "last": 5, "seen": ""})


def test_a_waker_whose_answer_was_lost_asks_again() -> None:
    said = replace(MINE, policy_state={NAME: {"waker": "a", "last": 5, "seen": ""}})
    again = wake(said, "a")
    assert not again.over
    assert again.effects == (Remember(1, NAME, {"waker": "a", "last": 5, "seen": NOW}),)


def test_the_line_is_fixed() -> None:
    assert (wake_line(1), wake_line(12)) == (
        "hookd: 1 message waiting",
        "hookd: 12 messages waiting",
    )
