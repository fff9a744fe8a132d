"""Origin of a request: the terminal and the client process that it came from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an effort was started, or a session runs; what is unknown is "".

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
