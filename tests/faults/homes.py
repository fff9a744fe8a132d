"""Faults of the place: two users, no runtime folder, a home that is read-only, a network."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from faults.scene import Said, Scene, Told, end, heard, holders, only
from support.home import HOOKD, SHIM, Home

NOBODY = 65534
_AS_NOBODY = (
    "setpriv",
    f"--reuid={NOBODY}",
    f"--regid={NOBODY}",
    "--clear-groups",
    # To read the interpreter, wherever it stands; it gives no right to write, nor to connect.
    "--inh-caps=+dac_read_search",
    "--ambient-caps=+dac_read_search",
    "--",
)


@contextmanager
def _home_of(user: int) -> Iterator[Path]:
    """A home folder that is this user's."""
    path = Path(tempfile.mkdtemp(prefix="hkn", dir="/tmp"))
    try:
        os.chown(path, user, user)
        yield path
    finally:
        end(holders(str(path / ".local/state/hookd")))
        shutil.rmtree(path, ignore_errors=True)


def _nobody_s_hook(scene: Scene, socket: Path, env: Mapping[str, str], *args: str) -> Said:
    """Send a call as another user does."""
    call = scene.call()
    command = [*_AS_NOBODY, str(SHIM), "--event", "PreToolUse", "--socket", str(socket)]
    done = subprocess.run(
        [*command, "--deadline", "20", "--hookd", str(HOOKD), *args],
        input=json.dumps(call).encode() + b"\n",
        env=dict(env),
        capture_output=True,
        timeout=60,
        cwd="/",
        check=False,
    )
    assert done.returncode == 0, f"the shim ended with {done.returncode}: {done.stderr!r}"
    return heard(call, done.stdout, done.stderr, 0)


def two_users(scene: Scene) -> Told:
    """Two users have a daemon each, and neither is accepted by the other's."""
    only(os.geteuid() == 0, "only root can become another user")
    only(shutil.which("setpriv"), "there is no setpriv")
    scene.home.serves()
    scene.judged()
    with _home_of(NOBODY) as theirs:
        env = {"PATH": os.environ["PATH"], "HOME": str(theirs)}
        own = Home(theirs / ".local/state/hookd", env)
        said = _nobody_s_hook(scene, own.socket, env)
        assert said.judged, f"the second user's daemon did not judge: {said.words}"
        assert os.stat(own.database).st_uid == NOBODY  # noqa: PTH116 - beside rows
        assert len(own.rows("SELECT 1 FROM events")) == 1
        before = scene.home.rows("SELECT count(*) FROM events")
        for folder in (scene.home.path, scene.home.socket.parent):
            folder.chmod(0o755)
        scene.home.socket.chmod(0o777)
        closed = _nobody_s_hook(scene, scene.home.socket, env, "--fail-closed")
        assert not closed.judged, "the second user's hook was accepted by the first user's daemon"
        assert closed.closed, "it was not denied"
        assert scene.home.rows("SELECT count(*) FROM events") == before
    return Told("a daemon each; one was refused by the other's, and failed by policy")


def no_runtime_folder(scene: Scene) -> Told:
    """Without $XDG_RUNTIME_DIR the socket is in the state folder, 0700."""
    env = {name: scene.home.env[name] for name in ("PATH", "HOME")}
    own = Scene(Home(scene.home.path / ".local" / "state" / "hookd", env))
    try:
        seconds = own.heals()
        assert json.loads(own.home.hookd("status", "--json").stdout)["socket"] == str(
            own.home.socket
        )
        assert own.home.socket.parent.stat().st_mode & 0o777 == 0o700
        own.all_is_well()
    finally:
        end(own.left())
    return Told("the daemon stood in the state folder", seconds)


def runtime_folder_that_is_not_there(scene: Scene) -> Told:
    """$XDG_RUNTIME_DIR may name a folder that is gone: hooks are judged, or fail, said."""
    env = {name: scene.home.env[name] for name in ("PATH", "HOME")}
    env["XDG_RUNTIME_DIR"] = str(scene.home.path / "gone")
    command = [str(SHIM), "--event", "PreToolUse", "--deadline", "20", "--hookd", str(HOOKD)]
    call = scene.call()
    done = subprocess.run(
        [*command, "--socket", f"{env['XDG_RUNTIME_DIR']}/hookd/hookd.sock"],
        input=json.dumps(call).encode(),
        env=env,
        capture_output=True,
        timeout=60,
        check=False,
    )
    said = heard(call, done.stdout, done.stderr, 0)
    state = scene.home.path / ".local" / "state" / "hookd"
    end(holders(str(state)))
    assert said.judged or said.words, "it passed without a word"
    return Told("judged" if said.judged else "failed by its policy, said")


_BARE = 'mount -t tmpfs none /proc && exec "$@"'


def no_proc(scene: Scene) -> Told:
    """Without /proc and /dev/fd, as in some containers, calls are judged, and at once."""
    only(os.geteuid() == 0, "only root can mount over /proc")
    only(unshare := shutil.which("unshare"), "there is no unshare")
    within = [str(unshare), "-m", "/bin/sh", "-c", _BARE, "sh"]
    tried = subprocess.run([*within, "true"], capture_output=True, check=False)
    only(tried.returncode == 0, "no mount namespace can be made")
    command = [*within, str(SHIM), "--event", "PreToolUse", "--socket", str(scene.home.socket)]
    taken = []
    for _ in range(2):  # the first one starts the daemon there
        call, began = scene.call(), time.monotonic()
        done = subprocess.run(
            [*command, "--deadline", "20", "--hookd", str(HOOKD)],
            input=json.dumps(call).encode(),
            env=scene.home.env,
            capture_output=True,
            timeout=60,
            check=False,
        )
        taken.append(time.monotonic() - began)
        said = heard(call, done.stdout, done.stderr, 0)
        assert said.judged, f"it was not judged: {said.words}"
    assert taken[1] < 2, f"a warm call took {taken[1]:.1f} s"
    assert not [path for path in scene.home.socket.parent.iterdir() if path.suffix == ".pipe"]
    return Told("judged", taken[0])


def unwritable_home(scene: Scene) -> Told:
    """A home that its user cannot write: hooks fail by their policy in time, and it is said why."""
    only(os.geteuid() == 0, "only root can become another user")
    only(shutil.which("setpriv"), "there is no setpriv")
    with _home_of(0) as home:
        home.chmod(0o755)
        env = {"PATH": os.environ["PATH"], "HOME": str(home)}
        socket = home / ".local/state/hookd/run/hookd.sock"
        open_ = _nobody_s_hook(scene, socket, env)
        closed = _nobody_s_hook(scene, socket, env, "--fail-closed")
        assert not open_.judged
        assert open_.words, "it passed without a word"
        assert closed.closed, "it was not denied"
        start = [*_AS_NOBODY, str(HOOKD), "start"]
        done = subprocess.run(start, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 1, "hookd start does not fail"
        assert "Traceback" not in done.stderr, "hookd start shows a traceback"
        assert str(home) in done.stderr, "hookd start does not name the folder"
    with suppress(FileNotFoundError):
        assert not list(home.iterdir())
    return Told("hooks failed by their policy, and hookd start said why")
