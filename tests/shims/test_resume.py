"""What the native shim hands on: the bash shim continues its call, by the state that it names."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hookd.core.model.shim_config import ShimConfig, event_rules, render
from hookd.events.protocol import EVENTS
from hookd.system import stop_marker
from support.hook_shim import BIG, PATH, SHIM, Daemon, result
from support.programs import PYTHON

OK = result({"ok": True})
SMALL = b'{"hook_event_name": "PreToolUse"}'
UNREADABLE = "its payload cannot be read as JSON"
JUDGE = """#!{python}
import os, sys
sent = b""
growing = "--growing" in sys.argv
while b"\\x1e" not in sent:
    chunk = os.read(0, 65536)
    if not chunk and not growing:
        break
    sent += chunk
with open("{folder}/judged", "wb") as file:
    file.write(sent)
print('{{"jsonrpc":"2.0","id":1,"result":{{"judged":true}}}}')
"""
"""A stand-in for hookd's interpreter: keeps what it was to judge, and answers."""


@dataclass
class Handed:
    """A scope of which the native shim was started, and what it hands on."""

    folder: Path
    name: str = "PreToolUse"

    def __post_init__(self) -> None:
        self.sock = self.folder / "hookd.sock"
        self.scope = self.folder / "shims" / "user"
        self.scope.mkdir(parents=True)

    def configure(self, closed: tuple[str, ...] = (), **more: Any) -> None:
        known: dict[str, Any] = {"socket": str(self.sock), "transports": (f"python3:{PYTHON}",)}
        rules = event_rules(EVENTS, closed)
        (self.scope / "config").write_text(render(ShimConfig(**known | more, events=rules)))

    def judge(self) -> str:
        """Return the path of an interpreter that judges."""
        return self.program("python", JUDGE.format(python=sys.executable, folder=self.folder))

    def program(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def resumed(
        self,
        state: str,
        reason: str = "",
        *,
        elapsed: int = 0,
        payload: bytes = SMALL,
        held: bytes | None = None,
        words: tuple[str, ...] = (),
    ) -> subprocess.CompletedProcess[bytes]:
        """Continue a call; `held` is what descriptors 6 and 7 have."""
        command = ["/bin/bash", "-p", str(SHIM), "--resume", state, f"{self.scope}/{self.name}"]
        command += ["17-4", str(elapsed), reason, "--", *words]
        kept = held if held is not None else b""
        with tempfile.NamedTemporaryFile(dir=self.folder) as file:
            file.write(kept)
            file.flush()
            writer = os.open(file.name, os.O_WRONLY | os.O_APPEND)
            reader = os.open(file.name, os.O_RDONLY)
            return _run(command, payload, {6: writer, 7: reader} if held is not None else {})


def _run(
    command: list[str], payload: bytes, numbers: dict[int, int]
) -> subprocess.CompletedProcess[bytes]:
    # By a shell: it puts the descriptors where the native shim has them.
    moves = " ".join(f"{number}>&{own}" for number, own in numbers.items())
    return subprocess.run(
        ["/bin/bash", "-c", f'exec "$@" {moves}', "shim", *command],
        input=payload,
        env={"PATH": PATH},
        pass_fds=tuple(numbers.values()),
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def handed() -> Iterator[Handed]:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hk") as folder:
        yield Handed(Path(folder))


def served(folder: Path, hookd: str) -> str:
    """Return a hookd that makes a socket whose stand-in is this test's own."""
    return f"#!/bin/sh\nmv {folder}/other.sock {folder}/hookd.sock\necho x >>{hookd}\n"


@pytest.mark.parametrize("payload", [SMALL, BIG], ids=["small", "large"])
def test_a_call_that_was_not_begun_is_judged_as_if_bash_had_been_started(
    handed: Handed, payload: bytes
) -> None:
    handed.configure()
    with Daemon(handed.sock, answer=OK) as daemon:
        done = handed.resumed("start", payload=payload)
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"ok": true}\n', b"")
    assert daemon.payload == payload + b"\x1e"
    params = json.loads(daemon.header)["params"]
    assert params["event"] == "PreToolUse"
    sender = {"registration": f"{handed.scope}/PreToolUse ", "process": "17-4"}
    assert params["sender"] == sender


def test_a_call_that_was_not_begun_has_its_options(handed: Handed) -> None:
    words = ("--event", "Stop", "--socket", str(handed.sock), "--transport", f"python3:{PYTHON}")
    handed.name = "hookd-hook.native"
    with Daemon(handed.sock, answer=OK) as daemon:
        done = handed.resumed("start", words=words)
    assert (done.stdout, done.stderr) == (b'{"ok": true}\n', b"")
    params = json.loads(daemon.header)["params"]
    assert params["event"] == "Stop"
    sent = f"{handed.scope}/hookd-hook.native {' '.join(words)}"
    assert params["sender"]["registration"] == sent


def test_a_call_that_was_not_begun_while_hookd_is_stopped_passes(handed: Handed) -> None:
    handed.configure(closed=("PreToolUse",))
    stop_marker.write(handed.sock.with_suffix(".stopped"))
    done = handed.resumed("start")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"hookd is stopped" in done.stderr


def test_without_a_configuration_a_call_is_asked_about(handed: Handed) -> None:
    done = handed.resumed("start")
    assert b'"permissionDecision":"ask"' in done.stdout
    assert f"{handed.scope}/config is not there".encode() in done.stdout


@pytest.mark.parametrize("payload", [SMALL, BIG], ids=["small", "large"])
def test_a_lost_call_starts_a_daemon_and_asks_it_as_the_same_delivery(
    handed: Handed, payload: bytes
) -> None:
    starts = handed.folder / "starts"
    handed.configure(hookd=handed.program("hookd", served(handed.folder, str(starts))))
    handed.sock.with_suffix(".pid").write_text(f"{os.getpid()}\n")
    with Daemon(handed.folder / "other.sock", answer=OK) as daemon:
        done = handed.resumed("again", payload=payload)
    assert (done.stdout, done.stderr) == (b'{"ok": true}\n', b"")
    assert (daemon.calls, daemon.payload) == (1, payload + b"\x1e")
    assert json.loads(daemon.header)["params"]["sender"]["process"] == "17-4"
    assert starts.read_text() == "x\n"


def test_a_daemon_that_is_not_the_lost_one_is_asked_and_none_is_started(handed: Handed) -> None:
    handed.configure(hookd=handed.program("hookd", f"#!/bin/sh\ntouch {handed.folder}/started\n"))
    handed.sock.with_suffix(".pid").write_text(f"{os.getpid()}\n")
    with Daemon(handed.sock, answer=OK):
        done = handed.resumed("again", "17")
    assert (done.stdout, done.stderr) == (b'{"ok": true}\n', b"")
    assert not (handed.folder / "started").exists()


def test_a_lost_call_at_the_end_of_a_session_starts_nothing(handed: Handed) -> None:
    handed.configure(hookd=handed.program("hookd", f"#!/bin/sh\ntouch {handed.folder}/started\n"))
    handed.name = "SessionEnd"
    done = handed.resumed("again")
    assert done.stderr.startswith(b"hookd: SessionEnd not judged: no daemon is running; it passes")
    assert not (handed.folder / "started").exists()


WHY = "the daemon gave no answer"


@pytest.mark.parametrize("payload", [SMALL, BIG], ids=["small", "large"])
def test_a_call_without_a_verdict_is_judged_from_stdin(handed: Handed, payload: bytes) -> None:
    handed.configure(python=handed.judge())
    with Daemon(handed.sock, answer=OK) as daemon:
        done = handed.resumed("failed", WHY, payload=payload)
    assert (done.returncode, done.stdout) == (0, b'{"judged":true}\n')
    told = f"hookd: PreToolUse judged without the daemon: {WHY}\n"
    assert done.stderr.decode() == told
    line, _, rest = (handed.folder / "judged").read_bytes().partition(b"\n")
    assert json.loads(line)["params"]["sender"]["process"] == "17-4"
    assert rest == payload + b"\x1e"
    assert daemon.calls == 0


@pytest.mark.parametrize("ended", [True, False], ids=["read to its end", "not read to its end"])
def test_a_call_whose_payload_is_held_is_judged_from_there(handed: Handed, ended: bool) -> None:
    handed.configure(python=handed.judge())
    begun = b'{"header":1}\n' + b"x" * 90_000
    done = handed.resumed(
        "held",
        WHY,
        payload=b"" if ended else BIG,
        held=begun + b"\x1e" * ended,
    )
    assert done.stdout == b'{"judged":true}\n', done.stderr
    sent = (handed.folder / "judged").read_bytes()
    assert sent.partition(b"\x1e")[0] == begun + (b"" if ended else BIG)


@pytest.mark.parametrize(
    ("state", "reason", "told"),
    [
        ("spent", WHY, f"{WHY}; what was sent to the daemon could not be kept"),
        ("failed", UNREADABLE, UNREADABLE),
    ],
)
def test_what_cannot_be_judged_any_more_goes_by_the_fail_policy(
    handed: Handed, state: str, reason: str, told: str
) -> None:
    handed.configure(python=handed.judge(), closed=("PreToolUse",))
    done = handed.resumed(state, reason, payload=BIG)
    denied = json.loads(done.stdout)["hookSpecificOutput"]
    assert denied["permissionDecision"] == "deny"
    assert f"({told})" in denied["permissionDecisionReason"]
    assert not (handed.folder / "judged").exists()
    noted = handed.sock.with_suffix(".unjudged").read_text()
    assert noted.endswith(f"\tPreToolUse\t{told}\n")


def test_the_time_that_was_spent_counts_for_the_deadline(handed: Handed) -> None:
    handed.configure(python=handed.judge())
    done = handed.resumed("failed", WHY, elapsed=3600)
    assert b"there was no time to judge it without the daemon" in done.stderr
    assert not (handed.folder / "judged").exists()
