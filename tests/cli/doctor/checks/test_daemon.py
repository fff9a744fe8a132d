"""What doctor finds about the daemon, and about Claude Code: real sockets, a program of our own."""

import json
import os
import pty
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from hookd import __version__
from hookd.cli.doctor.checks import timeouts
from hookd.cli.doctor.checks.timeouts import LateError, ask, run, telling
from hookd.cli.lib.errors import Problem
from hookd.store.database import open_database
from hookd.system import stop_marker
from support.database_rows import many_events
from support.doctor_home import Scene, scene_in
from support.home import HOOKD, Home

Replies = dict[str, Any]

_NO_METHOD = {"code": -32601, "message": "Method not found"}


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return scene_in(home, monkeypatch)


def status(scene: Scene, **more: Any) -> dict[str, Any]:
    home = scene.home
    places = {"database": str(home.database), "settings": str(home.path / "settings.json")}
    known = {"pid": 7, "version": __version__, "socket": str(home.socket), "problem": None}
    return known | places | more


def replies(scene: Scene, **more: Any) -> Replies:
    """Return the results of a daemon that is well; an error names its code."""
    known = {
        "daemon.status": status(scene),
        "daemon.query": {"columns": ["v"], "rows": [["3.50.0"]], "more": False},
        "userHooks.list": {"hooks": [], "problems": []},
        "allowances.list": {"allowances": []},
        "guards.list": {"guards": []},
        "guards.files": {"files": []},
        "daemon.canary": _NO_METHOD,
        "fleet.items": _NO_METHOD,
        "fleet.membership": _NO_METHOD,
    }
    return known | {name.replace("_", "."): value for name, value in more.items()}


@contextmanager
def answering(scene: Scene, results: Replies) -> Iterator[None]:
    """Answer each method with its result, and what has none with silence."""
    scene.home.socket.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(scene.home.socket))
        listener.listen()
        peers: list[socket.socket] = []
        thread = threading.Thread(target=_serve, args=(listener, results, peers))
        thread.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for peer in peers:
                peer.close()


def _serve(listener: socket.socket, results: Replies, peers: list[socket.socket]) -> None:
    with suppress(OSError):
        while True:
            peers.append(listener.accept()[0])
            line = peers[-1].makefile("rb").readline()
            answer = results.get(json.loads(line)["method"])
            if answer is not None:
                kind = "error" if "code" in answer else "result"
                body = {"jsonrpc": "2.0", "id": 1, kind: answer}
                peers[-1].sendall(json.dumps(body).encode() + b"\n")


# the states of a daemon


def test_a_daemon_that_listens_is_well(scene: Scene) -> None:
    with answering(scene, replies(scene)):
        assert scene.found("daemon") == [("ok", f"It listens on {scene.home.socket}.")]


def test_a_guard_that_is_kept_to_some_clients_is_a_warning(scene: Scene) -> None:
    options = {"path-guard": {"clients": ["codex"]}, "overflow": {"clients": ["codex"]}}
    scene.home.settings({"policies": {"options": options}})
    with answering(scene, replies(scene)):
        (finding,) = scene.findings("guard rules")
    assert (finding.state, finding.what) == (
        "warn",
        "By its option clients, path-guard is in force only in codex. Calls of other clients"
        " pass it.",
    )
    step = "hookd policy set path-guard clients --default, unless it is intended"
    assert finding.next == step


def test_a_guard_that_is_off_is_not_said_to_be_kept_to_some_clients(scene: Scene) -> None:
    options = {"path-guard": {"clients": ["codex"], "mode": "off"}}
    scene.home.settings({"policies": {"options": options}})
    with answering(scene, replies(scene)):
        assert scene.found("guard rules") == []


def test_no_socket_is_a_warning_where_hooks_would_start_it(scene: Scene) -> None:
    scene.write("user", scene.entries())
    ((state, what),) = scene.found("daemon")
    assert (state, what.endswith("The first hook starts it.")) == ("warn", True)
    assert scene.found("canary") == [("warn", "No hook was tried, since no daemon answers.")]
    assert not scene.home.socket.exists()


def test_no_socket_and_no_hooks_promise_nothing(scene: Scene) -> None:
    what = f"No daemon is running: there is no socket {scene.home.socket}."
    assert scene.found("daemon", "canary") == [("warn", what)]


