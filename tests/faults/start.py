"""Faults of the beginning and the sudden end: many cold hooks at once, and kill -9."""

import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from sqlite3 import connect

from faults.scene import Scene, Told, holders
from support.home import HOOKD, SHIM, until
from support.payloads import header

BASELINE = Path(__file__).parent.parent / "store" / "baseline_v1.sql"
DEADLINE = 20
"""Seconds that a hook may take: what the shim is told in these faults."""


def ten_cold(scene: Scene) -> Told:
    """Ten hooks at once where no daemon runs start one, and all are judged."""
    return _cold(scene, 10)


def fifty_cold(scene: Scene) -> Told:
    """Fifty hooks at once where no daemon runs start one, and all are judged."""
    return _cold(scene, 50)


def two_hundred_cold(scene: Scene) -> Told:
    """Two hundred hooks at once where no daemon runs start one, and all are judged."""
    return _cold(scene, 200)


def _cold(scene: Scene, number: int) -> Told:
    said = scene.hooks(number)
    judged, slowest = sum(one.judged for one in said), max(one.seconds for one in said)
    scene.one()
    starts = len(scene.home.logged("daemon serves"))
    why = {one.words for one in said if not one.judged}
    assert judged == number, f"{judged} of {number} judged; {why}"
    assert slowest < DEADLINE + 2, f"one took {slowest:.1f} s"
    assert starts == 1, f"{starts} daemons were started"
    return Told(f"{judged} of {number} judged, 1 daemon", slowest)


def killed_idle(scene: Scene) -> Told:
    """Killed while nothing happens, it is started by the next hook."""
    scene.home.serves()
    scene.judged(3)
    scene.kill()
    return Told("the next hook started it", scene.heals())


def killed_with_a_call_in_flight(scene: Scene) -> Told:
    """Killed between acknowledgement and answer, it leaves that call to the fail policy at once."""
    scene.home.serves()
    scene.judged(3)
    with scene.home.link() as link, link.makefile("rb") as answers:
        link.sendall(header("PreToolUse") + b'{"tool_name": "Ba')
        assert b"hooks.accepted" in answers.readline()
        scene.kill()
        assert answers.read() == b"", "a daemon that is dead has answered"
    return Told("that call got no answer; the next hook started it", scene.heals())


def killed_while_a_hook_of_the_users_runs(scene: Scene) -> Told:
    """Killed while a user's hook runs, that hook runs again when the call is sent again."""
    ran = scene.home.path / "ran"
    command = f"echo >> {ran}; [ -e {scene.home.path}/go ] || sleep 30; echo no >&2; exit 2"
    hook = {"type": "command", "command": command}
    scene.home.settings({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    scene.home.serves()
    call = scene.call() | {"tool_input": {"command": "ls"}}
    with ThreadPoolExecutor(1) as aside:
        first = aside.submit(scene.hook, event=call)
        until(ran.exists)
        (scene.home.path / "go").touch()
        scene.kill()
        began = time.monotonic()
        said = first.result()
    assert said.judged or said.words, "it passed without a word"
    again = scene.hook(event=call)
    assert again.judged, f"sent again it was not judged: {again.words}"
    assert "no" in again.words, f"the user's hook was not heard: {again.words}"
    assert len(ran.read_text()) == 2, "the hook did not run again"
    rows = scene.home.rows("SELECT count(*) FROM events WHERE tool_use_id = ?", call["tool_use_id"])
    assert rows == [(1,)], "one call is two events"
    return Told("its call, sent again, was judged by that hook", time.monotonic() - began)


def killed_while_it_starts(scene: Scene) -> Told:
    """Killed at any moment of its start, it is started by the next hook."""
    for tenth in range(1, 8):
        process = subprocess.Popen([HOOKD, "serve"], env=scene.home.env, stderr=subprocess.DEVNULL)
        time.sleep(tenth / 10)
        process.kill()
        process.wait()
    return Told("killed 7 times; the next hook started it", scene.heals())


def killed_while_it_migrates(scene: Scene) -> Told:
    """Killed while it brings an old database up to date, it leaves none that is half new."""
    with connect(scene.home.database) as old:
        old.executescript(BASELINE.read_text())
        old.execute("INSERT INTO meta VALUES ('witness', 'kept')")
    old.close()
    for tenth in range(2, 8):
        process = subprocess.Popen([HOOKD, "serve"], env=scene.home.env, stderr=subprocess.DEVNULL)
        until(lambda: holders(str(scene.home.database)))
        time.sleep(tenth / 1000)
        process.kill()
        process.wait()
    seconds = scene.heals()
    assert scene.home.rows("SELECT value FROM meta WHERE key = 'witness'") == [("kept",)]
    return Told("killed 6 times; the next hook's daemon finished it", seconds)


def killed_while_it_ends(scene: Scene) -> Told:
    """Killed while it ends, it is started by the next hook."""
    scene.home.serves()
    scene.judged(3)
    with scene.home.link() as link:
        link.sendall(header("PreToolUse") + b"{")  # it waits for the rest of this
        scene.kill(signal.SIGTERM)
        until(lambda: not scene.home.socket.exists())
        scene.kill()
    return Told("the next hook started it", scene.heals())


def killed_before_waiting_hooks(scene: Scene) -> Told:
    """Killed as soon as it serves the first of ten cold hooks, it is started for the others."""
    with ThreadPoolExecutor(10) as pool:
        waiting = [pool.submit(scene.hook) for _ in range(10)]
        until(scene.daemons, 30)
        for pid in scene.daemons():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        began = time.monotonic()
        said = [one.result() for one in waiting]
    judged = sum(one.judged for one in said)
    silent = [one for one in said if not one.judged and "not judged" not in one.words]
    assert not silent, f"{len(silent)} calls passed without a word"
    assert max(one.seconds for one in said) < DEADLINE + 2
    scene.judged()
    lost = "those in flight went to the fail policy, said" if judged < 10 else "nothing"
    return Told("the others were judged by another daemon", time.monotonic() - began, lost)


def shim_killed_while_it_starts_one(scene: Scene) -> Told:
    """A hook that is killed while it starts the daemon delays no other."""
    command = [str(SHIM), "--event", "PreToolUse", "--socket", str(scene.home.socket)]
    hook = subprocess.Popen(
        [*command, "--hookd", "/bin/true", "--deadline", "20"],
        env=scene.home.env,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(0.05)
    hook.kill()
    hook.wait()
    return Told("the next hook started it", scene.heals())
