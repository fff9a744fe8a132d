"""The native shim: what it does alone, and how it hands the rest to bash."""

import contextlib
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hookd.events.protocol import EVENTS
from support.hook_shim import ACK, BIG, PATH, SHIM, Daemon, result
from support.native_shim import SOURCE, compiler, native
from support.status_line_shim import LINE, Peer, serving

OK = result({"ok": True})
QUIET: dict[str, Any] = {"input": b"{}", "capture_output": True, "timeout": 60}
SMALL = b'{"a": "\xc5\xbc\xff\x01"}\n'
FIRST_TOO_LARGE = 32_768

RECORDING = r"""#!/bin/bash -p
folder=${BASH_SOURCE[0]%/*}
{ for word in "$@"; do printf '%s\0' "$word"; done; } >"$folder/words"
ls /proc/self/fd | tr '\n' ' ' >"$folder/files"
grep SigIgn "/proc/$$/status" >"$folder/signals"
if [[ $2 == held ]]; then
  { cat; printf '\036'; } >&6
  cat <&7 >"$folder/kept"
else
  cat >"$folder/stdin"
fi
"""
"""A bash shim that writes down how it was started."""


@dataclass
class Scope:
    """A folder with the native shim alone, or with a bash shim that records."""

    folder: Path

    @property
    def sock(self) -> Path:
        return self.folder / "hookd.sock"

    def registers(self, *rows: str, event: str = "PreToolUse", closed: bool = False) -> None:
        scope = self.folder / "shims" / "user"
        scope.mkdir(parents=True, exist_ok=True)
        policy = "closed" if closed else "open"
        rows = (f"socket {self.sock}", f"events 20 {policy} {event}", *rows)
        (scope / "config").write_text("".join(f"{row}\n" for row in rows))
        (scope / event).symlink_to(native())

    def records(self) -> None:
        (self.folder / "shims" / "hookd-hook").write_text(RECORDING)
        (self.folder / "shims" / "hookd-cold").write_text("#\n")

    def runs(
        self, payload: bytes = SMALL, event: str = "PreToolUse", **more: Any
    ) -> subprocess.CompletedProcess[bytes]:
        options = {"capture_output": True, "timeout": 60, "env": {"PATH": PATH}} | more
        if "stdin" not in options:
            options["input"] = payload
        link = self.folder / "shims" / "user" / event
        return subprocess.run([link], check=False, **options)

    def told(self) -> tuple[str, str]:
        """Return the state and the reason with which bash was started."""
        words = (self.folder / "shims" / "words").read_bytes().decode().split("\0")
        resume, state, path, process, elapsed, reason, end = words[:7]
        link = self.folder / "shims" / "user" / "PreToolUse"
        assert (resume, path, end, words[7:]) == ("--resume", str(link), "--", [""])
        assert re.fullmatch(r"\d+-\d+", process)
        assert int(elapsed) in range(60)
        return state, reason

    def got(self, name: str) -> bytes:
        return (self.folder / "shims" / name).read_bytes()


@pytest.fixture
def scope() -> Iterator[Scope]:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hk") as name:
        yield Scope(Path(name))


# alone


@pytest.mark.parametrize("size", [0, 1, FIRST_TOO_LARGE - 1, FIRST_TOO_LARGE, 32_769, 3_000_000])
def test_the_warm_path_needs_no_other_program(scope: Scope, size: int) -> None:
    scope.registers("python /usr/bin/python3")
    with Daemon(scope.sock, answer=OK) as daemon:
        done = scope.runs(b"x" * size)
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"ok": true}\n', b"")
    assert daemon.payload == b"x" * size + b"\x1e"
    assert json.loads(daemon.header)["params"]["env"]["CWD"] == str(Path.cwd())


def test_the_status_line_needs_no_other_program(scope: Scope) -> None:
    scope.registers(event="hookd-statusline")
    with serving(Peer(scope.sock)) as peer:
        done = scope.runs(b"{}\n\n", "hookd-statusline")
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, f"{LINE}\n", b"")
    assert peer.payload == b"{}\x1e"