def test_a_dead_socket_is_a_warning(scene: Scene) -> None:
    scene.write("user", scene.entries())
    with answering(scene, {}):
        pass
    ((state, what),) = scene.found("daemon")
    assert (
        state,
        what.startswith("No daemon is running: no process listens on"),
    ) == ("warn", True)


def test_a_daemon_that_is_stopped_lets_all_hooks_pass(scene: Scene) -> None:
    scene.write("user", scene.entries())
    scene.home.hookd("stop", "--yes")
    (finding,) = scene.findings("stop")
    assert (finding.state, finding.next) == ("fail", "hookd start")
    assert "every call runs unchecked" in finding.what
    done = scene.home.hookd("doctor", check=False, cwd=scene.project)
    first, *_, last = done.stdout.splitlines()
    assert (done.returncode, first) == (1, f"{finding.what} Next: hookd start")
    assert last == finding.what


def test_a_daemon_that_listens_while_hookd_is_stopped_is_a_failure(scene: Scene) -> None:
    with answering(scene, replies(scene)):
        stop_marker.write(scene.home.stopped)
        ((state, what),) = scene.found("daemon")
    assert (state, what.endswith("the hooks do not ask it.")) == ("fail", True)


@pytest.mark.gate
def test_a_daemon_that_hangs_fails(scene: Scene) -> None:
    scene.write("user", scene.entries())
    with answering(scene, {}):
        assert scene.found("daemon") == [
            ("fail", f"The daemon does not answer on {scene.home.socket}.")
        ]


def test_a_file_in_the_place_of_the_socket_fails(scene: Scene) -> None:
    scene.home.socket.parent.mkdir()
    scene.home.socket.touch()
    assert scene.found("daemon") == [("fail", f"{scene.home.socket} is not a socket of yours.")]


# what the daemon says


def test_a_daemon_that_is_well_is_told_with_versions_and_places(scene: Scene) -> None:
    open_database(scene.home.database).close()
    with answering(scene, replies(scene)):
        assert scene.found("version", "places", "hookd settings", "sqlite", "database") == [
            ("ok", f"hookd {__version__}, the daemon too (process 7)."),
            ("ok", f"Events are kept in {scene.home.database}."),
            ("ok", f"Nothing in {scene.home.path}/settings.json is refused."),
            ("ok", "The daemon runs on SQLite 3.50.0."),
            ("ok", "The database is sound."),
        ]


@pytest.mark.parametrize(
    ("changes", "check", "state", "what"),
    [
        ({"version": "0.0.9"}, "version", "warn", "The daemon is hookd 0.0.9, but hookd"),
        (
            {"database": "/d"},
            "places",
            "warn",
            "The daemon was started with other places: database",
        ),
        (
            {"problem": "the settings /s are refused"},
            "hookd settings",
            "warn",
            "the settings /s are",
        ),
    ],
)
def test_a_daemon_that_does_not_fit_is_a_warning(
    scene: Scene, changes: Any, check: str, state: str, what: str
) -> None:
    with answering(scene, replies(scene, daemon_status=status(scene, **changes))):
        (found,) = scene.found(check)
    assert (found[0], found[1][: len(what)]) == (state, what)


def test_settings_that_are_refused_need_no_restart(scene: Scene) -> None:
    with answering(scene, replies(scene, daemon_status=status(scene, problem="they are refused"))):
        (finding,) = scene.findings("hookd settings")
    assert finding.next == "fix the file; it is reloaded within a second"


def test_the_engine_of_redaction_is_named(scene: Scene) -> None:
    with answering(scene, replies(scene, daemon_status=status(scene, redaction="google-re2"))):
        (found,) = scene.found("redaction")
    assert found == ("ok", "The daemon searches texts for secrets with google-re2.")


@pytest.mark.parametrize("method", ["daemon_status", "daemon_query"])
def test_a_daemon_that_refuses_to_answer_fails(scene: Scene, method: str) -> None:
    check = {"daemon_status": "version", "daemon_query": "sqlite"}[method]
    error = {"code": -32603, "message": "Internal error"}
    with answering(scene, replies(scene, **{method: error})):
        (finding,) = scene.findings(check)
    assert (finding.state, finding.next) == ("fail", "hookd daemon logs -n 20")


