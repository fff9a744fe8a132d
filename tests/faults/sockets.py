"""Faults of the files that a daemon is found by: its socket, its lock, its number, their folder."""

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

from faults.scene import Scene, Told, another
from support import forkserver

ALONE = "hooks were judged without it, those without a judge failed by their policy"


def socket_deleted(scene: Scene) -> Told:
    """A socket that is deleted under a living daemon is there again for the next hook."""
    scene.home.serves()
    scene.judged(2)
    scene.home.socket.unlink()
    seconds = scene.heals()
    return Told("the next hook was judged, 1 daemon", seconds)


def folder_deleted(scene: Scene) -> Told:
    """The same with the socket's whole folder."""
    scene.home.serves()
    scene.judged(2)
    shutil.rmtree(scene.home.socket.parent)
    return Told("the next hook was judged, 1 daemon", scene.heals())


def lock_deleted(scene: Scene) -> Told:
    """A lock that is deleted under a living daemon lets no second one write the same database."""
    scene.home.serves()
    scene.judged(2)
    (scene.home.path / "hookd.lock").unlink()
    forkserver.start(("serve", "--detach"), scene.home.env)
    seconds = scene.heals()
    scene.one()
    scene.kill()
    scene.heals()
    return Told("a second start left 1 daemon", seconds)


def lock_and_socket_deleted(scene: Scene) -> Told:
    """With both gone, hooks start no second daemon beside the first."""
    scene.home.serves()
    scene.judged(2)
    (scene.home.path / "hookd.lock").unlink()
    scene.home.socket.unlink()
    seconds = scene.heals()
    assert all(one.judged for one in scene.hooks(5))
    return Told("the next hooks were judged, 1 daemon", seconds)


def number_deleted(scene: Scene) -> Told:
    """The file with the daemon's number is a hint: without it hooks are judged at once."""
    scene.home.serves()
    pid = scene.one()
    scene.home.socket.with_suffix(".pid").unlink()
    seconds = scene.heals()
    assert scene.one() == pid, "another daemon was started"
    return Told("the next hook was judged by the same daemon", seconds)


def number_of_another(scene: Scene) -> Told:
    """After a crash the number may be another process's: the next hook finds that out."""
    scene.home.serves()
    scene.kill()
    scene.home.socket.with_suffix(".pid").write_text(f"{os.getpid()}\n")
    return Told("the next hook started it", scene.heals())


def stale_files(scene: Scene) -> Told:
    """A socket, a lock and a process id of a dead daemon are no obstacle."""
    scene.home.serves()
    scene.judged()
    scene.kill()
    assert scene.home.socket.is_socket()
    assert (scene.home.path / "hookd.lock").exists()
    return Told("the next hook started it", scene.heals())


def stale_start(scene: Scene) -> Told:
    """The mark of a hook that died while it started the daemon is no obstacle."""
    mark = scene.home.path / "run" / "hookd.sock.lock"
    mark.mkdir(parents=True)
    dead = subprocess.Popen(["true"])
    dead.wait()
    (mark / "pid").write_text(f"{dead.pid}\n")
    seconds = scene.heals()
    assert all(one.judged for one in scene.hooks(5))
    return Told("the next hook started it", seconds)


def stale_start_of_another(scene: Scene) -> Told:
    """Nor is that mark if its process id belongs to a foreign process by now."""
    mark = scene.home.path / "run" / "hookd.sock.lock"
    mark.mkdir(parents=True)
    (mark / "pid").write_text(f"{os.getpid()}\n")
    return Told("the next hook started it, after some patience", scene.heals())


def file_in_its_place(scene: Scene) -> Told:
    """A foreign file in the socket's place is not lost; the judge takes over until it goes."""
    scene.home.socket.parent.mkdir(mode=0o700)
    scene.home.socket.write_text("notes of a person\n")
    how = _in_the_way(scene)
    found = [one.read_bytes() for one in scene.home.path.rglob("*") if one.is_file()]
    assert b"notes of a person\n" in found, "a foreign file was deleted"
    if not scene.home.socket.is_socket():
        scene.home.socket.unlink()
    return Told(how, scene.heals())