LEAPS = """#include <stdlib.h>
#include <time.h>
int leap(clockid_t clock, struct timespec *time);
int leap(clockid_t clock, struct timespec *time) {
    static long tenths;
    (void)clock;
    tenths += strtol(getenv("TENTHS"), NULL, 10);
    *time = (struct timespec){.tv_sec = tenths / 10, .tv_nsec = tenths % 10 * 100000000};
    return 0;
}
"""
"""A clock that is some tenths of a second later at each look, as for a process that has to wait."""


def test_the_status_line_waits_for_no_daemon_without_end(scope: Scope) -> None:
    scope.registers(event="hookd-statusline")
    clock, program = scope.folder / "leap.c", scope.folder / "leaping"
    clock.write_text(LEAPS)
    link = scope.folder / "shims" / "user" / "hookd-statusline"
    words = [*compiler(), "-Dclock_gettime=leap", "-o", program, SOURCE, clock]
    subprocess.run(words, check=True, timeout=120)
    link.unlink()
    link.symlink_to(program)
    for tenths in range(2, 8):
        with serving(Peer(scope.sock, ack=b"", answer=b"", hangs=True)):
            done = scope.runs(b"{}", link.name, timeout=20, env={"TENTHS": str(tenths)})
        assert "hookd does not answer" in done.stdout.decode()
        scope.sock.unlink(missing_ok=True)


