"""Live: the disk is full, the database locked, damaged or misplaced; hooks are judged on."""

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from support.bad_payloads import of
from support.home import HOOKD, Home, place, serving, until, window_in
from support.payloads import verdict

pytestmark = pytest.mark.gate

RULE = ("guard", "add", "no-rm", "Bash(rm -rf *)", "--deny", "Use the trash.")
NONE = resource.RLIM_INFINITY


def status(home: Home) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(home.hookd("status", "--json").stdout)
    return found


def kept(home: Home) -> int:
    return int(home.rows("SELECT count(*) FROM events")[0][0])


@contextmanager
def locked(home: Home) -> Iterator[None]:
    """Another program holds the database's lock."""
    with closing(connect(home.database, isolation_level=None, timeout=30)) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield


def test_while_nothing_can_be_written_guards_hold_and_status_says_so(home: Home) -> None:
    with serving(home) as process:
        home.hookd(*RULE)
        window = window_in(home)
        window.bash()
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (4096, NONE))
        for _ in range(3):
            assert verdict(window.bash("rm -rf x"))[0] == "deny"
        assert status(home)["unkept"].startswith("nothing is stored since 20")
        assert "nothing is stored since" in home.hookd("status").stdout
        assert "Nothing is stored since" in "".join(home.hookd("doctor", check=False).stdout)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (NONE, NONE))
        assert verdict(window.bash("rm -rf x"))[0] == "deny"
        assert status(home)["unkept"] is None
        assert kept(home) == 2
        assert len(home.logged("the database can be written again")) == 1


STOPS = {"Stop": [{"hooks": [{"type": "command", "command": "echo on >&2; exit 2"}]}]}


def test_while_nothing_can_be_written_nobody_is_locked_in(home: Home) -> None:
    hooks = home.path / "stops.json"
    hooks.write_text(json.dumps({"hooks": STOPS}))
    command = [str(HOOKD), "serve", "--settings", str(hooks)]
    with subprocess.Popen(command, env=home.env, stderr=subprocess.DEVNULL) as process:
        try:
            until(home.socket.exists)
            window = window_in(home)
            window.starts(blockAfter=2)
            assert [verdict(window.bash())[0] for _ in range(3)] == ["", "deny", "deny"]
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (4096, NONE))
            assert verdict(window.bash()) == ("", "")  # it could not log either
            assert verdict(window.bash("rm -rf /"))[0] == "deny"
            assert window.says("Stop", stop_hook_active=False)["decision"] == "block"
            assert "allowed the stop" in window.says("Stop", stop_hook_active=True)["systemMessage"]
        finally:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (NONE, NONE))
            process.terminate()


def test_what_cannot_be_written_by_hand_says_why_and_what_to_do(home: Home) -> None:
    with serving(home) as process:
        window = window_in(home)
        window.starts()
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (4096, NONE))
        for command in (("log", "Done."), RULE):
            done = home.hookd(*command, check=False, cwd=window.project, env=window.identity)
            assert done.returncode == 1
            assert done.stderr.startswith("hookd: Nothing is stored since 20")
            assert "free the disk" in done.stderr
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (NONE, NONE))
        done = home.hookd("log", "Done.", cwd=window.project, env=window.identity)
        assert done.stdout.startswith("Logged for effort 1")


@contextmanager
def serving_without_room(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    """A daemon none of whose files may grow."""
    command = ["/bin/sh", "-c", 'ulimit -S -f 0; exec "$0" serve', str(HOOKD)]
    with subprocess.Popen(command, env=home.env, stderr=subprocess.DEVNULL) as process:
        try:
            until(home.socket.exists)
            yield process
        finally:
            process.kill()
            process.wait(30)
            home.socket.unlink()


def test_on_a_disk_that_is_full_from_the_start_it_judges_and_keeps_once_there_is_room(
    home: Home,
) -> None:
    with serving_without_room(home) as process:
        window = window_in(home)
        assert verdict(window.bash("rm -rf /"))[0] == "deny"
        assert "cannot be" in status(home)["unkept"]
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (NONE, NONE))
        until(lambda: window.bash("ls") is None and status(home)["unkept"] is None)
        before = kept(home)
        window.bash("ls -a")
        assert kept(home) == before + 1


def test_while_somebody_locks_the_database_guards_hold_within_the_deadline(home: Home) -> None:
    home.serves().hookd(*RULE)
    window = window_in(home)
    with locked(home):
        assert verdict(window.bash("rm -rf x"))[0] == "deny"
        assert "database is locked" in status(home)["unkept"]
    assert verdict(window.bash("rm -rf y"))[0] == "deny"
    assert home.rows("SELECT count(*) FROM events WHERE decision = 'deny'") == [(1,)]
    assert status(home)["unkept"] is None


def test_a_database_that_is_locked_at_the_start_is_read_and_kept_in_later(home: Home) -> None:
    home.serves().hookd(*RULE)
    home.ends()
    window = window_in(home)
    with locked(home):
        home.serves()
        assert verdict(window.bash("rm -rf x"))[0] == "deny"
        assert "locked" in status(home)["unkept"]
    until(lambda: verdict(window.bash("rm -rf y"))[0] == "deny" and kept(home))
    assert status(home)["unkept"] is None


