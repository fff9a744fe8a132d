"""Faults of time: a hung daemon is distinguished from a slow hook."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from uuid import uuid4

from faults.scene import Said, Scene, Told, only
from hookd.events.protocol import EVENTS
from support.home import HOOKD, until
from support.payloads import payload
from support.registered_shims import DENIED, SAFE, Scope

SOON = 2.5
"""Seconds within which a hung daemon has to be given up: a second of patience, and some load."""


@contextmanager
def frozen(scene: Scene) -> Iterator[None]:
    """Stop the scene's one daemon by SIGSTOP; let it continue afterwards."""
    pid = scene.one()
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def hung(scene: Scene) -> Told:
    """A daemon that hangs (SIGSTOP) is given up within about a second; the judge takes over."""
    scene.home.serves()
    scene.judged()
    with frozen(scene):
        said = scene.hook()
        _given_up(said)
        assert said.words, "it passed without a word"
        scene.judged_alone()
    seconds = scene.heals()
    return Told(f"given up after {said.seconds:.1f} s, said; judged without it", seconds)


def hung_and_closed(scene: Scene) -> Told:
    """With --fail-closed and no judge that call is denied in the same time."""
    scene.home.serves()
    scene.judged()
    with frozen(scene):
        said = scene.hook("--fail-closed")
        _given_up(said)
        assert said.closed, "it was not denied"
    return Told(f"the call was denied after {said.seconds:.1f} s", scene.heals())


def hung_under_ten_hooks(scene: Scene) -> Told:
    """Ten hooks at once, with no judge, are given up alike, and start no second daemon."""
    scene.home.serves()
    scene.judged()
    with frozen(scene):
        said = scene.hooks(10)
        for one in said:
            _given_up(one, SOON + 2)
    slowest = max(one.seconds for one in said)
    return Told(f"all passed within {slowest:.1f} s, said", scene.heals())


def hung_under_fifty_registered_hooks(scene: Scene) -> Told:
    """Fifty registered hooks at once are judged without it, or fail by their policy in time."""
    scope = Scope(scene.home, deadline=EVENTS["PreToolUse"].deadline)
    scene.home.serves()
    scene.judged()
    with frozen(scene), ThreadPoolExecutor(50) as pool:
        ends = list(pool.map(lambda given: _without(scope, given), [DENIED, SAFE] * 25))
    judged = [one for one in ends if one.judged]
    assert judged, "none was judged without the daemon"
    slowest = max(one.seconds for one in ends)
    assert slowest < EVENTS["PreToolUse"].timeout, f"the client had given one up: {slowest:.1f} s"
    policy = f"; {len(ends) - len(judged)} failed by their policy, said" * (judged != ends)
    return Told(
        f"{len(judged)} of 50 judged without it within {slowest:.1f} s{policy}", scene.heals()
    )


def _without(scope: Scope, given: dict[str, str]) -> Said:
    """Run a hook at a daemon that hangs; see that it says who judged, and judges right."""
    began = time.monotonic()
    done = scope.runs(payload("PreToolUse.Bash", tool_input=given, tool_use_id=uuid4().hex))
    took, words = time.monotonic() - began, done.stderr.decode()
    judged = " judged without the daemon: " in words
    assert judged or "; it passes unchecked" in words, f"it does not say who judged: {words!r}"
    denied = b'"permissionDecision":"deny"' in done.stdout
    assert denied == (judged and given == DENIED), f"{given} got {done.stdout!r}"
    return Said("", took, judged, closed=False, words=words)


def hung_and_told(scene: Scene) -> Told:
    """Events without a verdict are counted, reported by the next answer and by status."""
    scene.home.serves()
    scene.judged()
    with frozen(scene):
        for _ in range(2):
            _given_up(scene.hook())
    began = time.monotonic()
    first, second = scene.hook(), scene.hook()
    message = (first.answer or {}).get("systemMessage", "")
    assert "2" in message, (
        f"the next answer does not tell that 2 calls were not judged: {message!r}"
    )
    assert "systemMessage" not in (second.answer or {}), "it is reported twice"
    status = scene.home.hookd("status").stdout
    assert "judged" in status, "hookd status does not tell it"
    return Told("2 unjudged calls were reported once, and by status", time.monotonic() - began)


def hung_while_it_starts(scene: Scene) -> Told:
    """A daemon that hangs before it serves is waited for until the deadline, then abandoned."""
    with subprocess.Popen([HOOKD, "serve"], env=scene.home.env, stderr=subprocess.DEVNULL) as one:
        until((scene.home.path / "hookd.lock").exists)
        os.kill(one.pid, signal.SIGSTOP)
        try:
            only(not scene.home.socket.exists(), "it was quicker than it could be stopped")
            said = scene.hook("--deadline", "3")
            _given_up(said, 8)
            assert said.words, "it passed without a word"
            os.kill(one.pid, signal.SIGCONT)
            seconds = scene.heals()
        finally:
            one.kill()
    scene.heals()
    return Told(f"the call passed after {said.seconds:.1f} s, said", seconds)


def slow_hook(scene: Scene) -> Told:
    """A hook of the user's that takes three seconds is waited for: it is slow, and not hung."""
    _with_hook(scene, "sleep 3; echo 'said late' >&2; exit 2")
    said = scene.hook(event=scene.call() | {"tool_input": {"command": "ls"}})
    assert "said late" in said.words, f"it was not waited for: {said.words or 'silence'}"
    assert said.seconds >= 3
    return Told(f"its word was waited for, {said.seconds:.1f} s")


def hook_past_the_deadline(scene: Scene) -> Told:
    """A hook that exceeds the registered deadline is cut before that; the guards judge."""
    _with_hook(scene, "sleep 20")
    given = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
    said = scene.hook("--deadline", "3", event=scene.call() | given, kept=False)
    assert not said.judged
    assert 2 <= said.seconds < 7, f"it took {said.seconds:.1f} s"
    assert "timed out" in scene.home.hookd("events").stdout, "hookd event does not show it"
    denied = scene.hook("--deadline", "3")
    assert denied.judged, "a guard did not judge beside it"
    return Told(f"cut after {said.seconds:.1f} s, as hookd event shows; the guards judged")


def _with_hook(scene: Scene, command: str) -> None:
    hook = {"type": "command", "command": command}
    scene.home.settings({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    scene.home.serves()


def _given_up(said: Said, seconds: float = SOON) -> None:
    assert not said.judged, "a daemon that hangs has answered"
    assert said.seconds < seconds, f"it held the call for {said.seconds:.1f} s"
