"""A client in a tmux pane, on a socket in its home."""

import shlex
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from clients.place import Place, until


@dataclass
class Pane:
    """A tmux pane in which a client runs."""

    socket: Path
    scene: Place

    def tmux(self, *args: str, check: bool = True, env: Mapping[str, str] | None = None) -> str:
        """Run one tmux command; return its output."""
        command = ("tmux", "-S", str(self.socket), "-f", "/dev/null", *args)
        done = subprocess.run(
            command,
            env=env or self.scene.env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout

    def beside(self, command: str) -> None:
        """Run a command outside of the client, as a person in another terminal would."""
        self.tmux("run-shell", f"{command} >/dev/null 2>&1")

    def screen(self) -> str:
        """Return what the pane shows."""
        return self.tmux("capture-pane", "-p", check=False).strip()

    def waits(self, text: str, seconds: float = 60) -> str:
        """Wait until the pane shows a text, also across lines; return the screen."""

        def shown() -> str:
            screen = self.screen()
            return screen if text in " ".join(screen.split()) else ""

        return until(shown, text, seconds, self.screen)

    def answers(self, question: str, key: str, confirmed_by: str = "") -> None:
        """Wait for a dialog and press a key until it has closed.

        `confirmed_by` is what the dialog shows if the key chose, and Enter has to confirm it.
        """
        self.waits(question)

        def closed() -> bool:
            screen = self.screen()
            if question not in screen:
                return True
            self.keys("Enter" if confirmed_by and confirmed_by in screen else key)
            return False

        # A new dialog ignores keys for a moment.
        until(closed, f"dialog closed: {question}", state=self.screen, interval=0.5)

    def keys(self, *keys: str) -> None:
        """Press keys by their tmux names; the client may have ended meanwhile."""
        self.tmux("send-keys", *keys, check=False)


P = TypeVar("P", bound=Pane)


@contextmanager
def started(
    place: Place, line: list[str], kind: type[P], env: Mapping[str, str] | None = None
) -> Iterator[P]:
    """Run a client in tmux until the block ends, as a pane of this kind; keep the last screen."""
    socket = place.home / f"tmux-{uuid4().hex[:4]}"
    one = kind(socket, place)
    size = ("-x", "150", "-y", "50")
    where = ("-c", str(place.project))
    one.tmux("new-session", "-d", *size, *where, shlex.join(line), env=place.env | dict(env or {}))
    try:
        yield one
    finally:
        (place.home / "tmp/screen.txt").write_text(one.screen())
        one.tmux("kill-server", check=False)