def folder_in_its_place(scene: Scene) -> Told:
    """So it is with a folder."""
    scene.home.socket.mkdir(parents=True, mode=0o700)
    (scene.home.socket / "precious").touch()
    how = _in_the_way(scene)
    assert (scene.home.socket / "precious").exists(), "a foreign file was deleted"
    shutil.rmtree(scene.home.socket)
    return Told(how, scene.heals())


def _in_the_way(scene: Scene) -> str:
    """See that hooks are judged, or fail in time and with a word; return which."""
    open_, closed = scene.hook("--deadline", "5"), scene.hook("--deadline", "5", "--fail-closed")
    if open_.judged and closed.judged:
        return "hooks were judged all the same"
    assert open_.words, "it passed without a word"
    assert closed.closed, "it was not denied"
    slowest = max(open_.seconds, closed.seconds)
    assert slowest < 8, f"it took {slowest:.1f} s"
    said = scene.home.hookd("status", check=False)
    assert "hookd.sock" in said.stdout + said.stderr, "status does not name it"
    scene.judged_alone()
    return ALONE


_STRANGER = """
import socket, sys
one = socket.socket(socket.AF_UNIX)
one.bind(sys.argv[1]); one.listen(50); print("ready", flush=True)
while True:
    link, _ = one.accept()
    {answers}
"""


@contextmanager
def _foreign_program(scene: Scene, answers: str) -> Iterator[None]:
    """A foreign program that listens in the place of the daemon's socket."""
    scene.home.socket.parent.mkdir(mode=0o700, exist_ok=True)
    scene.home.socket.unlink(missing_ok=True)
    with another(_STRANGER.format(answers=answers), scene.home.socket):
        yield


def foreign_program_with_nonsense(scene: Scene) -> Told:
    """Another program's socket in its place is no daemon: the judge takes over."""
    with _foreign_program(scene, 'link.sendall(b"220 welcome\\r\\n"); link.close()'):
        open_, closed = scene.hook(), scene.hook("--fail-closed")
        assert open_.judged or open_.words, "it passed without a word"
        assert closed.judged or closed.closed, "it was not denied"
        scene.judged_alone()
    return Told(ALONE, scene.heals())


def silent_foreign_program(scene: Scene) -> Told:
    """Nor is a silent one: it is abandoned within about a second."""
    with _foreign_program(scene, "globals().setdefault('kept', []).append(link)"):
        open_, closed = scene.hook(), scene.hook("--fail-closed")
        assert open_.judged or open_.words, "it passed without a word"
        assert closed.judged or closed.closed, "it was not denied"
        slow = max(one.seconds for one in (open_, closed) if not one.judged)
        assert slow < 4, f"it held the call for {slow:.1f} s"
        scene.judged_alone()
    return Told(ALONE, scene.heals())


def socket_replaced(scene: Scene) -> Told:
    """A dead socket in the place of a living daemon's is noticed."""
    scene.home.serves()
    scene.judged()
    scene.home.socket.unlink()
    with closing(socket.socket(socket.AF_UNIX)) as dead:
        dead.bind(str(scene.home.socket))
    return Told("the next hook was judged, 1 daemon", scene.heals())


def connections_that_say_nothing(scene: Scene) -> Told:
    """Two hundred silent connections delay no hook."""
    scene.home.serves()
    links = []
    try:
        for _ in range(200):
            link = socket.socket(socket.AF_UNIX)
            link.connect(str(scene.home.socket))
            links.append(link)
        seconds = scene.heals()
    finally:
        for link in links:
            link.close()
    assert threading.active_count() < 50
    return Told("the next hook was judged beside them", seconds)