def test_a_daemon_that_is_older_than_a_check_is_to_be_restarted(scene: Scene) -> None:
    scene.write("user", scene.entries("PreToolUse"))
    with answering(scene, replies(scene)):
        (finding,) = scene.findings("canary")
    assert finding.state == "fail"
    assert finding.what == "The daemon has no method daemon.canary."
    assert finding.next == "hookd restart, since the daemon is older than this command"


def test_a_damaged_database_fails(scene: Scene) -> None:
    scene.home.database.write_bytes(b"SQLite format 3\0" + bytes(5_000))
    with answering(scene, replies(scene)):
        ((state, what),) = scene.found("database")
    assert (state, what) == (
        "fail",
        "The database is damaged: the file cannot be read: file is not a database.",
    )


def test_a_large_database_is_sound_as_far_as_it_was_read(scene: Scene) -> None:
    many_events(scene.home.database)
    with answering(scene, replies(scene)):
        assert scene.found("database") == [
            (
                "ok",
                "No damage was found, but of events only the newest rows were read."
                " hookd db check reads all.",
            )
        ]
        scene.home.hookd("db", "check")
        ((state, what),) = scene.found("database")
        assert (state, "hookd db check reads all; it last did 20" in what) == ("ok", True)


def test_damage_that_a_complete_check_found_fails_until_the_next(scene: Scene) -> None:
    open_database(scene.home.database).close()
    (scene.home.path / "hookd.checked").write_text("damaged\n")
    with answering(scene, replies(scene)):
        ((state, what),) = scene.found("database")
        assert (state, what[:28]) == ("fail", "hookd db check found damage ")
        scene.home.hookd("db", "check")
        assert scene.found("database") == [("ok", "The database is sound.")]


def test_an_answer_that_does_not_come_in_time_is_told(scene: Scene) -> None:
    with answering(scene, {"daemon.status": {}}), pytest.raises(LateError) as late:
        ask("daemon.query", seconds=0.1)
    assert late.value.message == "The daemon has not answered daemon.query within 0.1 s."


def test_a_file_that_no_daemon_could_open_fails_before_there_is_one(scene: Scene) -> None:
    assert scene.found("database") == []
    scene.home.database.write_bytes(b"this is no database" * 100)
    ((state, what),) = scene.found("database")
    assert (state, "cannot be read" in what) == ("fail", True)
    assert scene.doctor()[0] == 1


def test_hooks_and_a_daemon_of_another_clone_are_named(scene: Scene) -> None:
    assert scene.bad("program") == []
    other = scene.home.path / "clone" / "bin"
    other.mkdir(parents=True)
    for name in ("hookd", "python"):
        (other / name).touch(0o755)
    file = scene.write("user", scene.entries(hookd=str(other / "hookd")))
    ((state, what),) = scene.bad("program")
    assert (state, what) == (
        "warn",
        f"The hooks in {file} run another hookd, {other}/hookd; this one is {HOOKD}.",
    )
    scene.write("user", scene.entries(python=str(other / "python")))
    ((state, what),) = scene.bad("program")
    assert (state, f"run another hookd, {other}/python;" in what) == ("warn", True)
    scene.write("user", scene.entries())
    running = status(scene, python=f"{other}/python3")
    with answering(scene, replies(scene, daemon_status=running)):
        ((state, what),) = scene.bad("program")
    assert (state, f"run by {other}/python3;" in what) == ("warn", True)
    scene.home.socket.unlink()
    running = status(scene, python=str(Path(sys.executable).with_name("python3.99")))
    with answering(scene, replies(scene, daemon_status=running)):
        assert scene.bad("program") == []


