"""`hookd run`: real processes, real signals, a real terminal; at the socket a small real server."""

import fcntl
import os
import pty
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from hookd.cli.lifecycle.restart_policy import RESTART_PROMPT
from hookd.system import stop_marker
from support.home import HOOKD, Home, until
from support.scripted_daemon import Peer, at

pytestmark = pytest.mark.gate

CLIENT = """#!/bin/bash
# Each life does what LIFE_1, LIFE_2, ... say, after it has told with what it was started.
lives=("$HOME"/lives/*)
number=$((${#lives[@]} + 1))
printf '%s\\0' "$HOOKD_RUN" "$@" > "$HOME/told"
mv "$HOME/told" "$HOME/lives/$number"
exec 3<> "$HOME/hold"
code="LIFE_$number"
eval "${!code}"
"""
HOLD = "read -r _ <&3"  # until the test writes a line, or a signal ends it

HURRIED = """
import hookd.cli, hookd.cli.lifecycle.run, hookd.cli.lifecycle.restart_policy
hookd.cli.lifecycle.run.GRACE = {grace}
hookd.cli.lifecycle.restart_policy.RESTART_DELAYS_S = {pauses}
hookd.cli.main(prog_name="hookd")
"""


@dataclass
class Scene:
    """A home in which the client is a script of the test's own."""

    home: Home
    peer: Peer
    lives: dict[str, str] = field(default_factory=dict)
    running: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def client(self) -> str:
        return str(self.home.path / "claude")

    def life(self, number: int) -> list[str]:
        """Return what a life of the client was started with, once it is there."""
        file = self.home.path / "lives" / str(number)
        until(file.exists)
        return file.read_text().split("\0")[1:-1]

    def run_of(self, number: int) -> str:
        """Return the HOOKD_RUN of a life that has begun."""
        return (self.home.path / "lives" / str(number)).read_text().split("\0")[0]

    @property
    def count(self) -> int:
        return len(list((self.home.path / "lives").iterdir()))

    def goes(self, *lives: str, **env: str) -> None:
        """Say what the client does in each of its lives."""
        self.lives = {f"LIFE_{at}": code for at, code in enumerate(lives, 1)} | env

    def run(
        self, *arguments: str, before: tuple[str, ...] = (), hurry: dict[str, Any] | None = None
    ) -> subprocess.Popen[str]:
        """Start `hookd run` with the client; `hurry` are other numbers than those of the house."""
        command = [str(HOOKD)]
        if hurry is not None:
            code = HURRIED.format(**{"grace": 10, "pauses": (0,) * 5} | hurry)
            command = [sys.executable, "-c", code]
        one = subprocess.Popen(
            [*command, "run", *before, "--", self.client, *arguments],
            env=self.home.env | self.lives,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.running.append(one)
        return one

    def ends(self, one: subprocess.Popen[str]) -> tuple[int, list[str]]:
        """Wait for its end; return the exit code and the lines on stderr."""
        out, err = one.communicate(timeout=60)
        assert out == ""
        return one.returncode, err.splitlines()

    def asks(self, prompt: str = "Go on.", reason: str = "the window is full") -> None:
        """Ask for a restart as the daemon does, once the run is attached."""
        until(lambda: self.peer.asked)
        run = self.peer.asked[-1]["params"]["runId"]
        self.peer.tell("run.restart", runId=run, prompt=prompt, reason=reason)

    def release(self) -> None:
        """Let the client that waits continue."""
        with (self.home.path / "hold").open("w") as hold:
            hold.write("\n")


@contextmanager
def scene_in(home: Home, peer: Any) -> Iterator[Scene]:
    (home.path / "lives").mkdir()
    os.mkfifo(home.path / "hold")
    client = home.path / "claude"
    client.write_text(CLIENT.replace("lives=(", "shopt -s nullglob\nlives=("))
    client.chmod(0o755)
    scene = Scene(home, peer)
    try:
        yield scene
    finally:
        for one in scene.running:
            with suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
            one.communicate()


@pytest.fixture
def scene(home: Home) -> Iterator[Scene]:
    """A scene with a process at the daemon's socket."""
    with at(home.socket) as peer, scene_in(home, peer) as scene:
        yield scene
    home.socket.unlink()


@pytest.fixture
def alone(home: Home) -> Iterator[Scene]:
    """A scene without a daemon."""
    with scene_in(home, None) as scene:
        yield scene


def test_the_client_runs_with_its_arguments_and_its_run(scene: Scene) -> None:
    scene.goes(HOLD)
    one = scene.run("--model", "opus", "a b", "--", "-h")
    until(lambda: scene.peer.asked)
    scene.release()
    assert scene.ends(one) == (0, [])
    assert scene.life(1) == ["--model", "opus", "a b", "--", "-h"]
    (asked,) = scene.peer.asked
    assert asked["method"] == "run.attach"
    run = scene.run_of(1)
    assert asked["params"]["runId"] == run == str(uuid.UUID(run))
    assert asked["params"]["env"]["HOOKD_RUN"] == run


def test_the_client_has_the_environment_as_it_is(scene: Scene) -> None:
    scene.goes('env -0 > "$HOME/env"', SECRET="a b\n'c", HOOKD_RUN="an outer run")
    assert scene.ends(scene.run()) == (0, [])
    given = dict(
        one.split("=", 1) for one in (scene.home.path / "env").read_text().split("\0")[:-1]
    )
    own = {"HOOKD_RUN": scene.run_of(1)}
    assert given.items() >= (scene.home.env | scene.lives | own).items()
    assert own["HOOKD_RUN"] != "an outer run"


@pytest.mark.parametrize(("life", "code"), [("exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137)])
def test_it_ends_as_a_first_client_ends(scene: Scene, life: str, code: int) -> None:
    scene.goes(life)
    said = ["hookd: the client failed as soon as it was started; it is not restarted."]
    assert scene.ends(scene.run()) == (code, said if code else [])
    assert scene.count == 1


def test_a_restart_that_is_asked_for_begins_a_new_conversation(scene: Scene) -> None:
    scene.goes(HOLD, "exit 0")
    one = scene.run("--resume", "8f2c", "--model", "opus", before=("--prompt", "Begin."))
    assert scene.life(1) == ["--resume", "8f2c", "--model", "opus", "--", "Begin."]
    scene.asks("Go on.\nNow.", "full\x1b[2J")
    assert scene.ends(one) == (0, ["hookd: the client restarts: full\\x1b[2J"])
    assert scene.life(2) == ["--model", "opus", "--", "Go on.\nNow."]


def test_requests_while_one_is_under_way_are_one(scene: Scene) -> None:
    scene.goes(f"trap 'touch $HOME/termed' TERM; touch $HOME/ready; {HOLD}", HOLD)
    one = scene.run()
    until((scene.home.path / "ready").exists)
    scene.asks("First.")
    until((scene.home.path / "termed").exists)
    scene.asks("Second.")
    scene.asks("Third.")
    scene.peer.drop()
    until(lambda: len(scene.peer.asked) == 2)  # all earlier messages have arrived
    scene.release()
    assert scene.life(2) == ["First."]
    scene.release()
    assert scene.ends(one) == (0, ["hookd: the client restarts: the window is full"])


def test_a_request_that_is_not_for_this_run_is_nothing(scene: Scene) -> None:
    scene.goes(HOLD)
    one = scene.run()
    until(lambda: scene.peer.asked)
    scene.peer.tell("run.restart", runId="another", prompt="x", reason="y")
    scene.peer.tell("fleet.changed", agents=[])
    scene.release()
    assert scene.ends(one) == (0, [])


def test_a_client_that_does_not_end_when_it_should_is_killed(scene: Scene) -> None:
    scene.goes(f"trap '' TERM; touch $HOME/deaf; while :; do {HOLD}; done", "exit 0")
    one = scene.run(hurry={"grace": 0.2})
    until((scene.home.path / "deaf").exists)
    scene.asks()
    assert scene.ends(one)[0] == 0
    assert scene.count == 2


def test_crashes_are_answered_by_restarts_until_it_is_given_up(scene: Scene) -> None:
    scene.goes(HOLD, "exit 3", *["kill -SEGV $$"] * 4)
    one = scene.run("-c", hurry={})
    scene.life(1)
    scene.asks()
    code, lines = scene.ends(one)
    assert code == 139
    assert lines == [
        "hookd: the client restarts: the window is full",
        "hookd: the client ended with exit code 3; it restarts in 0 s",
        *["hookd: the client ended with exit code 139; it restarts in 0 s"] * 3,
        "hookd: The client crashed too often, at last with exit code 139.",
        "  next: run it without hookd run to see the reason",
    ]
    assert [scene.life(number) for number in (1, 2, 3)] == [["-c"], ["Go on."], [RESTART_PROMPT]]


def test_an_end_by_ctrl_c_is_no_crash(scene: Scene) -> None:
    scene.goes(HOLD, "exit 130")
    one = scene.run()
    scene.life(1)
    scene.asks()
    assert scene.ends(one)[0] == 130


def test_a_program_that_has_gone_is_a_crash_like_any_other(scene: Scene) -> None:
    scene.goes(f'rm "$0"; touch $HOME/gone; {HOLD}')
    one = scene.run(hurry={"pauses": (0,)})
    until((scene.home.path / "gone").exists)
    scene.asks()
    code, lines = scene.ends(one)
    assert code == 127
    assert lines[1] == f"hookd: {scene.client}: No such file or directory."


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_is_handed_on_and_ends_both(scene: Scene, number: int) -> None:
    name = signal.Signals(number).name
    scene.goes(f"trap 'touch $HOME/{name}; exit 0' {name}; touch $HOME/ready; {HOLD}")
    one = scene.run()
    until((scene.home.path / "ready").exists)
    one.send_signal(number)
    assert scene.ends(one) == (128 + number, [])
    assert (scene.home.path / name).exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_a_pause_at_once(scene: Scene, number: int) -> None:
    scene.goes(HOLD, "exit 3")
    one = scene.run(hurry={"pauses": (0, 1000)})
    scene.life(1)
    scene.asks()
    assert one.stderr is not None
    assert one.stderr.readline().endswith("the window is full\n")
    assert one.stderr.readline().endswith("restarts in 1000 s\n")
    one.send_signal(number)
    assert scene.ends(one) == (128 + number, [])
    assert scene.count == 2


def test_a_request_ends_a_pause_at_once(scene: Scene) -> None:
    scene.goes(HOLD, "exit 3", "exit 0")
    one = scene.run(hurry={"pauses": (0, 1000)})
    scene.life(1)
    scene.asks()
    assert one.stderr is not None
    assert one.stderr.readline().endswith("the window is full\n")
    assert one.stderr.readline().endswith("restarts in 1000 s\n")
    scene.asks("At once.")
    assert scene.ends(one) == (0, [])
    assert scene.life(3) == ["At once."]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
def test_the_keys_that_end_a_program_are_the_clients(scene: Scene, number: int) -> None:
    name = signal.Signals(number).name
    scene.goes(f"trap 'touch $HOME/{name}' {name}; touch $HOME/ready; {HOLD}")
    one = scene.run()
    until((scene.home.path / "ready").exists)

    def pressed() -> bool:
        """Send the signal as the terminal does; bash misses one just before it reads."""
        os.killpg(one.pid, number)
        return (scene.home.path / name).exists()

    until(pressed)
    scene.release()
    code, lines = scene.ends(one)
    # bash may report that the key ended what it waited for, too.
    assert (code, [line for line in lines if line != "Quit"]) == (0, [])


def test_a_daemon_that_was_started_anew_is_told_again(scene: Scene) -> None:
    scene.goes(HOLD, "exit 0")
    one = scene.run()
    for times in (1, 2, 3):
        until(lambda times=times: len(scene.peer.asked) == times)  # type: ignore[misc]
        if times < 3:
            scene.peer.drop()
    assert len({asked["params"]["runId"] for asked in scene.peer.asked}) == 1
    scene.life(1)
    scene.asks()
    assert scene.ends(one)[0] == 0
    assert scene.life(2) == ["Go on."]


def test_a_daemon_that_comes_later_is_told(alone: Scene) -> None:
    (alone.home.path / "run").mkdir()
    stop_marker.write(alone.home.stopped)
    alone.goes(HOLD, "exit 0")
    one = alone.run()
    alone.life(1)
    with at(alone.home.socket) as alone.peer:
        alone.asks()
        assert alone.ends(one)[0] == 0
    alone.home.socket.unlink()
    assert alone.count == 2


def test_a_daemon_is_started_where_there_is_none(alone: Scene) -> None:
    alone.goes("exit 0")
    assert alone.ends(alone.run()) == (0, [])
    assert alone.home.rpc("daemon.status")["pid"] == alone.home.pid


def exists(pid: int) -> bool:
    """Return whether there is such a process, also if it was not waited for."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_daemon_that_it_started_is_not_left_half_ended(alone: Scene) -> None:
    alone.goes(HOLD, "exit 0")
    one = alone.run()
    alone.life(1)
    pid = alone.home.pid
    alone.home.hookd("stop", "--yes")
    until(lambda: not exists(pid))
    alone.release()
    assert alone.ends(one) == (0, [])


def test_a_daemon_that_was_stopped_stays_so_and_the_client_runs(alone: Scene) -> None:
    alone.home.hookd("stop", "--yes")
    alone.goes("exit 0")
    code, lines = alone.ends(alone.run())
    assert code == 0
    assert lines == [
        "hookd: The daemon is stopped: until hookd start, no restart is requested. "
        "The client runs anyway."
    ]
    assert not alone.home.socket.exists()


def test_the_client_runs_where_no_daemon_can(alone: Scene) -> None:
    alone.home.socket.mkdir(parents=True)
    alone.goes("exit 0")
    code, (line,) = alone.ends(alone.run())
    assert code == 0
    assert line.startswith("hookd: ")
    assert line.endswith("no restart is requested. The client runs anyway.")
    assert alone.count == 1


def test_a_program_that_is_not_there_is_told(home: Home) -> None:
    done = home.hookd("run", "--", "no-such-client", "--model", "opus", check=False)
    assert done.returncode == 127
    assert done.stderr.startswith("hookd: no-such-client was not found")
    assert not home.socket.exists()


def test_nothing_to_run_is_told_with_an_example(home: Home) -> None:
    done = home.hookd("run", check=False)
    assert done.returncode == 1
    assert "  next: hookd run -- claude\n" in done.stderr


def test_a_misspelt_option_is_no_program(home: Home) -> None:
    done = home.hookd("run", "--promt", "x", "--", "true", check=False)
    assert done.returncode == 2
    assert "--promt" in done.stderr


# In a terminal: an interactive shell with job control, as a person has it.

SHELL = """
import fcntl, os, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
"""


@contextmanager
def terminal(scene: Scene) -> Iterator[int]:
    """An interactive bash in a terminal; yield its other side."""
    ours, theirs = pty.openpty()
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_NONBLOCK)
    env = scene.home.env | scene.lives | {"TERM": "dumb", "HISTFILE": "/dev/null"}
    shell = subprocess.Popen(
        [sys.executable, "-c", SHELL],
        env=env,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield ours
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)  # whoever is left in it is hung up


def typed(terminal: int, text: str) -> None:
    os.write(terminal, text.encode())


def test_ctrl_c_is_for_the_client_alone(scene: Scene) -> None:
    scene.goes(f"trap 'touch $HOME/keyed' INT; touch $HOME/ready; {HOLD}; exit 0", "exit 5")
    with terminal(scene) as keys:
        typed(keys, f"{HOOKD} run -- {scene.client}; echo $? > $HOME/code\n")
        until((scene.home.path / "ready").exists)
        typed(keys, "\x03")
        until((scene.home.path / "keyed").exists)
        scene.asks()  # it is there yet
        scene.life(2)
        code = scene.home.path / "code"
        until((scene.home.path / "lives" / "3").exists)
        until(lambda: code.exists() and code.read_text())
        assert code.read_text() == "0\n"
    assert scene.life(3) == [RESTART_PROMPT]


def test_a_terminal_is_set_as_it_was_before_the_client_died(scene: Scene) -> None:
    note = "stty -g > $HOME/{0}.new; mv $HOME/{0}.new $HOME/{0}"
    raw = f"{note.format('before')}; stty raw -echo; {note.format('raw')}; {HOLD}"
    scene.goes(raw, note.format("after"))
    with terminal(scene) as keys:
        typed(keys, f"{HOOKD} run -- {scene.client}\n")
        until((scene.home.path / "raw").exists)
        scene.asks()
        until((scene.home.path / "after").exists)
    before, raw, after = (
        (scene.home.path / name).read_text() for name in ("before", "raw", "after")
    )
    assert before != raw
    assert after == before


def test_a_client_that_stops_itself_stops_both_and_goes_on_with_both(scene: Scene) -> None:
    scene.goes("kill -STOP $$; touch $HOME/continued; exit 0")
    with terminal(scene) as keys:
        typed(keys, f"{HOOKD} run -- {scene.client}\n")
        scene.life(1)
        typed(keys, "touch $HOME/prompted\n")
        until((scene.home.path / "prompted").exists)
        assert not (scene.home.path / "continued").exists()
        typed(keys, "fg; echo $? > $HOME/code\n")
        until((scene.home.path / "continued").exists)
        code = scene.home.path / "code"
        until(lambda: code.exists() and code.read_text())
        assert code.read_text() == "0\n"
