"""Live: when a daemon starts, when it stays stopped, and what prevents it."""

import fcntl
import json
import os
import signal
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from sqlite3 import connect

import pytest

from support import forkserver
from support.bad_payloads import of
from support.home import Home, serving, until
from support.payloads import payload
from support.programs import needed

pytestmark = pytest.mark.gate


def killed(home: Home) -> None:
    """Start a daemon, let it answer, and kill it: its socket and its pid file stay behind."""
    home.serves()
    assert home.said(of()) is None
    pid = home.pid
    os.kill(pid, signal.SIGKILL)
    until(lambda: not exists(pid))
    assert home.socket.exists()


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def starts(home: Home) -> int:
    """Return how many daemons have served here."""
    return len(home.logged("daemon serves"))


def test_a_second_start_says_that_it_is_running(daemon: Home) -> None:
    pid = daemon.pid
    done = daemon.hookd("start")
    assert done.stdout.startswith("hookd is running already.")
    assert (done.stderr, daemon.pid) == ("", pid)
    assert json.loads(daemon.hookd("start", "--json").stdout)["started"] is False


def test_ten_cold_hooks_at_once_start_one_daemon_and_are_all_answered(home: Home) -> None:
    with ThreadPoolExecutor(10) as pool:
        done = list(pool.map(home.hook, [of() for _ in range(10)]))
    assert {(one.returncode, one.stdout, one.stderr) for one in done} == {(0, b"", b"")}
    assert home.rows("SELECT count(*) FROM events") == [(10,)]
    assert starts(home) == 1