def test_models_are_told_to_run_hookd_so_it_has_to_be_on_the_path(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.home.hookd("install")
    assert scene.bad("program") == []
    (scene.home.path / "bin" / "hookd").unlink()
    monkeypatch.setenv("PATH", str(scene.home.path / "bin"))  # the caller's may hold a hookd
    ((state, what),) = scene.bad("program")
    assert (state, "not on the PATH" in what) == ("warn", True)


def test_no_daemon_to_ask_is_a_problem(scene: Scene) -> None:
    with pytest.raises(Problem, match="No daemon is running"):
        ask("daemon.status")


# Claude Code


def claude(scene: Scene, said: str) -> None:
    scene.program("claude", f"#!/bin/sh\necho '{said}'\n")


def test_the_client_s_version_is_told(scene: Scene) -> None:
    claude(scene, "2.1.329 (Claude Code)")
    assert scene.found("claude code") == [("ok", "Claude Code 2.1.329 is on the PATH.")]


@pytest.mark.parametrize("registered", [True, False])
def test_a_client_that_drops_all_settings_fails_where_hookd_stands_in_them(
    scene: Scene, registered: bool
) -> None:
    claude(scene, "2.1.100 (Claude Code)")
    if registered:
        scene.write("user", scene.entries())
    (finding,) = scene.findings("claude code")
    assert finding.state == ("fail" if registered else "warn")
    assert finding.what.startswith("Claude Code 2.1.100 ignores a whole settings file")
    assert finding.next == "claude update"


@pytest.mark.parametrize(("version", "known"), [("2.1.294", False), ("2.1.295", True)])
def test_a_client_that_does_not_know_onfailure_is_a_warning_where_it_stands(
    scene: Scene, version: str, known: bool
) -> None:
    claude(scene, version)
    block = {"onFailure": "block"}
    scene.write("user", scene.changed(lambda one: one["hooks"][0].update(block), "PreToolUse"))
    what = f"Claude Code {version} does not support onFailure, which is set at PreToolUse: "
    expected = [] if known else [("warn", what + "without the shim they are allowed.")]
    assert scene.bad("claude code") == expected


def test_an_older_client_without_onfailure_in_the_settings_is_well(scene: Scene) -> None:
    claude(scene, "2.1.294")
    scene.write("user", scene.entries())
    assert scene.bad("claude code") == []


def test_a_client_that_says_no_version_is_a_warning(scene: Scene) -> None:
    claude(scene, "hello")
    ((state, what),) = scene.found("claude code")
    assert (state, what.endswith("2.1.101 or newer.")) == ("warn", True)


# what is waited for


def test_a_program_that_takes_too_long_is_ended_with_all_it_started(scene: Scene) -> None:
    held = scene.home.path / "held"
    os.mkfifo(held)
    end = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
    hang = f"#!/bin/sh\n(exec >{held}; echo on; tail -f /dev/null) &\nwait\n"
    mine = os.open(held, os.O_WRONLY)
    assert run([str(scene.program("slow", hang))], 0.5) is None
    os.close(mine)
    said = [_read(end), _read(end)]
    os.close(end)
    # The end of the pipe: no process has it open for writing.
    assert b"" in said


def _read(pipe: int) -> bytes:
    """Return the content of a pipe, empty at its end; fail if a process still has it open."""
    assert select.select([pipe], [], [], 20)[0], "the child lives on"
    return os.read(pipe, 1000)


def test_a_program_is_run_to_its_end(scene: Scene) -> None:
    program = scene.program("echo", "#!/bin/sh\ncat\necho no >&2\nexit 3\n")
    done = run([str(program)], 60, b"said")
    assert done == timeouts.Ran(3, b"said", b"no\n")


def test_a_terminal_is_told_what_takes_long(scene: Scene) -> None:
    gate = scene.home.path / "gate"
    os.mkfifo(gate)
    scene.program("claude", f"#!/bin/sh\nread -r line < {gate}\necho $line\n")
    mine, its = pty.openpty()
    command = [HOOKD, "doctor", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=its) as doctor:
        os.close(its)
        assert b"hookd: asking claude for its version ..." in _until(mine, b"...")
        gate.write_text("2.1.329\n")
        assert doctor.communicate()[0].count(b"Claude Code 2.1.329 is on the PATH.") == 1
    os.close(mine)


def _until(terminal: int, mark: bytes) -> bytes:
    said = b""
    while mark not in said:
        said += os.read(terminal, 1000)
    return said


def test_nobody_is_told_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeouts, "_MESSAGE_DELAY_S", 0)
    with telling("looking"):
        assert not [one for one in threading.enumerate() if isinstance(one, threading.Timer)]
