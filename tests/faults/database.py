"""Faults of the database: locked, damaged, gone, from tomorrow."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import connect

from faults.scene import Scene, Told, another, end
from support.home import until

_LOCKS = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE"); print("ready", flush=True)
sys.stdin.readline()
"""


@contextmanager
def _locked(scene: Scene) -> Iterator[None]:
    """Another program holds the database's lock."""
    with another(_LOCKS, scene.home.database):
        yield


def locked(scene: Scene) -> Told:
    """While another program locks the database, calls are judged; then they are kept again."""
    scene.home.serves()
    scene.judged(2)
    with _locked(scene):
        said = [scene.hook(kept=False) for _ in range(3)]
    assert all(one.judged for one in said), said[0].words
    slowest, mended = max(one.seconds for one in said), scene.keeps()
    told = f"judged meanwhile, after {slowest:.1f} s at most"
    return Told(told, mended.seconds, "what was judged meanwhile")


def locked_before_it_starts(scene: Scene) -> Told:
    """Locked already when it starts, hooks are judged or fail by their policy, and it heals."""
    scene.home.serves()
    scene.judged(2)
    scene.kill()
    with _locked(scene):
        open_, closed = scene.hook(kept=False), scene.hook("--fail-closed", kept=False)
    assert open_.judged or open_.words, "it passed without a word"
    assert closed.judged or closed.closed, "it was not denied"
    seconds = scene.heals(kept=False) + scene.keeps().seconds
    if open_.judged:
        return Told("a hook was judged", seconds, "what was judged meanwhile")
    return Told("a hook failed by its policy, said", seconds)


def header_overwritten(scene: Scene) -> Told:
    """A database whose beginning is overwritten is kept aside, and a new one is begun, loudly."""
    return _damaged(scene, _overwrite_header)


def middle_overwritten(scene: Scene) -> Told:
    """The same where its middle is."""
    return _damaged(scene, _overwrite_middle)


def emptied(scene: Scene) -> Told:
    """A database of no bytes is a new one: hooks are judged."""
    scene.home.serves()
    scene.judged()
    scene.kill()
    _without_log(scene)
    scene.home.database.write_bytes(b"")
    scene.answered.clear()
    return Told("a new one was begun", scene.heals(), "what it held")


def log_overwritten(scene: Scene) -> Told:
    """Where the write-ahead log is damaged, what is whole of it counts, and hooks are judged."""
    scene.home.serves()
    scene.judged(20)
    scene.kill()
    log = scene.home.path / "hookd.db-wal"
    half = log.stat().st_size // 2
    with log.open("r+b") as file:
        file.seek(half)
        file.write(os.urandom(4096))
    scene.answered.clear()  # they are lost with the disk's own promise
    return Told(
        "the whole half of the log was taken", scene.heals(), "what stood behind the damage"
    )


def damaged_while_it_serves(scene: Scene) -> Told:
    """Damaged under a living daemon, hooks are still judged, and its next start moves it aside."""
    _grown(scene)
    _checkpointed(scene)
    _overwrite_middle(scene.home.database)
    scene.answered.clear()
    for _ in range(5):
        said = scene.hook(kept=False)
        assert said.judged, f"not judged: {said.words or 'silence'}"
    end(scene.left())  # if it has not ended yet, as it does once it has looked the file through
    until(lambda: not scene.left())
    began = time.monotonic()
    _aside_and_loud(scene)
    scene.keeps()
    seconds = time.monotonic() - began
    scene.sound()
    return Told("judged; kept aside, a new one begun, said", seconds, "what the old file holds")


def deleted_while_it_serves(scene: Scene) -> Told:
    """Deleted under a living daemon, it is created again, and hooks are still judged."""
    scene.home.serves()
    scene.judged()
    for name in ("hookd.db", "hookd.db-wal", "hookd.db-shm"):
        (scene.home.path / name).unlink()
    scene.answered.clear()
    said = scene.hook(kept=False)
    assert said.judged, f"not judged: {said.words or 'silence'}"
    began = time.monotonic()
    while time.monotonic() - began < 15:
        scene.answered.clear()
        scene.judged()
        if scene.home.database.exists() and not scene.missing():
            return Told("a new one was begun", time.monotonic() - began, "what it held")
        time.sleep(0.2)
    raise AssertionError("calls are answered, and kept in a file that nobody can open")


def from_tomorrow(scene: Scene) -> Told:
    """A newer hookd's database is left as it is: hooks fail by their policy, and it is said why."""
    with closing(connect(scene.home.database)) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("CREATE TABLE of_tomorrow (id)")
    before = scene.home.database.read_bytes()
    open_, closed = scene.hook(), scene.hook("--fail-closed")
    assert not open_.judged
    assert open_.words, "it passed without a word"
    assert closed.closed, "it was not denied"
    assert scene.home.database.read_bytes() == before, "it was changed"
    assert "newer" in scene.home.hookd("start", check=False).stderr
    scene.home.database.unlink()
    return Told("hooks failed by their policy, and hookd start said why", scene.heals())


def _grown(scene: Scene) -> None:
    """Have a daemon and so many rows that the file has a middle."""
    scene.home.serves()
    for number in range(60):
        event = scene.call() | {"tool_input": {"command": f"echo {number} " + "x" * 20_000}}
        scene.home.bare(_bytes(event))
    scene.judged(2)


def _bytes(event: object) -> bytes:
    return json.dumps(event).encode()


def _checkpointed(scene: Scene) -> None:
    with closing(connect(scene.home.database, timeout=10)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _damaged(scene: Scene, damage: object) -> Told:
    assert callable(damage)
    _grown(scene)
    _checkpointed(scene)
    scene.kill()
    _without_log(scene)
    damage(scene.home.database)
    scene.answered.clear()
    began = time.monotonic()
    scene.heals(kept=False)
    _aside_and_loud(scene)
    scene.keeps()
    seconds = time.monotonic() - began
    scene.sound()
    return Told("kept aside, a new one begun, said", seconds, "what the old file holds")


def _without_log(scene: Scene) -> None:
    for name in ("hookd.db-wal", "hookd.db-shm"):
        (scene.home.path / name).unlink(missing_ok=True)


def _overwrite_header(database: Path) -> None:
    with database.open("r+b") as file:
        file.write(b"\xaa" * 200)


def _overwrite_middle(database: Path) -> None:
    size = database.stat().st_size
    with database.open("r+b") as file:
        file.seek(size // 4)
        file.write(b"\xaa" * (size // 2))


def _aside_and_loud(scene: Scene) -> None:
    """See that the damaged file is still there, and that status and doctor name it."""
    with suppress(AssertionError):
        until(lambda: _aside(scene), 20)
    held = _aside(scene)
    assert held, "the damaged file was not kept aside"
    for command in ("status", "doctor"):
        done = scene.home.hookd(command, check=False)
        flat = "".join((done.stdout + done.stderr).split())
        assert any(name in flat for name in held), f"hookd {command} does not name the old file"


def _aside(scene: Scene) -> list[str]:
    """Return the files that hold the damage, beside the database in use; a call keeps it awake."""
    scene.heals(kept=False)
    usual = {"hookd.db", "hookd.db-wal", "hookd.db-shm"}
    beside = [one for one in scene.home.path.rglob("hookd.db*") if one.name not in usual]
    return [one.name for one in beside if b"\xaa" * 100 in one.read_bytes()]
