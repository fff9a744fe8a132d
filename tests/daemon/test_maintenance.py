"""A round of maintenance: work items go back when their lease has ended, and not before."""

from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.effects.efforts import OpenProject
from hookd.core.model.effects.messages import RegisterAgent
from hookd.core.model.effects.work_items import AddWorkItem, TakeWorkItem
from hookd.core.model.facts import iso
from hookd.daemon.maintenance import MaintenanceLoop
from hookd.pipeline.evaluation import PolicyEngine
from hookd.store.database import WriterThread, open_database
from support.database_rows import NOW, session, write

MINUTE = timedelta(minutes=1)


class Rounds:
    """Maintenance with a clock that the test sets."""

    def __init__(self, path: Path, writer: WriterThread) -> None:
        self.path, self.now, self.changes = path, NOW, 0
        engine = PolicyEngine(RuntimeConfig())
        self.loop = MaintenanceLoop(writer, lambda: self.now, engine, self._changed)

    def _changed(self) -> None:
        self.changes += 1

    async def passes(self, minutes: int) -> None:
        """Let so many minutes pass, with a round in each."""
        for _ in range(minutes):
            self.now += MINUTE
            await self.loop.run_once()

    def rows(self, sql: str, *args: object) -> list[Any]:
        with closing(connect(self.path)) as db, db:
            return db.execute(sql, args).fetchall()

    def hears(self, session_id: int) -> None:
        """Record that a session sent an event now."""
        self.rows("UPDATE sessions SET last_event_at = ? WHERE id = ?", iso(self.now), session_id)

    @property
    def states(self) -> list[Any]:
        return self.rows("SELECT state, agent FROM work_items ORDER BY id")


@pytest.fixture
async def rounds(tmp_path: Path) -> AsyncIterator[Rounds]:
    """A builder that has taken an item, and its coordinator."""
    path = tmp_path / "hookd.db"
    db = open_database(path)
    write(
        db,
        [
            OpenProject(1, "/work/orders", "orders"),
            RegisterAgent("lead"),
            RegisterAgent("builder", parent="lead"),
            session(1, "lead", project_id=1, owner="lead"),
            session(2, "built", project_id=1, owner="builder"),
            AddWorkItem(1, 1, "Parse", None, None, "person"),
            TakeWorkItem(1, "built", 2, "builder", 600),
        ],
    )
    db.close()
    writer = WriterThread(open_database(path))
    try:
        yield Rounds(path, writer)
    finally:
        writer.close()


async def test_an_item_goes_back_after_its_lease_and_both_are_told(rounds: Rounds) -> None:
    await rounds.passes(10)
    assert rounds.states == [("taken", "builder")]
    changes = rounds.changes
    await rounds.passes(1)
    assert rounds.states == [("open", None)]
    assert rounds.changes > changes
    told = rounds.rows("SELECT session_id, source, content FROM injections ORDER BY session_id")
    why = "builder had it and sent no event for the time of its lease"
    text = f"Work item 1 (Parse) is open again: {why}. To take it: hookd work take 1"
    assert told == [(1, "work", text), (2, "work", text)]
    await rounds.passes(20)
    assert len(rounds.rows("SELECT 1 FROM injections")) == 2


async def test_an_event_of_the_owner_renews_the_lease(rounds: Rounds) -> None:
    for _ in range(3):
        await rounds.passes(9)
        rounds.hears(2)
    await rounds.passes(10)
    assert rounds.states == [("taken", "builder")]
    rounds.hears(1)
    await rounds.passes(1)
    assert rounds.states == [("open", None)], "another's event renews nothing"


async def test_the_time_in_which_the_machine_slept_does_not_count(rounds: Rounds) -> None:
    await rounds.passes(5)
    rounds.now += timedelta(hours=8)
    await rounds.passes(10)
    assert rounds.states == [("taken", "builder")]
    await rounds.passes(2)
    assert rounds.states == [("open", None)]
