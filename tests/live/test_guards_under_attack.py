"""Live: guards hold while others do their worst: locks, hostile lines, restarts, odd folders."""

import json
import os
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from support.bad_payloads import of
from support.home import Home, serving, until, window_in
from support.payloads import header, payload, verdict


def rm(**more: Any) -> dict[str, Any]:
    return of(tool_input={"command": "rm -rf x"}, **more)


@pytest.fixture
def guarded(daemon: Home) -> Home:
    daemon.hookd("guard", "add", "no-rm", "Bash(rm -rf *)", "--deny", "Use the trash.")
    return daemon


def test_a_denial_is_given_though_the_database_is_locked_by_somebody_else(guarded: Home) -> None:
    with closing(sqlite3.connect(guarded.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        decision, reason = verdict(guarded.said(rm()))
        assert (decision, reason) == ("deny", "guard no-rm: Use the trash.")
        assert verdict(guarded.bare(b"{", "PreToolUse")["result"])[0] == "ask"
        other.execute("ROLLBACK")
    assert verdict(guarded.said(rm()))[1].endswith("(hookd #1)"), "it is kept again"
    assert len(guarded.logged("event could not be stored")) == 1


@pytest.mark.parametrize(
    "line", [b'"\\' * 400_000, b'"' * 400_001, b"[" * 400_000, b'{"a":"' + b"\\" * 400_001]
)
def test_a_hostile_line_is_answered_like_any_other(shared: Home, line: bytes) -> None:
    """A parser that takes the square of the length would take hours for each of these."""
    assert json.loads(shared.line(line))["error"]["code"] == -32700


def test_a_batch_and_a_query_have_bounds(shared: Home) -> None:
    answer = json.loads(shared.line(json.dumps([1] * 1001).encode()))
    assert answer["error"]["code"] == -32600
    wide = "SELECT hex(zeroblob(1000000)) FROM (VALUES (1), (2), (3), (4), (5), (6))"
    done = shared.hookd("query", wide, check=False)
    assert (done.returncode, "larger than 8 MB" in done.stderr) == (1, True)


@pytest.mark.gate
def test_the_socket_goes_at_once_when_the_end_begins(home: Home) -> None:
    """A connection while the last requests are finished must not wait in vain."""
    with serving(home) as process, home.link() as link:
        link.sendall(header("PreToolUse"))
        with link.makefile("rb") as answers:
            assert b"accepted" in answers.readline()
            process.send_signal(signal.SIGTERM)
            until(lambda: not home.socket.exists())
            assert process.poll() is None
            link.sendall(json.dumps(of()).encode() + b"\x1e")
            assert json.loads(answers.readline())["result"] is None
        assert process.wait(30) == 0


def test_a_project_s_guard_holds_below_its_root_wherever_the_session_was_started(
    daemon: Home,
) -> None:
    root, inside = daemon.path / "project", daemon.path / "project" / "inside"
    inside.mkdir(parents=True)
    place = {"CLAUDE_PROJECT_DIR": str(root)}
    args = ("guard", "add", "no-rm", "Bash(rm -rf *)", "--deny", "No.", "--scope", "local")
    daemon.hookd(*args, env=place, cwd=root)
    for started, folder in ((root, root), (inside, inside), (daemon.path, inside)):
        answer = daemon.said(rm(cwd=str(folder)), env={"CLAUDE_PROJECT_DIR": str(started)})
        assert verdict(answer)[0] == "deny", (started, folder)
    elsewhere = daemon.said(rm(cwd="/tmp"), env={"CLAUDE_PROJECT_DIR": "/usr"})
    assert elsewhere is None


def test_what_a_malformed_payload_said_is_kept(daemon: Home) -> None:
    odd = payload("PreToolUse.Bash", tool_input="rm -rf the-evidence")
    daemon.hook(odd)
    ((kept,),) = daemon.rows("SELECT payload FROM events")
    assert json.loads(kept)["tool_input"] == "rm -rf the-evidence"


def test_a_pipe_in_the_place_of_a_log_holds_up_nobody(daemon: Home, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / "1_IMPLEMENT_LOG.md")
    daemon.hookd("effort", "start", str(tmp_path), "implement", cwd=tmp_path)
    done = daemon.hookd("log", "one", check=False, cwd=tmp_path)
    assert (done.returncode, "cannot be written" in done.stderr) == (1, True)
    assert daemon.rows("SELECT content FROM messages") == [("one",)]


def test_a_relative_hookd_home_is_one_place_for_all(home: Home) -> None:
    relative = {"HOOKD_HOME": home.path.name}
    here = home.path.parent
    home.hookd("start", env=relative, cwd=here)
    status = json.loads(home.hookd("status", "--json", env=relative, cwd=here).stdout)
    assert status["database"] == str(home.database)


def test_only_a_log_entry_frees_from_the_heartbeat(daemon: Home) -> None:
    session = payload("SessionStart.startup")
    daemon.rpc("effort.start", {"taskDir": session["cwd"], "skill": "x", "env": {}})
    daemon.said(session)
    for _ in range(10):
        answer = daemon.said(of(session_id=session["session_id"]))
    assert verdict(answer)[0] == "deny"
    for said in ("hookd log", "hookd log --help", "/tmp/evil/hookd log x", "hookd status"):
        daemon.said(of(session_id=session["session_id"], tool_input={"command": said}))
        assert verdict(daemon.said(of(session_id=session["session_id"])))[0] == "deny", said
    daemon.said(of(session_id=session["session_id"], tool_input={"command": "hookd log done"}))
    assert daemon.said(of(session_id=session["session_id"])) is None


def test_what_a_hook_says_is_answered_though_it_cannot_be_kept(home: Home) -> None:
    command = "touch began; until [ -e go ]; do :; done; echo 'not here' >&2; exit 2"
    hook = {"type": "command", "command": command}
    home.settings({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    home.serves()
    window = window_in(home)
    began, go = (Path(window.project) / name for name in ("began", "go"))
    with closing(sqlite3.connect(home.database, isolation_level=None)) as other:
        with ThreadPoolExecutor(1) as aside:
            answer = aside.submit(window.bash, "ls")
            until(began.exists)
            other.execute("BEGIN IMMEDIATE")
            go.touch()
            decision, reason = verdict(answer.result())
        assert (decision, "not here" in reason) == ("deny", True)
        other.execute("ROLLBACK")
    assert len(home.logged("response sent before it was stored")) == 1
