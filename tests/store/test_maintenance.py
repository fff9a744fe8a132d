"""Old rows are found by an index: a scan would delay every answer."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from hookd.core.model.effects.fleet import DropShipped
from hookd.store import writes
from hookd.store.database import open_database
from hookd.store.maintenance import delete_old_rows
from support.database_rows import event, write
from support.outbox import many, member


def test_no_table_is_read_from_end_to_end(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "hookd.db")) as db:
        ran: list[str] = []
        db.set_trace_callback(ran.append)
        delete_old_rows(db, datetime(2026, 1, 31, tzinfo=UTC))
        db.set_trace_callback(None)
        deletes = [sql for sql in ran if sql.startswith("DELETE")]
        tables = {sql.split()[2] for sql in deletes}
        assert tables == {
            *("events", "messages", "injections", "hook_runs", "policy_state"),
            *("unjudged", "allowances", "approvals", "context_history", "agent_mail"),
            *("claims", "file_views", "work_items"),
            "own_calls",
        }
        steps = [step[3] for sql in deletes for step in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    for table in tables:
        assert any(f"{table}_by_age" in step for step in steps), steps
    assert not [step for step in steps if step.startswith("SCAN")], steps


def test_events_that_a_fleet_has_not_got_are_counted_when_they_are_deleted(tmp_path: Path) -> None:
    with member(tmp_path / "hookd.db") as (db, _):
        many(db, 1_010)
        writes.record(db, event(1_110, pending=True))
        write(db, [DropShipped(0, 103)])
        for rows in (6, 100):
            delete_old_rows(db, datetime(2027, 1, 1, tzinfo=UTC), rows)
        assert db.execute("SELECT count(*), min(id) FROM events").fetchone() == (1_000, 111)
        assert db.execute("SELECT dropped FROM fleet_membership").fetchone() == (7,)
