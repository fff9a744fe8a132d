"""Sessions without a SessionEnd, and the maintenance that ends them."""

import subprocess
from contextlib import closing
from sqlite3 import connect

from support.home import Home, Window, window_in


def sweeps(home: Home) -> None:
    home.hookd("rpc", "daemon.sweep")


def ended(window: Window) -> str | None:
    """Return why the conversation's last window ended."""
    reason: str | None = window.sessions("end_reason")[-1][0]
    return reason


def aged(home: Home, window: Window) -> None:
    """Let nothing have been heard of a window for days."""
    with closing(connect(home.database, timeout=30)) as db, db:
        sql = "UPDATE sessions SET last_event_at = ? WHERE claude_session_id = ?"
        db.execute(sql, ("2026-01-01T00:00:00.000Z", window.id))


def a_round_ends_what_it_saw_alive(home: Home) -> bool:
    """Whether a window was ended whose process lived in one round and not in a later one."""
    with subprocess.Popen(["sleep", "600"]) as client:
        mark = window_in(home, CLAUDE_PID=str(client.pid))
        mark.says("SessionStart")
        for _ in range(3):
            sweeps(home)
        client.kill()
    for _ in range(3):
        sweeps(home)
    return ended(mark) == "process ended"
