"""Scenarios of claims and stale views: two sessions of the real client in one repository."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from clients.client import Scene
from clients.models.turn import Turn, bash, call
from clients.place import until
from clients.scenarios import scenario

Run = Future[dict[str, Any]]


def read(file: Path) -> Turn:
    """Return a turn that reads a file."""
    return call("Read", file_path=str(file))


def edit(file: Path, old: str, new: str) -> Turn:
    """Return a turn that replaces a text in a file."""
    return call("Edit", file_path=str(file), old_string=old, new_string=new)


def held(turn: Turn) -> Turn:
    """Return a turn that waits for its release."""
    return replace(turn, held=True)


WAITS = bash("until [ -e go ]; do sleep 0.1; done")
"""Keeps a session open until the project has a file `go`."""


def worktree(scene: Scene, *names: str) -> Scene:
    """Commit files of one line to the project; return the scene of another worktree of it."""
    for name in names:
        (scene.project / name).parent.mkdir(exist_ok=True)
        (scene.project / name).write_text("one\n")
    scene.run("git", "add", ".")
    scene.run("git", "commit", "--quiet", "--message", "Begin")
    scene.run("git", "worktree", "add", "--quiet", str(scene.home / "tree"))
    return replace(scene, folder="tree")


@contextmanager
def both(scene: Scene, other: Scene, ann: list[Turn], bob: list[Turn]) -> Iterator[Run]:
    """Let Bob work in one place until his held turn, then Ann in the other until she waits.

    Bob's turn is released in the block; Ann's session ends with it.
    """
    scene.mock.script(**{"Ann:": [*ann, WAITS, "done"], "Bob:": [*bob, "done"]})
    with ThreadPoolExecutor(2) as pool:
        try:
            run = pool.submit(other.asks, "Bob: work", AGENT_ID="bob")
            before = [turn.held for turn in bob].index(True) + 1
            until(lambda: len(scene.mock.sent("Bob:")) == before, "Bob waits")
            pool.submit(scene.asks, "Ann: work", AGENT_ID="ann")
            until(lambda: len(scene.mock.sent("Ann:")) == len(ann) + 1, "Ann waits")
            yield run
        finally:
            scene.mock.release()
            (scene.project / "go").touch()


@scenario("a claimed file")
def claimed_file(scene: Scene) -> None:
    """An edit in a worktree of what another session has claimed is asked about until it ends."""
    tree = worktree(scene, "src/orders.py", "notes.txt")
    orders, notes = tree.project / "src/orders.py", tree.project / "notes.txt"
    claim = bash("hookd claim 'src/**' --for 30m --why 'the new routes'")
    own = scene.project / "notes.txt"
    ann = [claim, read(own), edit(own, "one", "by Ann")]
    bob = [
        read(orders),
        read(notes),
        held(edit(orders, "one", "by Bob")),
        edit(notes, "one", "two"),
        edit(notes, "two", "by Bob"),
    ]
    with both(scene, tree, ann, bob) as run:
        scene.mock.release()
        run.result()
        (row,) = scene.rows("SELECT * FROM claims WHERE automatic = 0")
        assert (row["agent"], row["pattern"], row["released_at"]) == ("ann", "src/**", None)
    assert orders.read_text() == "one\n", "print mode has no person to ask, so it is denied"
    *_, asked, told, again = scene.mock.sent("Bob:")
    for words in (
        "src/** is claimed by ann (claude-code, session ",
        " ago, for ",
        '"the new routes"',
        "To ask for it: hookd send ann 'TEXT'",
    ):
        assert words in asked.replace('\\"', '"'), words
    edited = "notes.txt is being edited by ann (claude-code, session "
    assert edited not in asked
    assert told.count(edited) == again.count(edited) == 1, "it is told once"
    assert notes.read_text() == "by Bob\n", "an automatic claim only tells"
    until(
        lambda: {row["released_by"] for row in scene.rows("SELECT * FROM claims")} == {"session"},
        "every claim has ended with its session",
    )
    tree.asks("again", read(orders), edit(orders, "one", "by Bob"), "done", AGENT_ID="bob")
    assert orders.read_text() == "by Bob\n"


@scenario("a stale view")
def stale_view(scene: Scene) -> None:
    """A change of what another session has changed is refused until the file is read again."""
    worktree(scene, "a.txt", "b.txt")
    first, second = scene.project / "a.txt", scene.project / "b.txt"
    ann = [read(first), edit(first, "one", "by Ann"), read(second), edit(second, "one", "by Ann")]
    bob = [
        read(first),
        read(second),
        held(bash("sed -i s/one/two/ a.txt; echo > b.txt")),
        edit(second, "one", "two"),
        read(second),
        edit(second, "by Ann", "by both"),
        bash("cat a.txt"),
        bash("sed -i 's/by Ann/by both/' a.txt"),
        bash("sed -i 's/by both/by Bob at last/' a.txt"),
    ]
    with both(scene, scene, ann, bob) as run:
        scene.mock.release()
        run.result()
    assert first.read_text() == "by Bob at last\n"
    assert second.read_text() == "by both\n"
    *_, command, by_tool, _, _, _, _, _ = scene.mock.sent("Bob:")
    for name in ("a.txt", "b.txt"):
        assert f"{name} has changed since you last read it. ann (claude-code, session " in command
    # The client compares times before its hooks run.
    assert "modified since read" in by_tool.replace("changed since you last read", "")
    denied = [row["tool_name"] for row in scene.recorded("PreToolUse") if row["decision"]]
    assert denied == ["Bash"]
