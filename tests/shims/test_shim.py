"""The bash shim, run by a real bash against a stand-in that plays the daemon on a real socket."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hookd.core.model.fail_policy import CLOSABLE
from hookd.events.protocol import EVENTS
from hookd.system import stop_marker
from support.hook_shim import BIG, KINDS, PATH, SHIM, Daemon, command, result, run, transport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DENY_REASON = "is set to fail closed. Next: hookd status"


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def sock(folder: Path) -> Path:
    return folder / "hookd.sock"


def program(folder: Path, body: str) -> Path:
    path = folder / "hookd"
    path.write_text(f"#!/bin/bash\n{body}\n")
    path.chmod(0o755)
    return path


PAYLOADS = {
    "one line": b'{"a":1}\n',
    "no newline": b'{"a":1}',
    "many lines": b'{\n  "a":\n\n 1\n}\n\n\n',
    "not ASCII": '{"a":"żółw 🐢"}\n'.encode(),
    "odd bytes": b'{"a":"\x01\x7f\x80\xff\xc3(  \t"}\n\n',
    "a byte less than is read at once": b"a" * 8191,
    "as much as is read at once": b"a" * 8192,
    "a byte more than is read at once": b"a" * 8193,
    "empty": b"",
    "2 MB": b'{"a":"' + b"0123456789abcdef" * 131072 + b'"}\n',
}


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
@pytest.mark.parametrize("kind", KINDS)
def test_the_payload_arrives_byte_by_byte(sock: Path, kind: str, payload: bytes) -> None:
    with Daemon(sock) as daemon:
        done = run(sock, payload=payload, kind=kind)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert daemon.payload == payload + b"\x1e"
    header = json.loads(daemon.header)
    assert (header["id"], header["method"]) == (1, "hooks.dispatch")
    assert header["params"]["body"] is True
    assert header["params"]["event"] == "PreToolUse"


@pytest.mark.parametrize("size", [10, 3000, 40_000, 300_000])
@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_is_printed_as_it_is(sock: Path, kind: str, size: int) -> None:
    value = {"systemMessage": '%s \\n "}' + "x" * size + "}"}
    with Daemon(sock, answer=result(value)):
        done = run(sock, kind=kind)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == json.dumps(value).encode() + b"\n"


@pytest.mark.parametrize("beyond", [-1, 0, 1])
@pytest.mark.parametrize("parts", [1, 2])
def test_an_answer_may_end_where_a_part_of_it_ends(
    sock: Path, parts: int, beyond: int, kind: str
) -> None:
    bare = len(result({"systemMessage": ""}))
    value = {"systemMessage": "x" * (parts * 32_768 - bare + beyond)}
    with Daemon(sock, answer=result(value)):
        done = run(sock, kind=kind)
    assert done.stdout == json.dumps(value).encode() + b"\n"


@pytest.mark.parametrize("size", [10, 2000, 5000, 40_000])
def test_an_answer_is_one_write(sock: Path, size: int, kind: str) -> None:
    """On a datagram socket, each write is a message of its own."""
    value = {"systemMessage": "x" * size}
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with (
        ours,
        theirs,
        Daemon(sock, answer=result(value)),
        command(sock, event="Stop", kind=kind) as words,
    ):
        subprocess.run(
            words, input=b"{}", stdout=theirs, env={"PATH": PATH}, check=True, timeout=60
        )
        assert ours.recv(1_000_000) == json.dumps(value).encode() + b"\n"


def test_hostile_values_stay_values(sock: Path, kind: str) -> None:
    every_control = "".join(map(chr, range(1, 32))) + "\x7f"
    env: dict[str, str | bytes] = {
        "AGENT_ID": 'a"b\\c\\"&\\&',
        "AGENT_CLAIMS": f"<{every_control}>{every_control}",
        "AGENT_PARENT": "",
        "AGENT_MANAGES": "line\nline\ttab & $(touch x) `y` ${z} %s \\u0041 \\",
        "VIRTUAL_ENV": b'/bad/\xff\xfe\xc3("\n',
        "TMUX": "żółw 🐢",
        "MINE": "sent",
        "NOT_MINE": "stays",
        "event": "Forged",
        "waited": "1",
    }
    more = ["--send", "MINE", "--send", "HOME", "--send", "HOME", "--send", "UNSET"]
    with Daemon(sock) as daemon:
        done = run(sock, *more, env=env, kind=kind)
    assert (done.stdout, done.stderr) == (b"", b"")
    header = json.loads(daemon.header.decode(errors="replace"))
    assert header["params"]["event"] == "PreToolUse"
    sent = header["params"]["env"]
    for name in ("AGENT_ID", "AGENT_CLAIMS", "AGENT_PARENT", "AGENT_MANAGES", "TMUX", "MINE"):
        assert sent[name] == env[name], name
    assert sent["VIRTUAL_ENV"] == b'/bad/\xff\xfe\xc3("\n'.decode(errors="replace")
    assert sent["CWD"] == str(Path.cwd())
    assert b"/bad/\xff\xfe\xc3(" in daemon.header
    assert not {"NOT_MINE", "UNSET", "event", "AGENT_TARGETED_CLAIMS"} & set(sent)


def test_a_host_cannot_change_the_shim(sock: Path, folder: Path, kind: str) -> None:
    evil = folder / "evil"
    evil.write_text("echo evil; exit 3\n")
    env: dict[str, str | bytes] = {
        "BASH_ENV": str(evil),
        "BASH_FUNC_printf%%": "() { echo evil; }",
        "POSIXLY_CORRECT": "1",
        "SHELLOPTS": "noexec:xtrace",
        "IFS": "/",
    }
    with Daemon(sock, answer=result({"ok": True})):
        done = run(sock, env=env, kind=kind)
    assert (done.stdout, done.stderr) == (b'{"ok": true}\n', b"")


@pytest.mark.gate
@pytest.mark.parametrize("kind", KINDS)
def test_a_host_cannot_end_the_shim_s_calls_or_its_patience(sock: Path, kind: str) -> None:
    env: dict[str, str | bytes] = {"FUNCNEST": "1", "TMOUT": "1"}
    with Daemon(sock, answer=result({"ok": True}), patience=1.5):
        done = run(sock, env=env, kind=kind)
    assert (done.stdout, done.stderr) == (b'{"ok": true}\n', b"")


def test_a_host_cannot_change_perl(sock: Path, folder: Path) -> None:
    (folder / "evil.pm").write_text('print STDOUT "evil\\n"; exit 3;\n')
    env: dict[str, str | bytes] = {
        "PERL5LIB": str(folder),
        "PERL5OPT": "-Mevil",
        "PERL_UNICODE": "SDA",
        "PERLIO": ":utf8",
    }
    with Daemon(sock, answer=result({"ok": True})) as daemon:
        done = run(sock, kind="perl", env=env, payload=b'{"a": "\xff\xc5\xbc"}')
    assert (done.stdout, done.stderr) == (b'{"ok": true}\n', b"")
    assert daemon.payload == b'{"a": "\xff\xc5\xbc"}\x1e'


def judge_failure(event: str, closed: bool, done: subprocess.CompletedProcess[bytes]) -> None:
    assert done.returncode == 0
    if not closed or event not in CLOSABLE:
        assert done.stdout == b""
        line = rf"hookd: {event} not judged: [^\n]+; it passes unchecked\n"
        assert re.fullmatch(line, done.stderr.decode())
        return
    assert done.stderr == b""
    said = json.loads(done.stdout)
    if "decision" in said:
        assert event in {"UserPromptSubmit", "UserPromptExpansion", "TaskCreated"}
        assert said["decision"] == "block"
        assert said["reason"].endswith(DENY_REASON)
        return
    output = said["hookSpecificOutput"]
    assert output["hookEventName"] == event
    if event in {"PreToolUse", "PreModelSwitch"}:
        assert output["permissionDecision"] == "deny"
        assert output["permissionDecisionReason"].endswith(DENY_REASON)
    else:
        assert output["decision"]["behavior"] == "deny"
        assert output["decision"]["message"].endswith(DENY_REASON)


FAILURES: dict[str, dict[str, Any]] = {
    "no acknowledgement": {"ack": b"", "answer": b""},
    "another acknowledgement": {"ack": b'{"jsonrpc":"2.0"}\n'},
    "hung up": {"hang_up_first": True},
    "no answer": {"answer": b""},
    "an error": {"answer": b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}\n'},
    "two lines": {"answer": result(None) + result(None)},
    "cut off": {"answer": result({"a": 1})[:-3]},
    "cut off behind a brace": {"answer": result({"a": {"b": 1}})[:-2]},
    "cut off behind a brace, 40 kB on": {"answer": result({"a": {"b": "x" * 40_000}})[:-2]},
}


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest", "Stop"])
@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES.keys())
def test_what_is_no_answer_goes_by_the_fail_policy(
    sock: Path, failure: dict[str, Any], event: str, closed: bool, kind: str
) -> None:
    with Daemon(sock, **failure):
        more = ["--fail-closed"] if closed else []
        done = run(sock, *more, event=event, payload=BIG, deadline=5, kind=kind)
    judge_failure(event, closed, done)


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_is_refused_or_goes_on_by_its_policy(sock: Path, event: str, kind: str) -> None:
    done = run(sock, "--fail-closed", event=event, kind=kind)
    judge_failure(event, True, done)


@pytest.mark.parametrize("kind", KINDS)
def test_a_socket_where_nobody_listens(sock: Path, kind: str) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(sock))
        done = run(sock, "--fail-closed", kind=kind, payload=BIG, deadline=2)
    judge_failure("PreToolUse", True, done)


@pytest.mark.gate
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_a_daemon_that_does_not_start(sock: Path, folder: Path, closed: bool, kind: str) -> None:
    hookd = program(folder, f'printf "%s\\n" "$*" >>{folder}/args; env >{folder}/env')
    more = ["--hookd", str(hookd)] + ["--fail-closed"] * closed
    env: dict[str, str | bytes] = {"SECRET": "s", "HOOKD_HOME": "/h h"}
    done = run(sock, *more, payload=BIG, deadline=2, env=env, kind=kind)
    judge_failure("PreToolUse", closed, done)
    assert (folder / "args").read_text() == "serve --detach\n"
    assert "HOOKD_HOME=/h h\n" in (folder / "env").read_text()
    assert "SECRET" not in (folder / "env").read_text()
    assert not (folder / "hookd.sock.lock").exists()


def test_a_daemon_that_fails_is_not_waited_for(sock: Path, folder: Path, kind: str) -> None:
    """The deadline is longer than this test has patience."""
    hookd = program(folder, "exit 1")
    done = run(sock, "--hookd", str(hookd), payload=BIG, deadline=600, kind=kind)
    judge_failure("PreToolUse", False, done)
    assert not (folder / "hookd.sock.lock").exists()


@pytest.mark.parametrize("left", ["no socket", "a dead pid"])
def test_a_session_end_starts_nothing(sock: Path, folder: Path, left: str, kind: str) -> None:
    if left == "a dead pid":
        sock.with_suffix(".pid").write_text(f"{dead_pid()}\n")
    hookd = program(folder, f"touch {folder}/started")
    done = run(sock, "--hookd", str(hookd), event="SessionEnd", payload=BIG, kind=kind)
    judge_failure("SessionEnd", False, done)
    assert not (folder / "started").exists()
    assert not (folder / "hookd.sock.lock").exists()


def dead_pid() -> int:
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    return gone.pid


SERVER = """
import os, signal, socket, sys
os.setsid()
signal.alarm(90)
path = sys.argv[1]
s = socket.socket(socket.AF_UNIX)
s.bind(path + "~")
s.listen(64)
os.rename(path + "~", path)  # a hook that sees the socket connects at once
with open(path.removesuffix("sock") + "pid~", "w") as file:
    print(os.getpid(), file=file)
