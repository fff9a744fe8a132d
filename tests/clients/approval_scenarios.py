"""Scenarios of the real client in tmux: its permission requests are answered outside of it."""

import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clients.client import Scene, Terminal
from clients.models.turn import bash
from clients.place import until
from clients.scenarios import MANUAL, scenario

DIALOG = "Do you want to proceed?"


@contextmanager
def holding(scene: Scene) -> Iterator[Terminal]:
    """Run the client, and a viewer that can answer in another window of its tmux."""
    settings = scene.home / ".config/hookd/settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"approvals": {"hold": True}}))
    scene.hookd("stop", "--yes")
    scene.hookd("start")
    seen = scene.home / "seen"
    with scene.terminal(*MANUAL) as terminal:
        follow = f"hookd approval --follow --json > {shlex.quote(str(seen))} 2>&1"
        terminal.tmux("new-window", "-d", follow)
        until(lambda: seen.exists() and seen.read_text(), "a viewer")
        yield terminal


def asked(scene: Scene, terminal: Terminal, command: str) -> dict[str, Any]:
    """Let the model make a call that the client asks about; return the request that waits."""
    scene.mock.script(bash(command), "done")
    terminal.types("do it")
    pending = "SELECT * FROM approvals WHERE status = 'pending'"
    (request,) = until(lambda: scene.rows(pending), "a request", 60, terminal.screen)
    terminal.waits(DIALOG)  # the client shows its own dialog all the same
    return request


def outside(terminal: Terminal, *words: str) -> None:
    """Run `hookd approval` in a window of its own."""
    terminal.tmux("new-window", "-d", shlex.join(["hookd", "approval", *words]))


def ended(scene: Scene, number: int) -> dict[str, Any]:
    """Wait until a request has ended; return it."""
    row = "SELECT * FROM approvals WHERE id = ? AND status != 'pending'"
    (found,) = until(lambda: scene.rows(row, number), "the end of the request", 30)
    return found


@scenario("permission allowed outside the client", short=True)
def allowed_outside(scene: Scene) -> None:
    with holding(scene) as terminal:
        request = asked(scene, terminal, "touch made")
        assert request["text"] == "touch made"
        outside(terminal, "allow", str(request["id"]))
        terminal.waits_for("Stop")
        assert (scene.project / "made").exists(), "the call did not run"
        assert DIALOG not in terminal.screen()
        terminal.ends()
    row = ended(scene, request["id"])
    assert row["status"] == "allowed", row
    assert ", pts/" in row["answered_by"], row


@scenario("permission denied outside the client")
def denied_outside(scene: Scene) -> None:
    with holding(scene) as terminal:
        request = asked(scene, terminal, "touch made")
        outside(terminal, "deny", str(request["id"]), "-m", "Use the build folder.")
        terminal.waits_for("Stop")
        assert not (scene.project / "made").exists(), "the call ran"
        assert "Use the build folder." in scene.mock.sent()[-1], "the model did not read it"
        terminal.ends()
    assert ended(scene, request["id"])["status"] == "denied"


@scenario("permission answered in the client's dialog first", short=True)
def answered_inside(scene: Scene) -> None:
    with holding(scene) as terminal:
        request = asked(scene, terminal, "touch made")
        terminal.answers(DIALOG, "Enter")
        terminal.waits_for("Stop")
        assert (scene.project / "made").exists()
        row = ended(scene, request["id"])
        assert (row["status"], row["message"]) == ("ended", "answered in the client's own dialog")
        # The client keeps the hook running: an answer outside comes too late, and is recorded so.
        scene.mock.turns.clear()
        request = asked(scene, terminal, "touch more && sleep 8")
        terminal.answers(DIALOG, "Enter")
        outside(terminal, "deny", str(request["id"]))
        terminal.waits_for("Stop", 2)
        assert (scene.project / "more").exists()
        late = "the client's own dialog had allowed it first"
        until(lambda: ended(scene, request["id"])["message"] == late, late, 30)
        # It ends the hook only where the answer is no.
        scene.mock.turns.clear()
        request = asked(scene, terminal, "touch third")
        terminal.answers(DIALOG, "Escape")
        row = ended(scene, request["id"])
        assert (row["status"], row["message"]) == ("ended", "answered in the client's own dialog")
        assert not (scene.project / "third").exists()
        terminal.ends()