def test_its_memory_does_not_depend_on_the_payload(scope: Scope) -> None:
    scope.registers(event="Stop")
    with Daemon(scope.sock) as daemon, tempfile.TemporaryFile() as payload:
        payload.write(b"x" * (16 << 20))
        payload.seek(0)
        link = scope.folder / "shims" / "user" / "Stop"
        process = subprocess.Popen([link], stdin=payload, env={"PATH": PATH})
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
    assert (status, len(daemon.payload)) == (0, (16 << 20) + 1)
    if "-fsanitize" not in os.environ.get("CFLAGS", ""):
        unit = 1 if sys.platform == "darwin" else 1024
        # What the process had been before it was the shim counts, too.
        ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert used.ru_maxrss <= max(ours, (4 << 20) // unit)


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_standard_stream_that_is_closed_does_no_harm(scope: Scope, closed: int) -> None:
    scope.registers(event="Stop")
    with Daemon(scope.sock, answer=OK) as daemon:
        link = scope.folder / "shims" / "user" / "Stop"
        words = ["/bin/sh", "-c", f'exec "$0" {closed}{"<" if closed == 0 else ">"}&-', link]
        done = subprocess.run(words, input=SMALL, capture_output=True, timeout=60, check=False)
    assert daemon.payload == (b"" if closed == 0 else SMALL) + b"\x1e"
    assert (done.returncode, done.stdout) == (0, b"" if closed == 1 else b'{"ok": true}\n')


def test_a_client_that_reads_no_answer_does_no_harm(scope: Scope) -> None:
    scope.registers(event="Stop")
    reader, writer = os.pipe()
    os.close(reader)
    with Daemon(scope.sock, answer=OK):
        done = scope.runs(event="Stop", capture_output=False, stdout=writer)
    os.close(writer)
    assert done.returncode == 0


def test_stdin_that_is_slow_and_does_not_block_is_read_to_its_end(scope: Scope) -> None:
    scope.registers(event="Stop")
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with Daemon(scope.sock, answer=OK) as daemon:
        link = scope.folder / "shims" / "user" / "Stop"
        with subprocess.Popen([link], stdin=reader, stdout=subprocess.PIPE) as process:
            os.close(reader)
            for part in range(5):
                os.write(writer, b"%d" % part * 10_000)
                process.send_signal(signal.SIGSTOP)
                process.send_signal(signal.SIGCONT)
            os.close(writer)
            assert process.communicate(timeout=60)[0] == b'{"ok": true}\n'
    assert daemon.payload == b"".join(b"%d" % part * 10_000 for part in range(5)) + b"\x1e"


REFUSED = {True: b"is set to fail closed", False: b"it passes unchecked"}


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest", "UserPromptSubmit", "Stop"])
def test_without_a_bash_shim_it_applies_the_fail_policy(
    scope: Scope, event: str, closed: bool
) -> None:
    """Its answer is that of the bash shim, with another reason."""
    scope.registers(event=event, closed=closed)
    done = scope.runs(BIG, event)
    why = b"the bash shim cannot be started; hookd install puts it back"
    refuses = closed and event != "Stop"
    assert (done.returncode, bool(done.stdout)) == (0, refuses)
    assert done.stderr.startswith(f"hookd: {event} not judged: ".encode() + why)
    assert (done.stdout if refuses else done.stderr).count(REFUSED[refuses]) == 1
    if refuses:
        words = [SHIM, "--event", event, "--fail-closed", "--socket", scope.sock]
        bash = subprocess.run(words, input=b"", capture_output=True, timeout=60, check=True)
        reason = b"no daemon is running, and there is no hookd to start"
        assert done.stdout == bash.stdout.replace(reason, why)


@pytest.mark.parametrize(("event", "code"), [("PreToolUse", 0), ("Stop", 1), ("Other", 1)])
def test_without_a_bash_shim_or_a_configuration_it_asks_or_fails(
    scope: Scope, event: str, code: int
) -> None:
    scope.registers(event=event)
    (scope.folder / "shims" / "user" / "config").unlink()
    done = scope.runs(event=event)
    assert (done.returncode, b'"ask"' in done.stdout) == (code, event == "PreToolUse")


# handed to bash


def hands_over(
    scope: Scope, state: str, reason: str, payload: bytes, daemon: Daemon | None
) -> None:
    """Check how bash is started, and that it has the payload from its beginning."""
    scope.records()
    with daemon or contextlib.nullcontext():
        done = scope.runs(payload)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert scope.told() == (state, reason)
    if state == "held":
        header, _, rest = scope.got("kept").partition(b"\n")
        assert json.loads(header)["method"] == "hooks.dispatch"
        assert rest.rstrip(b"\x1e") == payload
        assert rest.endswith(b"\x1e")
    elif state != "spent":
        assert scope.got("stdin") == payload
    assert scope.got("files").split() == [b"0", b"1", b"2", b"3", *[b"6", b"7"] * (state == "held")]
    assert int(scope.got("signals").split()[1], 16) & 1 << (signal.SIGPIPE - 1) == 0


ERROR = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}\n'
UNREADABLE = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"data":{"code":"UNREADABLE"}}}\n'
NO_ACK = "the daemon did not acknowledge the call"
NO_ANSWER = "the daemon gave no answer"
OTHER = "the daemon answered with something else than an acknowledgement"
FAILURES: dict[str, tuple[dict[str, Any], str, str]] = {
    "hung up": ({"hang_up_first": True}, "again", ""),
    "a part of it": ({"ack": ACK[:-9], "answer": b""}, "failed", OTHER),
    "another acknowledgement": ({"ack": b'{"jsonrpc":"2.0"}\n'}, "failed", OTHER),
    "no answer": ({"answer": b""}, "again", ""),
    "an error": ({"answer": ERROR}, "failed", "the daemon answered with an error"),
    "unreadable": ({"answer": UNREADABLE}, "failed", "its payload cannot be read as JSON"),
    "two lines": ({"answer": OK + OK}, "failed", "the daemon answered with an error"),
    "cut off": ({"answer": OK[:-1]}, "again", ""),
}


@pytest.mark.parametrize("payload", [SMALL, b"x" * 300_000], ids=["small", "large"])
@pytest.mark.parametrize("judged", [True, False], ids=["judged", "not judged"])
@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES.keys())
def test_what_is_no_answer_goes_to_bash_with_its_reason_and_the_payload(
    scope: Scope, failure: tuple[dict[str, Any], str, str], judged: bool, payload: bytes
) -> None:
    peer, state, reason = failure
    number = os.getpid()
    scope.sock.with_suffix(".pid").write_text(f"{number}\n")
    scope.registers("python /usr/bin/python3" if judged else "no-verdict open")
    if len(payload) > FIRST_TOO_LARGE:
        reason = reason or (NO_ANSWER if "answer" in peer else NO_ACK)
        state = "held" if judged else "spent"
    elif state == "again":
        reason = str(number)
    hands_over(scope, state, reason, payload, Daemon(scope.sock, **peer))


def nothing(_: Scope) -> None:
    pass


