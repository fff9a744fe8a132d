"""Tables: which sessions join the latest effort of their project."""

from typing import Any

import pytest

from hookd.config.models import EffortOptions, Join, Policies, Settings
from hookd.core.efforts.joining import join_setting, joins, without_unjoined_effort
from hookd.core.model.client_process import Process
from hookd.core.model.fact_requests import MissingFacts, ProcessOrigin
from hookd.core.model.facts import Effort, Facts, Guard
from hookd.core.model.identity import Identity
from hookd.core.model.origin import UNKNOWN, Origin, terminal_id

A = Origin("10:1", "11:2", "%1 5 /tmp/s")

CASES: list[tuple[str, Join, Origin | None, Origin, bool]] = [
    ("the same terminal", "own-terminal", A, Origin("10:1", "12:3"), True),
    ("the same client", "own-terminal", A, Origin("", "11:2"), True),
    ("the same pane", "own-terminal", A, Origin("13:4", "14:5", "%1 5 /tmp/s"), True),
    ("nothing in common", "own-terminal", A, Origin("13:4", "14:5", "%2 5 /tmp/s"), False),
    ("a later process with its id", "own-terminal", A, Origin("10:9", "11:9"), False),
    ("nothing is known of either", "own-terminal", UNKNOWN, UNKNOWN, False),
    ("from before it was recorded", "own-terminal", None, A, False),
    ("latest, from elsewhere", "latest", A, UNKNOWN, True),
    ("latest, not recorded", "latest", None, A, True),
    ("never, from the same terminal", "never", A, A, False),
]


@pytest.mark.parametrize(("join", "starter", "here", "expected"), [one[1:] for one in CASES])
def test_joining(join: Join, starter: Origin | None, here: Origin, expected: bool) -> None:
    assert joins(join, starter, here) is expected


INIT = Process(1, parent=0, start=5)
ENTERED = Process(20, parent=0, start=30)
LEADER = Process(21, parent=20, start=31, session=21)
INSIDE = Process(22, parent=21, start=32, session=21)
OUTSIDE = Process(22, parent=20, start=32, session=0)
TERMINALS: list[tuple[str, Process | None, Process | None, tuple[Process, ...], str]] = [
    ("the leader", INSIDE, LEADER, (INSIDE, LEADER, ENTERED), "21:31"),
    ("a leader that has ended", INSIDE, None, (INSIDE, LEADER), "21:0"),
    ("a later process with the leader's id", INSIDE, Process(21, 1, 40), (INSIDE,), "21:0"),
    ("a leader outside this namespace", OUTSIDE, None, (OUTSIDE, ENTERED), "20:30"),
    ("the same, of an orphan", OUTSIDE, None, (OUTSIDE, INIT), "1:5"),
    ("no process", None, None, (), ""),
]


@pytest.mark.parametrize(("process", "leader", "chain", "expected"), [one[1:] for one in TERMINALS])
def test_terminal(
    process: Process | None, leader: Process | None, chain: tuple[Process, ...], expected: str
) -> None:
    assert terminal_id(process, leader, chain) == expected


SETTINGS: list[tuple[Any, Join | None, Join]] = [
    (None, None, "own-terminal"),
    ("guards", None, "own-terminal"),
    ("workflow", None, "latest"),
    ("workflow", "never", "never"),
    ("guards", "latest", "latest"),
]


@pytest.mark.parametrize(("profile", "join", "expected"), SETTINGS)
def test_the_profile_decides_where_nothing_is_set(
    profile: Any, join: Join | None, expected: Join
) -> None:
    chosen = Settings(policies=Policies(profile=profile), efforts=EffortOptions(join=join))
    assert join_setting(chosen) == expected


def facts(*, by_project: bool = True, agent: str | None = None) -> Facts:
    """Return the facts of a session that begins while an effort from terminal A is active."""
    return Facts(
        identity=Identity(agent=agent, peer=7),
        effort=Effort(1, "/work/demo", "implement", starter=A),
        by_project=by_project,
        guards=(Guard(1, "e", "effort", "{}"), Guard(2, "u", "user", "{}")),
        resolved={ProcessOrigin(7): Origin("99:1", "98:1")},
    )


def test_an_effort_that_is_not_joined_goes_with_its_guard_rules() -> None:
    left = without_unjoined_effort(facts())
    assert left.effort is None
    assert [one.rule_id for one in left.guards] == ["u"]


@pytest.mark.parametrize("more", [{"by_project": False}, {"agent": "builder"}])
def test_what_was_handed_on_or_is_an_agents_is_kept(more: Any) -> None:
    known = facts(**more)
    assert without_unjoined_effort(known) is known


def test_the_origin_is_looked_up_only_if_it_decides() -> None:
    unseen = Facts(identity=Identity(peer=7), effort=Effort(1, "/w", "x"), by_project=True)
    with pytest.raises(MissingFacts):
        without_unjoined_effort(unseen)
    latest = Settings(efforts=EffortOptions(join="latest"))
    known = Facts(identity=Identity(peer=7), effort=unseen.effort, by_project=True, settings=latest)
    assert without_unjoined_effort(known).effort is not None
