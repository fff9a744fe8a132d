"""Leases of work items: an item goes back when its lease has ended, and not before."""

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
from hookd.daemon.work_leases import WorkLeases
from hookd.pipeline.evaluation import PolicyEngine
from hookd.store.database import WriterThread, open_database
from support.database_rows import NOW, session, write

MINUTE = timedelta(minutes=1)


class Rounds:
    """Rounds with a clock that the test sets."""

    def __init__(self, path: Path, writer: WriterThread) -> None:
        self.path, self.now, self.changes = path, NOW, 0
        self.published: list[str] = []
        engine = PolicyEngine(RuntimeConfig())
        self.step = WorkLeases(writer, lambda: self.now, engine, self._changed, self._publish)

    def _changed(self) -> None:
        self.changes += 1

    def _publish(self, topic: str, *_rest: object) -> None:
        self.published.append(topic)

    async def passes(self, minutes: int) -> None:
        """Let so many minutes pass, with a round in each."""
        for _ in range(minutes):
            self.now += MINUTE
            await self.step.run_once()

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
    mails = rounds.rows("SELECT sender_kind, recipient, text FROM agent_mail ORDER BY recipient")
    why = "builder had it and sent no event for the time of its lease"
    text = f"Work item 1 (Parse) is open again: {why}. To take it: hookd work take 1"
    assert mails == [("hookd", "builder", text), ("hookd", "lead", text)]
    assert rounds.rows("SELECT session_id FROM injections ORDER BY 1") == [(1,), (2,)]
    assert rounds.published == ["mail"], "who waits for mail is woken"
    await rounds.passes(20)
    assert (len(rounds.rows("SELECT 1 FROM injections")), len(rounds.published)) == (2, 1)


async def test_an_event_of_the_owner_renews_the_lease(rounds: Rounds) -> None:
    for _ in range(3):
        await rounds.passes(9)
        rounds.hears(2)
    await rounds.passes(10)
    assert rounds.states == [("taken", "builder")]
    rounds.hears(1)
    await rounds.passes(1)
    assert rounds.states == [("open", None)], "another's event renews nothing"


def call(rounds: Rounds, event: str, tool_use_id: str, decision: str | None = None) -> None:
    values = (iso(rounds.now), event, tool_use_id, decision)
    sql = "INSERT INTO events (at, event, session_id, tool_use_id, decision, payload)"
    rounds.rows(f"{sql} VALUES (?, ?, 2, ?, ?, '{{}}')", *values)


async def test_a_call_that_runs_keeps_an_item_while_its_session_is_open(rounds: Rounds) -> None:
    call(rounds, "PreToolUse", "long")
    call(rounds, "PreToolUse", "short")
    call(rounds, "PostToolUse", "short")
    await rounds.passes(60)
    assert rounds.states == [("taken", "builder")], "a command of an hour"
    call(rounds, "PostToolUse", "long")
    await rounds.passes(1)
    assert rounds.states == [("open", None)]


@pytest.mark.parametrize("end", ["Stop", "UserPromptSubmit", "deny", "exit", "hours"])
async def test_a_call_that_ended_otherwise_keeps_nothing(end: str, rounds: Rounds) -> None:
    if end == "hours":
        rounds.now -= timedelta(hours=6)
    call(rounds, "PreToolUse", "long", "deny" if end == "deny" else None)
    if end == "hours":
        rounds.now += timedelta(hours=6)
    elif end == "exit":
        rounds.rows("UPDATE sessions SET ended_at = last_event_at WHERE id = 2")
    elif end != "deny":
        call(rounds, end, "")
    await rounds.passes(11)
    assert rounds.states == [("open", None)]


async def test_the_time_in_which_the_machine_slept_does_not_count(rounds: Rounds) -> None:
    await rounds.passes(5)
    rounds.now += timedelta(hours=8)
    await rounds.passes(10)
    assert rounds.states == [("taken", "builder")]
    await rounds.passes(2)
    assert rounds.states == [("open", None)]
