"""Live: where no daemon answers, the guards judge in a process of their own, or the fail policy."""

import fcntl
import json
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from socket import AF_UNIX, socket
from subprocess import Popen
from typing import Any

import pytest

from hookd.core.model.shim_paths import ALONE
from hookd.rpc import jsonrpc
from hookd.rpc.server import ACCEPTED
from hookd.system import stop_marker
from hookd.system.slots import names
from support.bad_payloads import of
from support.home import Home, serving
from support.payloads import verdict
from support.registered_shims import DENIED, SAFE, Scope

pytestmark = pytest.mark.gate

TRUE = shutil.which("true") or "/bin/true"
NOWHERE = "/nonexistent/hookd"
BY = b"hookd: PreToolUse judged without the daemon: "


@contextmanager
def asked(home: Home) -> Iterator[Callable[[], AbstractContextManager[socket]]]:
    """Listen in a daemon's place; what is yielded returns a connection once it has said all."""
    with socket(AF_UNIX) as listener:
        listener.bind(str(home.socket))
        listener.listen()

        @contextmanager
        def hear() -> Iterator[socket]:
            link, _ = listener.accept()
            with link:
                while b"\x1e" not in link.recv(65_536):
                    pass
                yield link

        yield hear


def denied(done: Any) -> bool:
    return verdict(json.loads(done.stdout or "null"))[0] == "deny"


def test_without_a_daemon_that_could_start_the_guards_judge_and_are_recorded(home: Home) -> None:
    scope = Scope(home, program=NOWHERE)
    elsewhere = home.path / "elsewhere" / "hookd"
    elsewhere.mkdir(parents=True)
    (elsewhere / "settings.json").write_text('{"policies":{"disabled":["destructive-guard"]}}')
    led = {"XDG_CONFIG_HOME": str(elsewhere.parent), "HOOKD_HOME": str(elsewhere)}
    first = scope.runs(of(tool_input=DENIED), **led)
    assert denied(first), "the session's variables lead to no other settings"
    assert first.stderr == BY + b"no daemon is running, and there is no hookd to start\n"
    second = scope.runs(of(tool_input=SAFE))
    assert (second.stdout, second.stderr) == (b"", first.stderr)
    left = home.socket.with_suffix(".unjudged").read_text().splitlines()
    assert [line.rpartition(": ")[2] for line in left] == [
        "denied by destructive-guard",
        "passed",
    ]
    other = scope.runs({"hook_event_name": "UserPromptSubmit"}, "UserPromptSubmit")
    assert b"UserPromptSubmit not judged" in other.stderr, "on which no guard acts"


def test_on_a_daemon_that_was_stopped_by_a_signal_every_call_is_judged_or_says_why(
    home: Home,
) -> None:
    # Time enough for all, however busy the machine is. Failing closed denies only what is denied.
    scope = Scope(home, closed=True, deadline=50)
    large = DENIED | {"description": "x" * 200_000}
    with serving(home) as process:
        process.send_signal(signal.SIGSTOP)
        try:
            inputs = [DENIED, SAFE, large, SAFE | {"timeout": 1}, DENIED, SAFE]
            hooks = [scope.starts(of(tool_input=one)) for one in inputs]
            ended = [
                (*hook.communicate(timeout=60), one)
                for hook, one in zip(hooks, inputs, strict=True)
            ]
        finally:
            process.send_signal(signal.SIGCONT)
    for out, err, given in ended:
        assert err == BY + b"the daemon did not acknowledge the call\n"
        assert (b'"deny"' in out) == (given["command"] == DENIED["command"])
    assert list(home.socket.parent.glob("*.payload")) == []


def test_a_shim_that_is_killed_leaves_nothing_of_a_payload_behind(home: Home) -> None:
    scope = Scope(home)
    alone = scope.folder.parent / ALONE
    text = alone.read_text()
    assert text.count('rm -f "$file"') == 1
    alone.write_text(text.replace('rm -f "$file"', "kill -9 $$"))
    home.socket.parent.mkdir(parents=True)
    with asked(home):
        done = scope.runs(of(tool_input=DENIED | {"description": "x" * 50_000}))
    assert done.returncode == -signal.SIGKILL
    (left,) = home.socket.parent.glob("*.payload")
    assert left.read_bytes() == b""
    home.serves()
    assert not left.exists(), "the daemon removes it"


def test_a_daemon_that_is_stopped_between_acknowledgement_and_answer_is_not_waited_for(
    home: Home,
) -> None:
    scope = Scope(home)
    home.socket.parent.mkdir(parents=True)
    with Popen(["sleep", "600"]) as stopped, asked(home) as hear:
        stopped.send_signal(signal.SIGSTOP)
        home.socket.with_suffix(".pid").write_text(f"{stopped.pid}\n")
        hook = scope.starts(of(tool_input=DENIED))
        with hear() as link:
            link.sendall(ACCEPTED)
            out, err = hook.communicate(timeout=60)
        stopped.kill()
    assert b'"deny"' in out
    assert err == BY + b"the daemon gave no answer\n"


def test_whom_no_turn_comes_in_time_the_fail_policy_decides_and_says_why(home: Home) -> None:
    home.socket.parent.mkdir(parents=True)
    scope = Scope(home, program=NOWHERE, deadline=1)
    with ExitStack() as stack:
        for path in map(Path, names(str(home.socket))):
            fcntl.flock(stack.enter_context(path.open("w")), fcntl.LOCK_EX)
        done = scope.runs(of(tool_input=DENIED))
    assert done.stdout == b""
    assert b"not judged: no daemon is running" in done.stderr
    reasons = (
        b"no turn to judge it without the daemon came in time",
        b"there was no time to judge",
    )
    assert any(reason in done.stderr for reason in reasons)  # the second on a busy machine
    assert done.stderr.endswith(b"; it passes unchecked\n")


@pytest.mark.parametrize(
    ("no_verdict", "closed", "said"),
    [("open", False, b""), ("closed", True, b"is set to fail closed")],
)
def test_the_registered_choice_holds(
    home: Home, no_verdict: str, closed: bool, said: bytes
) -> None:
    scope = Scope(home, no_verdict, closed, program=NOWHERE)
    done = scope.runs(of(tool_input=SAFE))
    assert said in done.stdout
    assert bool(said) == bool(done.stdout)
    assert BY not in done.stderr


def test_what_nothing_can_judge_is_denied_where_it_fails_closed(home: Home) -> None:
    scope = Scope(home, closed=True, program=NOWHERE)
    done = scope.runs(b"rm -rf ~")
    assert denied(done)
    assert b"it cannot be judged without the daemon" in done.stdout


def test_a_judge_that_prints_nothing_has_not_judged(home: Home) -> None:
    done = Scope(home, closed=True, program=NOWHERE, python=TRUE).runs(of(tool_input=SAFE))
    assert denied(done)
    assert b"it was not judged without the daemon either" in done.stdout
    assert BY not in done.stderr


def test_after_a_stop_nothing_is_judged(home: Home) -> None:
    stop_marker.write(home.stopped)
    done = Scope(home).runs(of(tool_input=DENIED))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_daemon_that_answers_with_an_error_of_its_own_is_done_without(home: Home) -> None:
    scope = Scope(home)
    home.socket.parent.mkdir(parents=True)
    with asked(home) as hear:
        hook = scope.starts(of(tool_input=DENIED))
        with hear() as link:
            link.sendall(ACCEPTED + jsonrpc.error(1, RuntimeError()) + b"\n")
        out, err = hook.communicate(timeout=60)
    assert b'"deny"' in out
    assert err == BY + b"the daemon answered with an error\n"
