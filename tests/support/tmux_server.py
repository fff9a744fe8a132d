"""Real tmux servers on sockets of their own, for the tests of the fleet's terminals."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from support.home import until
from support.programs import needed


@dataclass
class Terminal:
    """One tmux server; `env` is what it and its clients are started with."""

    socket: Path
    env: dict[str, str] = field(default_factory=lambda: {"PATH": os.environ["PATH"]})

    def tmux(self, *args: str, check: bool = True) -> str:
        """Run one tmux command; return what it prints, without the last newline."""
        done = subprocess.run(
            ["tmux", "-S", self.socket, "-f", "/dev/null", *args],
            env=self.env,
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout.removesuffix("\n")

    def pane(self, *args: str) -> str:
        """Make a pane, by a command such as split-window; return its name."""
        return self.tmux(*args, "-d", "-P", "-F", "#{pane_id}", "cat")

    def shows(self, pane: str, text: str) -> str:
        """Return what a format says of a pane."""
        return self.tmux("display-message", "-p", "-t", pane, text)

    def option(self, pane: str, name: str) -> str:
        """Return a pane's own option, nothing where it has none."""
        return self.tmux("show-options", "-pqv", "-t", pane, name)

    def status(self, pane: str) -> str:
        """Return the status that a pane was painted with."""
        return self.option(pane, "@pane_notify")

    def window(self, pane: str) -> str:
        """Return the status of the pane's window."""
        return self.tmux("show-options", "-wqv", "-t", pane, "@window_notify")

    @contextmanager
    def attached(self) -> Iterator[None]:
        """A client that looks at the server, as a terminal would."""
        with subprocess.Popen(
            ["tmux", "-S", self.socket, "-C", "attach"],
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as client:
            assert client.stdout is not None
            try:
                client.stdout.readline()  # it is attached
                yield
            finally:
                client.kill()


@contextmanager
def terminal(socket: Path, **env: str) -> Iterator[Terminal]:
    """A server with one window of one pane, %0; it is gone when the block ends."""
    needed("tmux")
    one = Terminal(socket)
    one.env |= env
    assert one.pane("new-session", "-x", "80", "-y", "24") == "%0"
    server = int(one.shows("%0", "#{pid}"))
    try:
        yield one
    finally:
        one.tmux("kill-server", check=False)
        until(lambda: not _runs(server))  # the next one on this socket must not meet its end


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
