"""The fleet: every agent and open session, with what each did last."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection

from hookd.core.model.effects.claims import AddClaim
from hookd.store.browse import fleet
from hookd.store.database import open_database
from support.browse_rows import called, database, denied, event, read, recorded
from support.database_rows import write


def waits(db: Connection) -> None:
    db.execute(
        "UPDATE sessions SET status = 'attention', status_at = '2026-01-31T09:00:00.000Z',"
        " context_usage = 0.5, window_tokens = 200000, cost = 1.5, model = 'opus',"
        " first_prompt = 'Add pages.', branch = 'main' WHERE id = 1"
    )


def test_every_agent_and_open_session_is_a_row_agents_first(tmp_path: Path) -> None:
    rows = read(database(tmp_path / "hookd.db", waits), fleet.rows)
    assert [row["agent"] for row in rows] == ["builder", "idler", "session 1", "session 4"]
    one = next(row for row in rows if row["agent"] == "session 1")
    assert one["project"] == "/work/orders"
    assert (one["status"], one["waitingSince"]) == ("attention", "2026-01-31T09:00:00.000Z")
    assert (one["contextUsage"], one["windowTokens"], one["cost"]) == (0.5, 200_000, 1.5)
    assert (one["model"], one["firstPrompt"], one["branch"]) == ("opus", "Add pages.", "main")
    assert (one["task"], one["skill"]) == ("/work/orders/pagination", "implement")
    assert (one["sessionId"], one["claudeSessionId"]) == (1, "plain")
    builder = rows[0]
    assert (builder["waitingSince"], builder["subagents"]) == (None, 1)


def test_each_row_has_the_open_claims_of_its_conversation(tmp_path: Path) -> None:
    claim = AddClaim("/r", "glob", "src/**", "plain", 1, None, None, None, False, None)
    claims = (
        replace(claim, root="/", kind="path", pattern="work/a.py", expires_at="2999-01-01"),
        replace(claim, kind="resource", pattern="staging"),
        replace(claim, pattern="edited.py", automatic=True),
        replace(claim, pattern="expired.py", expires_at="2026-01-01"),
        replace(claim, pattern="another.py", conversation="x"),
        replace(claim, pattern="released.py"),
    )
    path = database(tmp_path / "hookd.db", lambda db: write(db, [*claims]))
    with closing(open_database(path)) as db:
        number = "(SELECT id FROM claims WHERE pattern = 'released.py')"
        db.execute(f"UPDATE claims SET released_at = '2026-01-01' WHERE id = {number}")
    rows = read(path, fleet.rows)
    shown = {row["agent"]: row["claims"] for row in rows}
    assert shown["session 1"] == "src/** /work/a.py resource:staging"
    assert set(shown.values()) == {None, shown["session 1"]}


def test_the_last_call_is_the_newest_event_with_a_tool(tmp_path: Path) -> None:
    stop = event(9, "Stop", session_id=1)
    path = database(tmp_path / "hookd.db", recorded(called(7, 1), denied(8, 1), stop))
    one = next(row for row in read(path, fleet.rows) if row["sessionId"] == 1)
    assert (one["lastTool"], one["lastText"], one["lastCallId"]) == ("Bash", "rm -rf /", 8)
    assert one["lastDecision"] == "deny"


def test_a_session_without_a_call_has_no_last_one(tmp_path: Path) -> None:
    path = database(tmp_path / "hookd.db", recorded(event(9, "Stop", session_id=1)))
    assert {row["lastTool"] for row in read(path, fleet.rows)} == {None}


def test_there_are_at_most_so_many_rows(tmp_path: Path) -> None:
    assert len(read(database(tmp_path / "hookd.db"), lambda db: fleet.rows(db, 2))) == 2