def test_the_end_of_a_session_starts_no_daemon(home: Home) -> None:
    done = home.hook(payload("SessionEnd"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert not home.socket.exists()


def test_stopped_it_stays_until_it_is_started(daemon: Home) -> None:
    assert daemon.hookd("stop", "--yes").stdout == "hookd has stopped.\n"
    for args in ((), ("--fail-closed",)):
        done = daemon.hook(of(), *args)
        assert (done.returncode, done.stdout) == (0, b"")
    assert not daemon.socket.exists()
    assert daemon.hookd("stop", "--yes").stdout == "hookd was not running.\n"
    assert daemon.hookd("start").stdout.startswith("hookd has started.")
    assert daemon.said(of()) is None
    assert daemon.rows("SELECT count(*) FROM events") == [(1,)]


def test_stopped_before_it_ever_ran_it_stays_stopped_too(home: Home) -> None:
    assert home.hookd("stop", "--yes").stdout == "hookd was not running.\n"
    done = home.hook(of())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not home.socket.exists()


def test_a_restart_is_another_process_with_the_same_state(daemon: Home) -> None:
    daemon.said(of())
    pid = daemon.pid
    daemon.hookd("restart")
    assert daemon.pid != pid
    status = daemon.rpc("daemon.status")
    assert (status["pid"], status["events"]) == (daemon.pid, 1)


def test_a_restart_starts_what_was_stopped(daemon: Home) -> None:
    daemon.hookd("stop", "--yes")
    assert "hookd has started." in daemon.hookd("restart").stdout
    assert daemon.said(of()) is None


def test_killed_it_is_started_by_the_next_hook(home: Home) -> None:
    killed(home)
    assert home.said(of()) is None
    assert home.rows("SELECT count(*) FROM events") == [(2,)]
    assert home.rows("PRAGMA integrity_check") == [("ok",)]
    assert starts(home) == 2


def test_killed_and_not_yet_reaped_it_is_started_by_the_next_hook(home: Home) -> None:
    """Until its parent has noticed, a killed process answers to kill -0 as a living one does."""
    with serving(home) as process:
        assert home.said(of()) is None
        process.kill()
        # Waits for the death, and leaves the zombie where it is.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert home.said(of()) is None
        assert starts(home) == 2


def test_a_killed_daemon_that_still_holds_its_lock_is_waited_for(home: Home) -> None:
    """A killed process keeps its locks until its last thread has ended; its socket stays behind."""
    home.socket.parent.mkdir(mode=0o700, parents=True)
    folder = os.open(home.path, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as left, ThreadPoolExecutor(1) as aside:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            left.settimeout(30)
            left.bind(str(home.socket))
            left.listen()
            starting = aside.submit(home.serves)
            left.accept()[0].close()  # it has not taken the lock, and gets no answer
            left.close()
        finally:
            os.close(folder)
        starting.result()
    assert home.rpc("daemon.status")["pid"] == home.pid


def test_a_socket_on_which_another_program_listens_is_left_alone(home: Home) -> None:
    home.socket.parent.mkdir(mode=0o700, parents=True)
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.bind(str(home.socket))
        stranger.listen()
        before = home.socket.stat().st_ino
        assert "another program listens" in forkserver.start(("serve", "--detach"), home.env)
        assert home.socket.stat().st_ino == before


def test_a_number_that_is_another_process_by_now_costs_nothing(home: Home) -> None:
    killed(home)
    home.socket.with_suffix(".pid").write_text(f"{os.getpid()}\n")
    assert home.said(of()) is None
    assert home.pid != os.getpid()


def test_killed_it_is_started_by_the_command_line(home: Home) -> None:
    killed(home)
    assert home.hookd("status", check=False).returncode == 3
    assert home.hookd("start").stdout.startswith("hookd has started.")
    assert home.rpc("daemon.status")["events"] == 1


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"log": {"max_bytes": 20000', "line 1"),
        ('{"log": {"levle": "info"}}', "log.levle"),
        ('{"log": {"max_bytes": 1}}', "log.max_bytes"),
        ('{"policies": {"disabled": ["hartbeat"]}}', "hartbeat"),
        ('{"policies": {"options": {"heartbeat": {"warn": 1}}}}', "warn"),
        ("[]", "the whole file"),
    ],
)
def test_with_broken_settings_it_runs_with_the_defaults_and_says_so(
    home: Home, text: str, key: str
) -> None:
    home.settings(text)
    home.serves()
    status = json.loads(home.hookd("status", "--json").stdout)
    for said in (status["problem"], home.hookd("status").stdout):
        flat = "".join(said.split())
        assert "settings.json" in flat
        assert key.replace(" ", "") in flat
    assert home.said(of()) is None


def test_a_start_with_broken_settings_says_what_its_status_says(home: Home) -> None:
    home.settings('{"log": {"levle": "info"}}')
    done = home.hookd("start")
    said, step = done.stderr.splitlines()
    assert done.stdout.startswith("hookd has started.")
    assert said == f"hookd: {home.rpc('daemon.status')['problem']}."
    assert "log.levle" in said
    assert step.startswith("  next: ")


def test_a_database_it_cannot_use_is_named_with_the_remedy(home: Home) -> None:
    with closing(connect(home.database)) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("CREATE TABLE of_tomorrow (id)")
    before = home.database.read_bytes()
    done = home.hookd("start", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    sentence, step, *rest = done.stderr.splitlines()
    assert str(home.database) in sentence
    assert step.startswith("  next: ")
    assert "upgrade" in done.stderr
    assert rest == []
    assert home.database.read_bytes() == before
    assert not home.socket.exists()


def test_the_sqlite3_program_reads_the_file_while_the_daemon_runs(daemon: Home) -> None:
    program = needed("sqlite3")
    daemon.said(payload("PreToolUse.Bash"))
    for sql, found in (
        ("SELECT event, tool_name FROM recent_events", "PreToolUse|Bash"),
        ("SELECT count(*) FROM fleet_status", "1"),
        ("PRAGMA integrity_check", "ok"),
    ):
        command = [program, "-readonly", str(daemon.database), sql]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        assert done.stdout.strip() == found
    assert daemon.said(of()) is None


def test_the_log_is_rotated_and_three_old_parts_are_kept(home: Home) -> None:
    home.settings({"log": {"max_bytes": 10_000}})
    home.serves()
    for _ in range(500):
        home.bare(b"not JSON")
    parts = sorted(path.name for path in home.path.glob("hookd.log*"))
    assert parts == ["hookd.log", "hookd.log.1", "hookd.log.2", "hookd.log.3"]
    for path in home.path.glob("hookd.log*"):
        assert path.stat().st_size <= 10_000
        assert oct(path.stat().st_mode & 0o777) == "0o600"
        for line in path.read_text().splitlines():
            assert json.loads(line)["message"]


def test_a_misspelt_command_is_answered_by_what_was_meant(home: Home) -> None:
    done = home.hookd("doctro", check=False)
    assert (done.returncode, "Did you mean hookd doctor?" in done.stderr) == (2, True)
    assert "mean" not in home.hookd("xyzzy", check=False).stderr


def test_stop_and_restart_say_what_they_did_as_json(home: Home) -> None:
    assert json.loads(home.hookd("stop", "--yes", "--json").stdout) == {"stopped": False}
    assert json.loads(home.hookd("restart", "--json").stdout)["started"] is True
    assert json.loads(home.hookd("stop", "--yes", "--json").stdout) == {"stopped": True}


def test_a_daemon_searches_for_secrets_with_re2_once_it_serves(home: Home) -> None:
    home.serves()
    until(lambda: home.rpc("daemon.status")["redaction"] == "google-re2")
    assert len(home.logged("daemon serves")) == 1