@pytest.fixture(scope="module")
def unreadable() -> Iterator[Home]:
    """A daemon with an own rule, whose database cannot be opened."""
    with place() as home:
        home.settings({"policies": {"enabled": ["session-gate"]}})
        home.serves().hookd(*RULE)
        home.ends()
        until(lambda: not Path(f"{home.database}-wal").exists())
        home.database.rename(home.path / "aside.db")
        (home.database / "in the way").mkdir(parents=True)
        yield home.serves()


def test_a_database_that_cannot_be_opened_denies_nothing_but_by_the_built_in_guards(
    unreadable: Home,
) -> None:
    window = window_in(unreadable)
    assert verdict(window.bash("make test")) == ("", "")
    assert verdict(window.bash("rm -rf /"))[0] == "deny"
    told = window.says("UserPromptSubmit")["systemMessage"]
    assert told.startswith("hookd cannot read its database: your own guard rules are not in force")
    assert "cannot be opened" in status(unreadable)["unkept"]


def test_whoever_fails_closed_is_asked_about_every_call_then(unreadable: Home) -> None:
    done = unreadable.hook(of(), "--fail-closed")
    decision, reason = verdict(json.loads(done.stdout))
    assert (decision, "does not know your guard rules" in reason) == ("ask", True)


def ruined(home: Home, start: int, length: int) -> bytes:
    """Overwrite a part of the database; return what the file holds then."""
    with home.database.open("r+b") as file:
        file.seek(start)
        file.write(b"\xaa" * length)
    return home.database.read_bytes()


def filled(home: Home) -> int:
    """Let a database grow that has a middle; return its size."""
    window = window_in(home)
    for number in range(40):
        window.bash(f"echo {number} " + "x" * 10_000)
    with closing(connect(home.database, timeout=30)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return home.database.stat().st_size


@pytest.mark.parametrize("place", ["header", pytest.param("middle", marks=pytest.mark.slow)])
def test_a_damaged_database_is_kept_aside_and_all_are_told(home: Home, place: str) -> None:
    with serving(home) as process:
        size = filled(home)
        process.kill()
        process.wait(30)
    before = ruined(home, 0 if place == "header" else size // 2, 200 if place == "header" else 9000)
    window = window_in(home)
    told = window.says("SessionStart")["systemMessage"]
    aside = min(home.path.glob("hookd.db.corrupt-*"))  # its log has the longer name
    assert aside.read_bytes() == before
    assert str(aside) in told
    assert "guard rules" in told.lower()
    assert "systemMessage" not in (window.says("UserPromptSubmit") or {})
    assert status(home)["replaced"] == str(aside)
    assert status(home)["damaged"] == [str(aside)]
    assert aside.name in home.hookd("status").stdout
    assert "db backup" in home.hookd("status").stdout
    assert aside.name in home.hookd("doctor", check=False).stdout
    assert home.rows("PRAGMA integrity_check") == [("ok",)]
    home.restarts()
    assert window_in(home).says("SessionStart") is None, "each daemon but the first has nothing new"
    assert aside.name in home.hookd("status").stdout, "as long as it is there"
    for path in home.path.glob("hookd.db.corrupt-*"):
        path.unlink()
    assert "corrupt" not in home.hookd("status").stdout


def test_one_that_is_damaged_while_it_serves_is_met_judged_and_kept_aside(home: Home) -> None:
    with serving(home) as process:
        home.hookd(*RULE)
        size = filled(home)
        ruined(home, 0, size)
        Path(f"{home.database}-wal").write_bytes(b"\xaa" * 40_000)
        window = window_in(home)
        verdicts = set()
        until(
            lambda: verdicts.add(verdict(window.bash("rm -rf x"))[0]) or process.poll() is not None
        )
        assert verdicts <= {"deny", "ask"}, "it denies, or asks where it cannot know its rules"
        assert process.returncode == 0
    assert "found its database damaged" in home.said(of())["systemMessage"]
    assert home.logged("damaged database moved aside")
    assert list(home.path.glob("hookd.db.corrupt-*"))
    assert home.rows("PRAGMA integrity_check") == [("ok",)]


def test_a_log_that_is_garbage_is_kept_aside_and_the_database_holds(home: Home) -> None:
    home.serves().hookd(*RULE)
    home.ends()
    until(lambda: not Path(f"{home.database}-wal").exists())
    Path(f"{home.database}-wal").write_bytes(b"\xaa" * 40_000)
    home.serves()
    assert verdict(window_in(home).bash("rm -rf x"))[0] == "deny"
    (aside,) = home.path.glob("hookd.db.corrupt-*-wal")
    assert aside.read_bytes() == b"\xaa" * 40_000
    assert status(home)["damaged"] == [str(aside)]


ELSEWHERE = """
import sys
from pathlib import Path
from hookd.system import mount_table
mount_table.MOUNTINFO = Path(sys.argv.pop(1))
from hookd.cli import main
main()
"""


@pytest.mark.parametrize("command", ["serve", "doctor"])
def test_a_home_on_a_network_file_system_is_refused_with_what_to_do(
    home: Home, command: str
) -> None:
    mounts = home.path / "mountinfo"
    mounts.write_text(f"1 0 8:1 / / rw - ext4 /dev/a rw\n2 1 0:9 / {home.path} rw - nfs4 n:/ rw\n")
    words = [sys.executable, "-P", "-c", ELSEWHERE, str(mounts), command]
    done = subprocess.run(
        words, env=home.env, capture_output=True, text=True, timeout=60, check=False
    )
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode == 1
    assert "is on a network file system (nfs4)" in said
    assert "set HOOKD_HOME to a folder on a local disk" in said
    assert not home.database.exists()
