"""From what a request points at to what a decision may know: each link of the chain, as a table."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest

from hookd.config.models import IdentityOptions, PolicyOptions, Settings
from hookd.core.model.daemon_state import DaemonState, RuntimeConfig
from hookd.core.model.effects.efforts import FinishEffort
from hookd.core.model.effects.sessions import EndSession, SetContextUsage
from hookd.core.model.fact_requests import TaskByDir
from hookd.core.model.facts import Facts, NextIds, Session, Stored, Task
from hookd.core.model.identity import Identity, Where
from hookd.store import facts as stored
from hookd.store import writes
from hookd.store.database import open_database
from support.database_rows import NOW, effort, event, fill, guard, session, write

BUILDER = Identity(agent="builder")
IDLER = Identity(agent="idler")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        yield connection


@pytest.fixture
def full(db: Connection) -> Connection:
    fill(db)
    return db


def read(db: Connection, where: Where, *, share: bool = False) -> Facts:
    settings = Settings(identity=IdentityOptions(share_efforts=share))
    return stored.read(db, where, NOW, RuntimeConfig(settings=settings))


def ids(facts: Facts) -> dict[str, Any]:
    """Return the numbers of what was found."""
    found = {
        name: getattr(facts, name).id
        for name in ("session", "previous", "parent", "agent", "project", "effort")
        if getattr(facts, name) is not None
    }
    more = {name: getattr(facts, name) for name in ("superseded", "effort_windows")}
    return found | {name: value for name, value in more.items() if value}


def test_of_an_empty_database_nothing_is_known(db: Connection) -> None:
    facts = read(db, Where(BUILDER, "s", agent_id="a", cwd="/work/orders", delivery_key="k"))
    assert facts == Facts(now=NOW, identity=BUILDER, next=NextIds(), any_allowances=False)


CHAIN: dict[str, tuple[Where, dict[str, Any]]] = {
    "nobody": (Where(), {}),
    "a session that is known": (
        Where(claude_session_id="plain"),
        {"session": 1, "project": 1, "effort": 1},
    ),
    "its project holds, wherever it goes": (
        Where(Identity(project_dir="/work/orders/api"), "plain", cwd="/elsewhere"),
        {"session": 1, "project": 1, "effort": 1},
    ),
    "an agent's session": (
        Where(BUILDER, "built"),
        {"session": 2, "agent": "builder", "project": 1, "effort": 2},
    ),
    "the owner is known without being told": (
        Where(claude_session_id="built"),
        {"session": 2, "agent": "builder", "project": 1, "effort": 2},
    ),
    "a subagent's own row": (
        Where(claude_session_id="built", agent_id="sub"),
        {"session": 3, "project": 1, "effort": 2},
    ),
    "a subagent seen for the first time": (
        Where(claude_session_id="built", agent_id="new"),
        {"parent": 2, "effort": 2},
    ),
    "a session without an effort stays without": (
        Where(claude_session_id="loose"),
        {"session": 4, "project": 2},
    ),
    "a session by its row": (
        Where(session_id=1),
        {"session": 1, "project": 1, "effort": 1, "effort_windows": (1,)},
    ),
    "a row that there is not": (Where(session_id=99), {}),
    "a session that is not known": (Where(claude_session_id="new"), {}),
    "a new session in a project: its latest active effort": (
        Where(claude_session_id="new", cwd="/work/orders"),
        {"project": 1, "effort": 3},
    ),
    "the longest root above": (
        Where(claude_session_id="x", cwd="/work/orders/api/v1"),
        {"project": 2},
    ),
    "a root is a folder, not a beginning": (
        Where(claude_session_id="x", cwd="/work/orders-old"),
        {},
    ),
    "above every root": (Where(claude_session_id="x", cwd="/work"), {}),
    "the client's own folder is the project": (
        Where(Identity(project_dir="/work/orders"), "x", cwd="/work/orders/api"),
        {"project": 1, "effort": 3},
    ),
    "and it is that or none": (
        Where(Identity(project_dir="/work/orders/web"), "x", cwd="/work/orders"),
        {},
    ),
    "an agent's effort": (
        Where(BUILDER, cwd="/work/orders"),
        {"agent": "builder", "project": 1, "effort": 2, "effort_windows": (2,)},
    ),
    "an agent's effort, wherever it is": (
        Where(BUILDER, "new"),
        {"agent": "builder", "previous": 2, "effort": 2},
    ),
    "an agent without one does not take the project's": (
        Where(IDLER, "new", cwd="/work/orders"),
        {"agent": "idler", "project": 1},
    ),
    "an agent that is not known does not either": (
        Where(Identity(agent="new"), "new", cwd="/work/orders"),
        {"project": 1},
    ),
    "an effort by its number": (
        Where(IDLER, effort_id=2, cwd="/work/orders"),
        {"agent": "idler", "project": 1, "effort": 2, "effort_windows": (2,)},
    ),
    "an effort that there is not": (Where(effort_id=99, cwd="/work/orders"), {"project": 1}),
    "a task below a project": (
        Where(task_dir="/work/orders/api/x", cwd="/elsewhere"),
        {"project": 2},
    ),
    "the asker's folder before the task's": (
        Where(task_dir="/work/orders/api/x", cwd="/work/orders"),
        {"project": 1, "effort": 3},
    ),
    "a session that starts again": (
        Where(claude_session_id="plain", starts_session="clear"),
        {"session": 1, "previous": 1, "project": 1, "effort": 1, "superseded": (1,)},
    ),
    "an agent that starts anew ends its other windows": (
        Where(BUILDER, "new", starts_session="startup"),
        {"agent": "builder", "previous": 2, "effort": 2, "superseded": (2,)},
    ),
}


@pytest.mark.parametrize("name", CHAIN)
def test_a_request_is_resolved_link_by_link(name: str, full: Connection) -> None:
    where, expected = CHAIN[name]
    assert ids(read(full, where)) == expected


SHARED = {
    "an agent without an effort": (Where(IDLER, "new", cwd="/work/orders"), 3),
    "an agent with one": (Where(BUILDER, "new", cwd="/work/orders"), 2),
    "an agent that is not known": (Where(Identity(agent="new"), "new", cwd="/work/orders"), 3),
    "outside of every project": (Where(IDLER, "new", cwd="/elsewhere"), None),
}


@pytest.mark.parametrize("name", SHARED)
def test_with_share_efforts_an_agent_takes_the_projects_latest(name: str, full: Connection) -> None:
    where, expected = SHARED[name]
    assert ids(read(full, where, share=True)).get("effort") == expected


def test_a_finished_effort_is_nobodys_next_one(full: Connection) -> None:
    write(full, [FinishEffort(3)])
    assert ids(read(full, Where(claude_session_id="new", cwd="/work/orders")))["effort"] == 2
    write(full, [FinishEffort(2)])
    assert "effort" not in ids(read(full, Where(BUILDER, "new", cwd="/work/orders")))
    assert ids(read(full, Where(effort_id=2)))["effort"] == 2


def test_a_session_that_has_ended_is_the_one_before(full: Connection) -> None:
    write(full, [EndSession(1, "other")])
    found = ids(read(full, Where(claude_session_id="plain", cwd="/elsewhere")))
    assert found == {"previous": 1, "effort": 1}


def test_of_two_rows_of_one_conversation_the_later_holds(full: Connection) -> None:
    write(full, [session(9, "plain", project_id=1, effort_id=3)])
    assert ids(read(full, Where(claude_session_id="plain"))) == {
        "session": 9,
        "project": 1,
        "effort": 3,
    }


def test_a_session_is_read_with_all_that_it_holds(full: Connection) -> None:
    write(full, [SetContextUsage(1, 0.5, "rpc")])
    facts = read(full, Where(claude_session_id="plain"))
    assert facts.session == Session(
        1,
        "plain",
        project_id=1,
        effort_id=1,
        heartbeat_counter=4,
        last_counted="Edit /work/a",
        context_usage=0.5,
        loaded_files=("/work/a", "/work/b"),
        context_source="rpc",
        company=True,
    )
    assert facts.policy_state == {"overflow": {"warned": True}}
    assert facts.effort is not None
    assert facts.effort.task_dir == "/work/orders/pagination"


def test_metadata_of_an_effort_comes_back_as_it_was(full: Connection) -> None:
    metadata = {"warnAfter": 5, "loading": False, "note": ["\u00e9"]}
    write(full, [effort(9, "/work/orders/pagination", 9, metadata=metadata)])
    facts = read(full, Where(effort_id=9))
    assert facts.effort is not None
    assert facts.effort.metadata == metadata


GUARDED = [
    (Where(), ["everywhere"]),
    (Where(cwd="/work/orders"), ["everywhere", "in-orders"]),
    (Where(claude_session_id="plain"), ["everywhere", "in-orders"]),
    (Where(claude_session_id="built"), ["everywhere", "in-orders", "on-effort-2"]),
    (Where(claude_session_id="loose"), ["everywhere", "in-orders"]),  # its root is below orders
    (Where(effort_id=2), ["everywhere", "on-effort-2"]),
]


@pytest.mark.parametrize(("where", "names"), GUARDED)
def test_the_guards_are_those_that_hold_here(
    where: Where, names: list[str], full: Connection
) -> None:
    assert [one.rule_id for one in read(full, where).guards] == names


def test_whether_any_guard_is_set_is_known(db: Connection) -> None:
    assert not stored.any_guard(db)
    write(db, [guard(1, "x")])
    assert stored.any_guard(db)


def test_the_next_numbers_are_those_that_the_next_rows_get(full: Connection) -> None:
    assert read(full, Where()).next == NextIds(event=1, session=5, effort=4, project=3, guard=4)
    writes.record(full, event(7))
    assert read(full, Where()).next.event == 8


@pytest.mark.parametrize(
    ("task", "expected"),
    [("/work/orders/pagination", (True, 3, [3, 2, 1])), ("/work/new", (False, 0, []))],
)
def test_a_task_is_known_with_its_last_ordinal_and_its_active_efforts(
    task: str, expected: tuple[bool, int, list[int]], full: Connection
) -> None:
    found = (stored.seen(full, [TaskByDir(task)]) or {})[TaskByDir(task)]
    assert isinstance(found, Task)
    assert (found.known, found.last_ordinal, [one.id for one in found.active]) == expected


def test_a_delivery_that_was_answered_has_its_answer(full: Connection) -> None:
    writes.record(full, event(1, delivery_key="k", result='{"a":1}', answer='{"b":2}'))
    writes.record(full, event(2, delivery_key="quiet", result='{"a":2}'))
    assert read(full, Where(delivery_key="k")).replay == Stored('{"a":1}', '{"b":2}', 1)
    assert read(full, Where(delivery_key="quiet")).replay == Stored('{"a":2}', None, 2)
    assert read(full, Where(delivery_key="other")).replay is None
    assert read(full, Where()).replay is None


def test_a_start_delivered_again_with_nothing_in_between_is_the_same_window(
    full: Connection,
) -> None:
    def replay(source: str) -> Stored | None:
        return read(full, Where(claude_session_id="plain", starts_session=source)).replay

    assert replay("startup") is None
    writes.record(full, event(1, "SessionStart", session_id=1, result="{}"))
    assert replay("startup") == Stored("{}", None, 1)
    assert replay("resume") is None
    writes.record(full, event(2, "Stop", session_id=1, result="{}"))
    assert replay("startup") is None


def test_what_the_daemon_stands_for_is_passed_on(db: Connection) -> None:
    standing = RuntimeConfig(DaemonState(pid=7), {"heartbeat": PolicyOptions(mode="off")})
    facts = stored.read(db, Where(IDLER), NOW, standing)
    assert facts.daemon.pid == 7
    assert facts.options == {"heartbeat": PolicyOptions(mode="off")}
    assert (facts.now, facts.identity) == (NOW, IDLER)
