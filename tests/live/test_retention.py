"""Live: what is old goes and what is needed stays; the database is copied, measured and checked."""

import json
import stat
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

from support.home import Home, until, window_in

OLD = "2026-01-01T00:00:00.000Z"


def test_what_is_older_than_the_settings_say_is_deleted_and_numbers_go_on(home: Home) -> None:
    home.settings({"retention": {"days": 30}})
    home.serves()
    window = window_in(home)
    window.says("SessionStart")
    window.says("UserPromptSubmit", prompt="long ago")
    with closing(connect(home.database, timeout=30)) as db, db:
        db.execute("UPDATE messages SET timestamp = ?", (OLD,))
        db.executemany(
            "INSERT INTO events (id, at, event, payload) VALUES (?, ?, 'Stop', '{}')",
            [(number, OLD) for number in range(10, 2_710)],
        )
    window.says("UserPromptSubmit", prompt="today")
    home.hookd("db", "sweep")
    until(lambda: home.logged("old rows deleted"))
    sql = "SELECT count(*), min(id), max(id) FROM events"
    assert home.rows(sql) == [(1_002, 1, 2_710)], "the newest thousand, and those of today"
    assert home.rows("SELECT content FROM messages") == [("today",)]
    assert home.rows("SELECT count(*) FROM sessions") == [(1,)]
    window.bash()
    assert home.rows("SELECT max(id) FROM events") == [(2_711,)]


def test_nothing_goes_where_the_settings_keep_all(home: Home) -> None:
    home.settings({"retention": {"days": 0}})
    home.serves()
    window = window_in(home)
    window.says("UserPromptSubmit", prompt="long ago")
    with closing(connect(home.database, timeout=30)) as db, db:
        db.execute("UPDATE messages SET timestamp = ?", (OLD,))
    for _ in range(3):
        home.hookd("db", "sweep")
    assert home.rows("SELECT count(*) FROM messages") == [(1,)]


def test_a_copy_is_whole_and_its_owner_s_alone(daemon: Home) -> None:
    window = window_in(daemon)
    window.says("UserPromptSubmit", prompt="hello")
    path = Path(daemon.path, "copy.db")
    said = daemon.hookd("db", "backup", str(path)).stdout
    assert said.startswith("Copied ")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with closing(connect(path)) as db:
        assert db.execute("SELECT content FROM messages").fetchall() == [("hello",)]
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    again = daemon.hookd("db", "backup", str(path), check=False)
    assert (again.returncode, "already exists" in again.stderr) == (1, True)
    nowhere = daemon.hookd("db", "backup", "/nowhere/x.db", check=False)
    assert (nowhere.returncode, "cannot be made" in nowhere.stderr) == (1, True)


def test_its_size_and_soundness_are_told(daemon: Home) -> None:
    window_in(daemon).bash()
    sizes = json.loads(daemon.hookd("db", "size", "--json").stdout)
    assert sizes["tables"]["events"] == 1
    assert sizes["bytes"] > 100_000
    assert "events" in daemon.hookd("db", "size").stdout
    assert daemon.hookd("db", "check").stdout == "The database is intact.\n"


def test_a_long_payload_is_cut_in_the_table_and_shown_whole(daemon: Home) -> None:
    window = window_in(daemon)
    text = "".join(f"line {number}\n" for number in range(2_000))
    window.says("PostToolUse.Bash", tool_response={"stdout": text, "stderr": ""})
    ((number, payload, digest),) = daemon.rows("SELECT id, payload, payload_sha256 FROM events")
    assert len(payload) <= 8_192
    assert "[cut by hookd: " in json.loads(payload)["tool_response"]["stdout"]
    assert len(digest) == 64
    event = json.loads(daemon.hookd("why", str(number), "--json").stdout)
    assert event["payload"]["tool_response"]["stdout"] == text
    size = daemon.hookd("db", "size").stdout
    assert "whole payloads" in size
    assert "limits" in size
    assert daemon.rpc("daemon.size")["bodies"]["count"] == 1


def test_a_database_is_written_anew_on_request_while_calls_are_judged(daemon: Home) -> None:
    window = window_in(daemon)
    window.bash()
    said = daemon.hookd("db", "compact").stdout
    assert said.startswith("The file had ")
    window.bash()
    assert daemon.rows("SELECT count(*) FROM events") == [(2,)]
    assert json.loads(daemon.hookd("db", "check", "--json").stdout)["ok"]
