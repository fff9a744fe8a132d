"""Faults of the disk: full, read-only, not ours to write."""

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from faults.scene import Said, Scene, Told, end, only

SIZE = 8 * 1024 * 1024

SOON = 10
"""Seconds that hooks may be delayed: a failing start reports before their deadline of 20."""

UNKEPT = "what was judged meanwhile"


@contextmanager
def _disk_of_its_own(scene: Scene) -> Iterator[None]:
    """A small file system below the home."""
    only(os.geteuid() == 0, "only root can mount a small disk")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "hookd", str(scene.home.path)]
    done = subprocess.run(mount, capture_output=True, check=False)
    only(done.returncode == 0, "no file system can be mounted here")
    try:
        yield
    finally:
        end(scene.left())
        subprocess.run(["umount", "-l", str(scene.home.path)], check=True)


def _fill(scene: Scene) -> Path:
    """Leave no room on the disk; return the file that takes it."""
    ballast = scene.home.path / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 4096):
            pass
    return ballast


def _judged_unkept(scene: Scene, number: int = 20) -> None:
    """See that calls are judged, whether or not they can be kept."""
    for _ in range(number):
        said = scene.hook(kept=False)
        assert said.judged, f"not judged: {said.words or 'silence'}"


def full(scene: Scene) -> Told:
    """On a full disk calls are judged and answered; they are kept again when there is room."""
    with _disk_of_its_own(scene):
        scene.home.serves()
        scene.judged(3)
        ballast = _fill(scene)
        _judged_unkept(scene)
        ballast.unlink()
        return _kept_again(scene, "20 calls were judged")


def full_before_it_starts(scene: Scene) -> Told:
    """Where it cannot even start for want of room, hooks fail by their policy, said."""
    with _disk_of_its_own(scene):
        scene.home.serves()
        scene.judged(3)
        scene.kill()
        ballast = _fill(scene)
        open_, closed = scene.hook(kept=False), scene.hook("--fail-closed", kept=False)
        assert open_.judged or open_.words, "it passed without a word"
        assert closed.judged or closed.closed, "it was not denied"
        _in_time(open_, closed)
        ballast.unlink()
        return _kept_again(scene, _how(open_, closed))


def file_cannot_grow(scene: Scene) -> Told:
    """Where its files may not grow any more, calls are judged, and kept again afterwards."""
    scene.home.serves()
    scene.judged(3)
    pid = scene.one()
    none = resource.RLIM_INFINITY
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, none))
    _judged_unkept(scene)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (none, none))
    return _kept_again(scene, "20 calls were judged")


def read_only(scene: Scene) -> Told:
    """On a read-only disk hooks are judged or fail by their policy, and it recovers alone."""
    with _disk_of_its_own(scene):
        scene.home.serves()
        scene.judged(3)
        scene.kill()
        _remount(scene, "ro")
        open_, closed = scene.hook(kept=False), scene.hook("--fail-closed", kept=False)
        said = scene.home.hookd("start", check=False)
        _remount(scene, "rw")
        assert open_.judged or open_.words, "it passed without a word"
        assert closed.judged or closed.closed, "it was not denied"
        _in_time(open_, closed)
        assert open_.judged or said.returncode == 1, "hookd start does not say it"
        return _kept_again(scene, _how(open_, closed))


def _in_time(*said: Said) -> None:
    slowest = max(one.seconds for one in said)
    assert slowest < SOON, f"hooks were held for {slowest:.1f} s, their whole deadline"


def _how(*said: Said) -> str:
    """Return the outcome of hooks while the disk was full."""
    slowest = max(one.seconds for one in said)
    if all(one.judged for one in said):
        return "hooks were judged all the same"
    return f"hooks failed by their policy after {slowest:.1f} s, said"


def _kept_again(scene: Scene, how: str) -> Told:
    """See that the next calls are judged and soon kept; leave nothing to be looked at later."""
    seconds = scene.heals(kept=False) + scene.keeps().seconds
    scene.all_is_well()
    scene.answered.clear()  # the disk goes, and its database
    return Told(f"{how}; then kept again", seconds, UNKEPT)


def _remount(scene: Scene, how: str) -> None:
    command = ["mount", "-o", f"remount,{how},size={SIZE}", str(scene.home.path)]
    subprocess.run(command, check=True)


def out_of_descriptors(scene: Scene) -> Told:
    """With no more files to open, it recovers once it may: hooks are delayed only briefly."""
    scene.home.serves()
    scene.judged()
    pid = scene.one()
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    used = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (used, hard))
    said = scene.hook("--deadline", "5", kept=False)
    assert said.judged or said.words, "it passed without a word"
    assert said.seconds < 8, f"it held the call for {said.seconds:.1f} s"
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
    how = "was judged" if said.judged else f"passed after {said.seconds:.1f} s, with a message"
    return Told(f"a call {how}", scene.heals())
