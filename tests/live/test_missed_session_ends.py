"""Live: windows without a SessionEnd are closed, and no others."""

import os
import signal
import subprocess
from contextlib import closing
from sqlite3 import connect

from support.home import Home, until, window_in
from support.session_ends import a_round_ends_what_it_saw_alive, aged, ended, sweeps


def round_is_over(home: Home) -> None:
    """Wait for a whole round that begins after now."""
    mark = window_in(home)
    mark.says("SessionStart")
    aged(home, mark)
    sweeps(home)
    until(lambda: ended(mark))


def test_a_window_whose_process_is_gone_ends_and_its_agent_is_done(daemon: Home) -> None:
    with subprocess.Popen(["sleep", "600"]) as client:
        window = window_in(daemon, AGENT_ID="a", CLAUDE_PID=str(client.pid))
        other = window_in(daemon, CLAUDE_PID=str(os.getpid()))
        unknown = window_in(daemon, CLAUDE_PID="999999999")
        for one in (window, other, unknown):
            one.says("SessionStart")
        round_is_over(daemon)
        assert (ended(window), ended(other), ended(unknown)) == (None, None, None)
        client.send_signal(signal.SIGKILL)
    round_is_over(daemon)
    assert ended(window) == "process ended"
    assert (ended(other), ended(unknown)) == (None, None), "a number that never lived tells nothing"
    assert daemon.rows("SELECT status FROM agents WHERE id = 'a'") == [("done",)]


def test_a_process_that_lived_is_remembered_over_a_restart_of_the_daemon(daemon: Home) -> None:
    with subprocess.Popen(["sleep", "600"]) as client:
        window = window_in(daemon, CLAUDE_PID=str(client.pid))
        window.says("SessionStart")
        round_is_over(daemon)
        daemon.hookd("stop", "--yes")
        client.send_signal(signal.SIGKILL)
    daemon.serves()
    round_is_over(daemon)
    assert ended(window) == "process ended"


def test_a_window_that_is_silent_for_long_ends_and_goes_on_as_another(daemon: Home) -> None:
    window = window_in(daemon, AGENT_ID="b")
    effort = window.starts()
    window.says("SessionStart")
    aged(daemon, window)
    sweeps(daemon)
    until(lambda: ended(window) == "idle")
    assert daemon.rows("SELECT status FROM agents WHERE id = 'b'") == [("idle",)]
    window.bash()
    rows = window.sessions("effort_id, ended_at IS NULL")
    assert rows == [(effort["effortId"], 0), (effort["effortId"], 1)]


def test_the_settings_may_leave_silent_windows_open(home: Home) -> None:
    home.settings({"sessions": {"idle_minutes": 0}})
    home.serves()
    silent = window_in(home)
    silent.says("SessionStart")
    aged(home, silent)
    until(lambda: a_round_ends_what_it_saw_alive(home))
    assert ended(silent) is None


def test_a_process_that_died_before_anybody_looked_was_met_at_the_start(daemon: Home) -> None:
    with subprocess.Popen(["sleep", "600"]) as client:
        window = window_in(daemon, CLAUDE_PID=str(client.pid))
        window.says("SessionStart")
        client.send_signal(signal.SIGKILL)
    round_is_over(daemon)
    assert ended(window) == "process ended"


def test_an_agent_that_worked_in_a_window_that_is_over_is_idle_in_the_end(daemon: Home) -> None:
    window = window_in(daemon, AGENT_ID="c")
    window.says("SessionStart")
    window.says("SessionEnd", reason="clear")
    with closing(connect(daemon.database, timeout=30)) as db, db:
        db.execute("UPDATE agents SET status_at = '2026-01-01T00:00:00.000Z'")
    sweeps(daemon)
    until(lambda: daemon.rows("SELECT status FROM agents WHERE id = 'c'") == [("idle",)])