os.rename(file.name, file.name[:-1])  # after the socket, as the daemon does
s.settimeout(0.5)
calls = int(sys.argv[2])
while calls:
    try:
        link, _ = s.accept()
    except TimeoutError:
        if os.path.exists(path):
            continue
        break  # it lost the race for the socket, gets no request, and its test is over
    calls -= 1
    with link, link.makefile("rb") as stream:
        stream.readline()
        link.sendall(b'{"jsonrpc":"2.0","method":"hooks.accepted"}\\n')
        while b"\\x1e" not in (stream.read1(65536) or b"\\x1e"):
            pass
        link.sendall(b'{"jsonrpc":"2.0","id":1,"result":{"ok":true}}\\n')
"""


@pytest.mark.parametrize("stale_lock", [False, True], ids=["no lock", "a dead holder's lock"])
def test_ten_hooks_start_one_daemon(sock: Path, folder: Path, stale_lock: bool, kind: str) -> None:
    (folder / "server.py").write_text(SERVER)
    hookd = program(
        folder, f"echo x >>{folder}/starts\nexec {sys.executable} {folder}/server.py {sock} 10"
    )
    if stale_lock:
        (folder / "hookd.sock.lock").mkdir()
        (folder / "hookd.sock.lock" / "pid").write_text(f"{dead_pid()}\n")
    more = ["--hookd", str(hookd)]
    with command(sock, *more, event="Stop", kind=kind, deadline=30) as words:
        shims = [
            subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for _ in range(10)
        ]
        for shim in shims:  # all first: the server takes them in any order, one by one
            assert shim.stdin is not None
            shim.stdin.write(b"{}\n")
            shim.stdin.close()
            shim.stdin = None
        answers = [shim.communicate(timeout=60)[0] for shim in shims]
    assert answers == [b'{"ok":true}\n'] * 10
    if not stale_lock:  # a take-over may race; the daemon's own lock settles that one
        assert (folder / "starts").read_text() == "x\n"
    assert not (folder / "hookd.sock.lock").exists()


STARTED = f"exec {sys.executable} {{folder}}/server.py {{sock}} {{calls}}"


def starting(folder: Path, sock: Path, calls: int = 1, first: str = "") -> Path:
    """Return a hookd that serves `calls` calls, and then ends."""
    (folder / "server.py").write_text(SERVER)
    served = STARTED.format(folder=folder, sock=sock, calls=calls)
    return program(folder, f"echo x >>{folder}/starts\n{first}\n{served}")


def starts(folder: Path) -> int:
    file = folder / "starts"
    return len(file.read_text().splitlines()) if file.exists() else 0


@pytest.mark.parametrize("failure", [{"hang_up_first": True}, {"answer": b""}], ids=str)
def test_a_daemon_that_ends_in_the_middle_of_a_call_is_replaced_and_asked_anew(
    sock: Path, folder: Path, failure: dict[str, Any], kind: str
) -> None:
    hookd = starting(folder, sock)
    number = sock.with_suffix(".pid")
    number.write_text(f"{os.getpid()}\n")
    # Its number is this process's: only the end of the connection shows that no daemon is there.
    with Daemon(sock, **failure):
        done = run(sock, "--hookd", str(hookd), kind=kind)
    assert (done.stdout, done.stderr) == (b'{"ok":true}\n', b"")
    assert starts(folder) == 1
    assert not sock.with_suffix(".unjudged").exists()


def test_the_number_of_a_daemon_is_not_written_over_by_who_lost_another(
    sock: Path, folder: Path, kind: str
) -> None:
    """Ten hooks may lose one daemon; the last of them to notice finds the next one's number."""
    number = sock.with_suffix(".pid")
    number.write_text(f"{os.getpid()}\n")
    with Daemon(sock, hang_up_first=True):
        run(sock, payload=BIG, kind=kind)
    assert number.read_text() == f"{os.getpid()}\n"