def dead_number(scope: Scope) -> None:
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    scope.sock.with_suffix(".pid").write_text(f"{gone.pid}\n")


STARTS = {
    "stopped": lambda scope: scope.sock.with_suffix(".stopped").touch(),
    "a daemon that is dead": dead_number,
    "a name that is no variable's": lambda scope: scope.registers("send a b", event="Stop"),
    "a variable of bash": lambda scope: scope.registers("send PPID", event="Stop"),
}


@pytest.mark.parametrize("put", STARTS.values(), ids=STARTS.keys())
def test_what_only_bash_can_do_starts_there(scope: Scope, put: Any) -> None:
    scope.registers()
    put(scope)
    rows = (scope.folder / "shims" / "user" / "config").read_text().replace("Stop", "PreToolUse")
    (scope.folder / "shims" / "user" / "config").write_text(rows)
    with Daemon(scope.sock, answer=OK) as daemon:
        hands_over(scope, "start", "", SMALL, None)
    assert daemon.calls == 0


def test_without_a_socket_bash_starts_with_an_untouched_stdin(scope: Scope) -> None:
    scope.registers()
    hands_over(scope, "start", "", BIG, None)


def test_where_no_process_listens_bash_may_ask_again(scope: Scope) -> None:
    scope.registers()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(scope.sock))
    hands_over(scope, "again", "", SMALL, None)


def test_a_daemon_that_hangs_is_given_up_with_the_whole_payload(scope: Scope) -> None:
    scope.registers("python /usr/bin/python3")
    with socket.socket(socket.AF_UNIX) as hung:
        hung.bind(str(scope.sock))
        hung.listen(1)
        hands_over(scope, "held", NO_ACK, BIG, None)


STOPPED = """
import os, signal, socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1] + ".new")
s.listen()
os.rename(sys.argv[1] + ".new", sys.argv[1])  # a path that is seen can be connected to
signal.alarm(60)
link, _ = s.accept()
link.recv(65536)
link.sendall(sys.argv[2].encode())
os.kill(os.getpid(), signal.SIGSTOP)
"""


@pytest.mark.parametrize("ack", [ACK, b""], ids=["after its acknowledgement", "before it"])
def test_a_daemon_that_a_signal_has_stopped_is_not_waited_for(scope: Scope, ack: bytes) -> None:
    """The deadline is twenty seconds; a daemon that runs would be waited for."""
    scope.registers()
    scope.records()
    words = [sys.executable, "-c", STOPPED, scope.sock, ack.decode()]
    with subprocess.Popen(words) as daemon:
        scope.sock.with_suffix(".pid").write_text(f"{daemon.pid}\n")
        while not scope.sock.exists():
            os.sched_yield()
        scope.runs()
        daemon.kill()
    assert scope.told() == ("failed", NO_ANSWER if ack else NO_ACK)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_another_user_s_process_at_the_socket_is_not_believed(scope: Scope) -> None:
    scope.registers()
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(scope.sock))
        if not (child := os.fork()):
            os.setuid(65_534)
            other.listen()  # the credentials are those of who calls this
            signal.pause()
        try:
            while not listening(scope.sock):
                os.sched_yield()
            hands_over(scope, "failed", "the process at its socket is not yours", SMALL, None)
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def listening(place: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as link:
        return link.connect_ex(str(place)) == 0


def test_a_file_of_the_working_folder_is_not_taken_for_the_bash_shim(scope: Scope) -> None:
    scope.registers()
    scope.records()
    folder = scope.folder / "shims" / "user"
    # An empty PATH is the working folder.
    done = subprocess.run(["PreToolUse"], cwd=folder, env={"PATH": ""}, check=False, **QUIET)
    assert b'"ask"' in done.stdout
    assert not (scope.folder / "shims" / "words").exists()


@pytest.mark.parametrize("event", ["PreToolUse", "Stop"])
def test_every_deadline_and_policy_of_the_configuration_is_sent(scope: Scope, event: str) -> None:
    assert event in EVENTS
    scope.registers(f"events 7 closed {event}", event=event)
    with Daemon(scope.sock) as daemon:
        scope.runs(event=event)
    params = json.loads(daemon.header)["params"]
    assert (params["deadline"], params["closed"], params["event"]) == (7, True, event)
