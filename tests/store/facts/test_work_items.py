"""Work items as facts, and those whose lease has ended."""

from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.effects.efforts import OpenProject, SetRepository
from hookd.core.model.effects.messages import RegisterAgent
from hookd.core.model.effects.sessions import EndSession
from hookd.core.model.effects.work_items import AddWorkItem, FinishWorkItem, TakeWorkItem
from hookd.core.work_items.model import Listener
from hookd.store.database import open_database
from hookd.store.facts import work_items
from hookd.store.maintenance import delete_old_rows
from hookd.store.writes.work_items import lapsed
from support.database_rows import NOW, session, write

BEFORE = "2026-01-31T00:00:00.000Z"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    """A project with three items: the second waits for the first, the third is taken."""
    db = open_database(tmp_path / "hookd.db")
    lead = {"added_conversation": "lead", "added_session_id": 1}
    write(
        db,
        [
            OpenProject(1, "/work/orders", "orders"),
            RegisterAgent("lead"),
            RegisterAgent("builder", parent="lead"),
            session(1, "lead", project_id=1, owner="lead"),
            session(2, "built", project_id=1, owner="builder"),
            AddWorkItem(1, 1, "Parse", "dates", None, "lead", **lead),  # type: ignore[arg-type]
            AddWorkItem(2, 1, "Document", None, "docs", "person", after=(1,)),
            AddWorkItem(3, 1, "Build", None, None, "person", before=(2,)),
            TakeWorkItem(3, "built", 2, "builder", 1_800),
        ],
    )
    yield db
    db.close()


def test_a_backlog_has_the_unfinished_items_and_what_they_wait_for(db: Connection) -> None:
    backlog = work_items.backlog(db, "/work/orders")
    assert [(one.id, one.state, one.after) for one in backlog.items] == [
        (1, "open", ()),
        (2, "open", (1, 3)),
        (3, "taken", ()),
    ]
    assert backlog.next_id == 4
    write(db, [FinishWorkItem(3, None)])
    assert [(one.id, one.after) for one in work_items.backlog(db, "/work/orders").items] == [
        (1, ()),
        (2, (1,)),
    ]
    assert work_items.backlog(db, "/work").items == ()


def test_the_worktrees_of_a_repository_share_their_items(db: Connection) -> None:
    write(
        db,
        [
            OpenProject(2, "/work/orders-2", "orders-2"),
            SetRepository(2, "/work/orders"),
            AddWorkItem(4, 2, "Test", None, None, "person", key="first-call"),
        ],
    )
    backlog = work_items.backlog(db, "/work/orders")
    assert [one.id for one in backlog.items] == [1, 2, 3, 4]
    assert {one.repository for one in backlog.items} == {"/work/orders"}
    assert work_items.item_of_key(db, "first-call") == backlog.find(4)
    assert work_items.item_of_key(db, "another-call") is None


def test_an_item_is_found_finished_or_not_and_by_its_owner(db: Connection) -> None:
    assert [one.id for one in work_items.taken_by(db, "built")] == [3]
    write(db, [FinishWorkItem(3, "in src")])
    item = work_items.item(db, 3)
    assert item is not None
    assert (item.state, item.owner) == ("done", "builder")
    assert work_items.taken_by(db, "built") == ()
    assert work_items.item(db, 4) is None


def test_an_item_of_an_agent_concerns_its_adder_and_its_coordinator(db: Connection) -> None:
    lead = Listener("lead", "lead")
    assert work_items.listeners(db, 1, None) == (lead,), "the adder"
    assert work_items.listeners(db, 3, "builder") == (lead,), "the coordinator"
    assert work_items.listeners(db, 1, "builder") == (lead,), "both, once"
    (item,) = work_items.taken_by(db, "built")
    assert work_items.open_owner(db, item) == (Listener("built", "builder"),)
    write(db, [EndSession(2, "exit")])
    assert work_items.open_owner(db, item) == ()
    assert work_items.listeners(db, 3, None) == ()
    write(db, [EndSession(1, "exit")])
    assert work_items.listeners(db, 1, "builder") == ()


def test_a_lease_ends_a_time_after_the_last_event_of_the_owner(db: Connection) -> None:
    def found(at: str, since: str = BEFORE) -> list[int]:
        return [one.id for one in lapsed(db, at, since)]

    assert found("2026-01-31T08:30:00.000Z") == []
    assert found("2026-01-31T08:30:00.001Z") == [3]
    assert found("2026-01-31T09:00:00.000Z", since="2026-01-31T08:40:00.000Z") == []
    db.execute("UPDATE sessions SET last_event_at = '2026-01-31T09:00:00.000Z' WHERE id = 2")
    assert found("2026-01-31T09:30:00.000Z") == []
    assert found("2026-01-31T09:30:00.001Z") == [3]
    (until,) = db.execute("SELECT lease_until FROM work_overview WHERE id = 3").fetchone()
    assert until == "2026-01-31T09:30:00.000Z"


def test_a_subagent_of_the_owner_renews_its_lease(db: Connection) -> None:
    write(
        db, [session(3, "built", agent_id="sub", parent_session_id=2)], "2026-01-31T09:00:00.000Z"
    )
    assert lapsed(db, "2026-01-31T09:15:00.000Z", BEFORE) == ()


def test_finished_items_are_deleted_by_age_except_the_last_number(db: Connection) -> None:
    write(db, [FinishWorkItem(1, None), FinishWorkItem(3, None)])
    delete_old_rows(db, NOW.replace(year=2027))
    assert db.execute("SELECT id FROM work_items").fetchall() == [(2,), (3,)]
    assert db.execute("SELECT item_id, after_id FROM work_dependencies").fetchall() == [(2, 3)]


@pytest.mark.parametrize(
    "sql",
    [
        work_items.BACKLOG.replace("?", "'9'"),
        f"{work_items.WORK_ITEM} WHERE key = 'k'",
        f"{work_items.WORK_ITEM} WHERE conversation = 'c' AND state = 'taken' ORDER BY id",
    ],
)
def test_items_are_found_by_an_index(sql: str, db: Connection) -> None:
    steps = [step[3] for step in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    assert not [step for step in steps if step.startswith("SCAN")], steps