@pytest.mark.gate
@pytest.mark.parametrize("content", [None, "", "1234567\n"], ids=["no number", "empty", "dead"])
def test_a_lock_that_nobody_holds_is_taken_over(
    sock: Path, folder: Path, content: str | None
) -> None:
    """By bash only: the native shim starts it first (see test_ten_hooks_start_one_daemon)."""
    lock = folder / "hookd.sock.lock"
    lock.mkdir()
    if content is not None:
        (lock / "pid").write_text(content)
    done = run(sock, "--hookd", str(starting(folder, sock)))
    assert (done.stdout, done.stderr) == (b'{"ok":true}\n', b"")
    assert not lock.exists()


@pytest.mark.gate
def test_a_lock_whose_number_is_another_process_by_now_is_taken_over(
    sock: Path, folder: Path
) -> None:
    lock = folder / "hookd.sock.lock"
    lock.mkdir()
    (lock / "pid").write_text(f"{os.getpid()} 1\n")
    done = run(sock, "--hookd", str(starting(folder, sock)))
    assert (done.stdout, done.stderr) == (b'{"ok":true}\n', b"")
    assert not lock.exists()


@pytest.mark.gate
@pytest.mark.parametrize("what", ["a file in it", "a file in its place"])
def test_a_lock_that_nobody_can_have_does_not_stop_a_start(
    sock: Path, folder: Path, what: str
) -> None:
    lock = folder / "hookd.sock.lock"
    if what == "a file in it":
        lock.mkdir()
        lock /= "stranger"
    lock.touch()
    done = run(sock, "--hookd", str(starting(folder, sock)))
    assert (done.stdout, done.stderr) == (b'{"ok":true}\n', b"")


