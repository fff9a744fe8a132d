"""Live: an upgrade and a downgrade while sessions are open."""

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from support.bad_payloads import of
from support.home import Home
from support.payloads import verdict
from support.registered_shims import DENIED, SAFE, Scope

BASELINE = Path(__file__).parents[1] / "store" / "baseline_v1.sql"
AT = "2026-01-31T08:00:00.000Z"
RULE = {
    "id": "no-main",
    "toolFilter": {"include": ["Bash(git push * main)"]},
    "urgency": "block",
    "payload": {"text": "Open a pull request."},
}
PUSH = {"command": "git push origin main"}


def stored() -> tuple[str, str, str]:
    return ("no-main", json.dumps(RULE), AT)


@pytest.mark.gate
def test_entries_and_a_database_of_an_older_version_are_served(home: Home) -> None:
    with closing(connect(home.database)) as db:
        db.executescript(BASELINE.read_text("utf-8"))
        db.execute(
            "INSERT INTO sessions (id, claude_session_id, source, created_at, last_event_at)"
            " VALUES (1, 'open', 'startup', ?1, ?1)",
            (datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),),
        )
        insert = (
            "INSERT INTO guards (rule_id, scope, rule_json, created_at) VALUES (?, 'user', ?, ?)"
        )
        db.execute(insert, stored())
        db.commit()
    # The shim of the package, by the options of the older form, starts the daemon of today.
    decision, reason = verdict(home.said(of(session_id="open", tool_input=PUSH)))
    assert (decision, reason.startswith("guard no-main: Open a pull request.")) == ("deny", True)
    assert home.said(of(session_id="open", tool_input=SAFE)) is None
    assert home.rows("SELECT id, claude_session_id, ended_at FROM sessions") == [(1, "open", None)]
    assert home.rows("SELECT session_id, decision FROM events") == [(1, "deny"), (1, None)]


@pytest.mark.slow
def test_a_database_of_a_newer_version_is_kept_and_the_guards_judge(daemon: Home) -> None:
    daemon.hookd("guard", "add", "no-main", "Bash(git push * main)", "--deny", "No.")
    with closing(connect(daemon.database, timeout=30)) as db:
        db.execute("PRAGMA user_version = 99")
    pid = daemon.pid
    done = daemon.hookd("restart", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "hookd: The daemon is left as it is: the database " in done.stderr
    assert "was written by a newer hookd (version 99)." in done.stderr
    assert daemon.pid == pid
    daemon.ends()
    daemon.stopped.unlink()
    before = daemon.database.read_bytes()
    scope = Scope(daemon)
    for given, denied in ((DENIED, True), (PUSH, True), (SAFE, False)):
        ran = scope.runs(of(tool_input=given))
        answer: Any = json.loads(ran.stdout or "null")
        assert (verdict(answer)[0] == "deny") == denied, given
        assert ran.stderr.startswith(b"hookd: PreToolUse judged without the daemon: ")
    assert daemon.database.read_bytes() == before
    assert b"written by a newer hookd" in daemon.hookd("start", check=False).stderr.encode()
