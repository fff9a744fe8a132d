"""Origin of a request: the terminal and the client process that it came from."""

from collections.abc import Sequence

from hookd.core.model.client_process import Process
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an effort was started, or a session runs; unknown parts are "".

    `terminal` is the leader of the kernel's session and `client` the nearest client process, each
    as `PID:START`, so that a later process with the same id is another one. `pane` is the one of
    tmux.
    """

    terminal: str = ""
    client: str = ""
    pane: str = ""

    def shares(self, other: "Origin") -> bool:
        """Return whether both are of one terminal, tmux pane or client process."""
        return (
            bool(self.client and self.client == other.client)
            or bool(self.terminal and self.terminal == other.terminal)
            or bool(self.pane and self.pane == other.pane)
        )


UNKNOWN = Origin()


def terminal_id(process: Process | None, leader: Process | None, chain: Sequence[Process]) -> str:
    """Return the id of a process's terminal as `PID:START`, "" if no process is given.

    `leader` leads the kernel session of the process, None if it cannot be read; `chain` are the
    process and its ancestors. A kernel session of 0 has its leader outside this PID namespace (a
    container, a sandbox): then the ancestor that entered the namespace represents the terminal.
    """
    if process is None:
        return ""
    if not process.session:
        return chain[-1].id if chain else ""
    # The id of a leader that has ended stays in use as long as its session.
    start = leader.start if leader and leader.start <= process.start else 0
    return f"{process.session}:{start}"