def test_a_lock_that_is_taken_away_does_not_stop_a_start(sock: Path, folder: Path) -> None:
    first = f"rm -rf {sock}.lock"
    done = run(sock, "--hookd", str(starting(folder, sock, first=first)))
    assert (done.stdout, done.stderr) == (b'{"ok":true}\n', b"")
    assert starts(folder) == 1
    assert not (folder / "hookd.sock.lock").exists()


@pytest.mark.parametrize("what", ["a file", "a link to nothing", "a pipe"])
def test_what_stands_in_the_place_of_the_socket_is_not_spoken_to(
    sock: Path, folder: Path, what: str, kind: str
) -> None:
    match what:
        case "a file":
            sock.write_text("mine\n")
        case "a link to nothing":
            sock.symlink_to(folder / "nothing")
        case _:
            os.mkfifo(sock)
    done = run(sock, "--hookd", str(starting(folder, sock)), kind=kind)
    assert (done.stdout, done.stderr) == (b'{"ok":true}\n', b"")


def test_a_socket_of_another_user_s_is_not_spoken_to(sock: Path, folder: Path, kind: str) -> None:
    """Only root can run this: no other user can create a file of another user."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a socket another user's")
    with Daemon(sock, answer=result({"ok": True})) as daemon:
        os.chown(sock, 65_534, -1)
        done = run(sock, "--fail-closed", "--hookd", str(program(folder, "exit 1")), kind=kind)
    judge_failure("PreToolUse", True, done)
    assert b"the file in its socket's place is not yours" in done.stdout
    assert daemon.calls == 0


def test_a_shim_without_what_it_reads_goes_by_its_fail_policy(sock: Path, folder: Path) -> None:
    alone = folder / "hookd-hook"
    alone.write_bytes(SHIM.read_bytes())
    alone.chmod(0o755)
    command = [alone, "--event", "PreToolUse", "--socket", sock, "--fail-closed"]
    command += ["--hookd", program(folder, "exit 0"), "--transport", transport("python3")]
    done = subprocess.run(command, input=b"{}", capture_output=True, check=False, timeout=60)
    judge_failure("PreToolUse", True, done)
    assert b"hookd install puts it back" in done.stdout


@pytest.mark.gate
def test_a_daemon_that_hangs_is_given_up_within_two_seconds_of_its_clock(
    sock: Path, folder: Path, kind: str
) -> None:
    """It connects, for the kernel does that, and says nothing; the deadline is far away."""
    with socket.socket(socket.AF_UNIX) as hung:
        hung.bind(str(sock))
        hung.listen(1)
        done = run(sock, "--fail-closed", payload=BIG, deadline=3600, kind=kind)
    judge_failure("PreToolUse", True, done)
    assert b"did not acknowledge" in done.stdout


def test_a_daemon_that_runs_on_a_busy_machine_is_waited_for_beyond_the_first_second(
    sock: Path, kind: str
) -> None:
    sock.with_suffix(".pid").write_text(f"{os.getpid()}\n")
    with Daemon(sock, answer=result({"ok": True}), late=1.3):
        done = run(sock, "--fail-closed", kind=kind)
    assert (json.loads(done.stdout), done.stderr) == ({"ok": True}, b"")


@pytest.mark.gate
@pytest.mark.parametrize("kind", KINDS)
def test_a_daemon_that_does_not_even_take_connections_is_given_up_too(
    sock: Path, kind: str
) -> None:
    with socket.socket(socket.AF_UNIX) as hung, contextlib.ExitStack() as waiting:
        hung.bind(str(sock))
        hung.listen(0)
        for _ in range(4):  # as many as the kernel keeps waiting, and more
            link = waiting.enter_context(socket.socket(socket.AF_UNIX))
            link.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                link.connect(str(sock))
        done = run(sock, "--fail-closed", kind=kind, deadline=3600)
    judge_failure("PreToolUse", True, done)


@pytest.mark.gate
def test_an_answer_of_two_megabytes_is_printed_whole(sock: Path, kind: str) -> None:
    """It took minutes while bash looked for its end from each of its places."""
    value = {"systemMessage": "x}" * 1_000_000}
    with Daemon(sock, answer=result(value)):
        done = run(sock, kind=kind)
    assert done.stdout == json.dumps(value).encode() + b"\n"


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_a_stopped_daemon_is_silence(sock: Path, folder: Path, closed: bool, kind: str) -> None:
    stop_marker.write(sock.with_suffix(".stopped"))
    hookd = program(folder, f"touch {folder}/started")
    more = ["--hookd", str(hookd)] + ["--fail-closed"] * closed
    with Daemon(sock) as daemon:
        done = run(sock, *more, payload=BIG, kind=kind)
    told = b"hookd: PreToolUse not judged: hookd is stopped, by hookd stop. Next: hookd start\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", told * closed)
    assert daemon.calls == 0
    assert not (folder / "started").exists()


HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("age", "told"),
    [
        (timedelta(minutes=58), None),
        (HOUR + timedelta(minutes=1), " for an hour"),
        (3 * HOUR + timedelta(minutes=1), " for 3 hours"),
        (400 * 24 * HOUR + timedelta(minutes=1), " for 400 days"),
        (-HOUR, ""),
        (None, ""),
    ],
    ids=str,
)
def test_a_stop_that_lasts_is_told_at_the_start_of_a_session(
    sock: Path, age: timedelta | None, told: str | None, kind: str
) -> None:
    at = f"{datetime.now(UTC) - age:%Y-%m-%dT%H:%M:%S.000Z}" if age is not None else "long ago"
    sock.with_suffix(".stopped").write_text(f"hookd-stopped\n{at}\n")
    assert run(sock, kind=kind).stdout == b"", "nothing but the start of a session tells it"
    done = run(sock, event="SessionStart", kind=kind)
    said = json.loads(done.stdout)["systemMessage"] if done.stdout else None
    way = "every call runs unchecked. To start it: hookd start"
    assert said == (None if told is None else f"hookd has been stopped{told}: {way}")
    assert (done.returncode, done.stderr) == (0, b"")


FALSE_STOPS: dict[str, Callable[[Path], object]] = {
    "a folder": Path.mkdir,
    "a folder with files": lambda place: (place / ".git").mkdir(parents=True),
    "an empty file": Path.touch,
    "another text": lambda place: place.write_text("hookd-stopped-not\n"),
    "the mark further down": lambda place: place.write_text("\nhookd-stopped\n"),
    "a pipe": os.mkfifo,
    "a dangling link": lambda place: place.symlink_to("/nowhere"),
    "a link to a marker": lambda place: (
        stop_marker.write(place.with_name("other")),
        place.symlink_to("other"),
    ),
}


@pytest.mark.parametrize("put", FALSE_STOPS.values(), ids=FALSE_STOPS.keys())
def test_only_a_marker_of_hookd_stop_stops_the_guards(
    sock: Path, put: Callable[[Path], object], kind: str
) -> None:
    place = sock.with_suffix(".stopped")
    put(place)
    with Daemon(sock, answer=result({"ok": True})):
        done = run(sock, kind=kind)
    assert done.stdout == b'{"ok": true}\n'
    ignored = f"hookd: {place} is ignored: hookd stop did not write it. Next: hookd start\n"
    assert done.stderr.decode() == ignored
    assert stop_marker.read(place) is None
    stop_marker.clear(place)
    assert not os.path.lexists(place)


def test_unknown_options_are_named_and_ignored(sock: Path, kind: str) -> None:
    with Daemon(sock, answer=result({"ok": True})):
        done = run(sock, "--colour", "blue", "--send", "a b", "--send", kind=kind)
    assert (done.returncode, done.stdout) == (0, b'{"ok": true}\n')
    lines = done.stderr.decode().splitlines()
    assert [line.split(" ignored")[0] for line in lines] == [
        "hookd: option --colour",
        "hookd: --send a b",
        "hookd: --send ",
    ]


def test_without_a_transport_one_is_found(sock: Path) -> None:
    with Daemon(sock, answer=result({"ok": True})):
        command = [SHIM, "--event", "Stop", "--socket", sock]
        done = subprocess.run(command, input=b"{}", capture_output=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == (b'{"ok": true}\n', b"")


@pytest.mark.parametrize("kind", KINDS)
def test_a_path_with_odd_characters(folder: Path, kind: str) -> None:
    sock = folder / "a,b: c!'\"\\" / "hookd.sock"
    sock.parent.mkdir()
    with Daemon(sock, answer=result({"ok": True})):
        done = run(sock, kind=kind)
    assert (done.stdout, done.stderr) == (b'{"ok": true}\n', b"")


BASH_4 = {
    "case change": r"\$\{\w+(,|\^)",
    "transformation": r"\$\{\w+@",
    "coproc": r"\bcoproc\b",
    "associative array": r"(declare|local|typeset)\s+-\w*[An]",
    "mapfile": r"\b(mapfile|readarray)\b",
    "&>>": r"&>>",
    "|&": r"\|&",
    "epoch": r"EPOCH|SRANDOM|BASHPID|BASH_ARGV0",
    "wait -n": r"\bwait\s+-n",
    "fraction of a second": r"read\s[^|;]*-t\s*[0-9]*\.",
    "test -v": r"\[\[? -v ",
    "named descriptor": r"\{\w+\}[<>]",
    "negative offset": r"\$\{\w+:[^}]*:\s*-",
    ";;& or ;&": r";;&|;&",
    "date by printf": r"printf[^\n]*%\(",
    "padded braces": r"\{0\d+\.\.",
    "globstar": r"globstar|lastpipe|inherit_errexit",
    "command without a fork": r"\$\{[ |]",
}


@pytest.mark.parametrize("pattern", BASH_4.values(), ids=BASH_4.keys())
def test_bash_3_2_can_read_it(pattern: str) -> None:
    """No bash 3.2 is here to try; what it is known to lack is looked for instead."""
    lines = SHIM.read_text().splitlines()
    code = [line for line in lines if not line.lstrip().startswith("#")]
    assert [line for line in code if re.search(pattern, line)] == []


def test_shellcheck_is_content() -> None:
    tool = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run([tool, SHIM], capture_output=True, check=False, text=True, timeout=60)
    assert done.stdout == ""


def test_the_shim_is_private_bash() -> None:
    assert SHIM.read_text().startswith("#!/bin/bash -p\n")
    assert SHIM.stat().st_mode & 0o111
