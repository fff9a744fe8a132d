"""Faults of the world that a daemon finds: another version, a clock that jumps, a far disk."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from faults.scene import Scene, Told
from hookd import __version__
from support.home import until

_TURNED = Path(__file__).with_name("turned.py")
_DAY = 86_400


def _world(scene: Scene, **world: object) -> Path:
    """Say what the daemon finds; a daemon that runs already finds another clock."""
    control = scene.home.path / "world.json"
    fresh = control.with_suffix(".new")
    fresh.write_text(json.dumps(world))
    fresh.rename(control)
    return control


@contextmanager
def _serving(scene: Scene, **world: object) -> Iterator[None]:
    """A daemon in this world; it is killed at the end."""
    command = [sys.executable, "-P", str(_TURNED), str(_world(scene, **world)), "serve"]
    with subprocess.Popen(command, env=scene.home.env, stderr=subprocess.DEVNULL) as one:
        try:
            number = scene.home.socket.with_suffix(".pid")
            until(lambda: number.exists() and number.read_text().split() == [str(one.pid)])
            yield
        finally:
            one.kill()


def older(scene: Scene) -> Told:
    """A daemon of an older hookd keeps judging; the new client has it hand over and restart."""
    return _replaced(scene, "0.0.1")


def newer(scene: Scene) -> Told:
    """The same with a newer one, after hookd was set back."""
    return _replaced(scene, "99.0.0")


def _replaced(scene: Scene, version: str) -> Told:
    with _serving(scene, version=version):
        scene.judged(3)
        old = scene.one()
        assert version in scene.home.hookd("status").stdout, "status does not say its version"
        scene.home.hookd("start")
        seconds = scene.heals()
        status = json.loads(scene.home.hookd("status", "--json").stdout)
        assert status["version"] == __version__, (
            f"after hookd start it is {status['version']} still"
        )
        assert scene.one() != old
    return Told("judged; hookd start put its own in its place", seconds)


def clock_back_an_hour(scene: Scene) -> Told:
    """A clock that jumps back by an hour changes no count and no order of events."""
    return _jumps(scene, -3600)


def clock_back_to_1970(scene: Scene) -> Told:
    """Nor does an unset one."""
    return _jumps(scene, -56 * 365 * _DAY)


def clock_right_again(scene: Scene) -> Told:
    """A clock that was ahead for a day, and is right again, leaves nothing that waits for it."""
    with _serving(scene, disabled_hooks=_DAY):
        scene.judged(3)
        _world(scene)
        seconds = scene.heals()
        scene.judged(3)
        _in_order(scene)
    scene.heals()
    return Told("all were judged and kept in their order", seconds)


def _jumps(scene: Scene, by: int) -> Told:
    call = scene.call()
    with _serving(scene):
        scene.judged(3)
        first = scene.hook(event=call)
        _world(scene, disabled_hooks=by)
        seconds = scene.heals()
        assert scene.hook(event=call).answer == first.answer, "a repeated call was judged anew"
        more = [scene.call() | {"session_id": call["session_id"]} for _ in range(3)]
        assert all(scene.hook(event=one).judged for one in more)
        _in_order(scene)
        counted = scene.home.rows(
            "SELECT heartbeat_counter FROM sessions WHERE claude_session_id = ?", call["session_id"]
        )
        assert counted == [(4,)], f"4 calls are counted as {counted}"
    scene.heals()  # by a daemon whose clock is right
    return Told("all were judged, counted, kept in their order", seconds)


def _in_order(scene: Scene) -> None:
    rows = scene.home.rows("SELECT count(*), max(id) FROM events")
    assert rows[0][0] == rows[0][1], "numbers of events were left out"


def network_disk(scene: Scene) -> Told:
    """On a network file system WAL is refused: hooks fail by their policy, and it is said why."""
    table = scene.home.path / "mountinfo"
    table.write_text(
        "21 1 0:20 / / rw - ext4 /dev/vda rw\n"
        f"36 21 0:33 / {scene.home.path} rw,relatime shared:9 - nfs4 server:/export/home rw\n"
    )
    control = _world(scene, mounts=str(table))
    program = scene.home.path / "hookd-on-nfs"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P {_TURNED} {control} "$@"\n')
    program.chmod(0o700)
    open_ = scene.hook("--hookd", str(program))
    closed = scene.hook("--hookd", str(program), "--fail-closed")
    said = subprocess.run(
        [program, "serve"], env=scene.home.env, capture_output=True, text=True, check=False
    )
    assert not open_.judged
    assert open_.words, "it passed without a word"
    assert closed.closed, "it was not denied"
    assert said.returncode == 1
    assert "nfs4" in said.stderr, f"it does not say why: {said.stderr!r}"
    assert not scene.home.database.exists(), "there is a database all the same"
    return Told(
        "hooks failed by their policy, and the start said why (mounts as data)", scene.heals()
    )
