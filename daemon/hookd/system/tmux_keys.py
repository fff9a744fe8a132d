"""Keys typed into a tmux pane, where they certainly go to a given client.

Linux only: elsewhere it is not known which process a terminal's keys go to.
"""

from pathlib import Path

from hookd.lazy_dataclass import dataclass
from hookd.system.ancestry import lineage, read
from hookd.system.tmux import run_command


@dataclass(frozen=True, slots=True)
class ClientPane:
    """A pane of a tmux server (of the process `server`, if known) and its client, as PID:START."""

    socket: str
    pane: str
    server: int | None
    client: str


async def shows_client(at: ClientPane) -> bool:
    """Return whether the pane exists, reads keys, and they go to the client."""
    shape = "#{pane_id} #{pid} #{pane_pid} #{pane_in_mode} #{pane_dead}"
    said = await _tmux(at, "list-panes", "-t", at.pane, "-F", shape)
    for line in said.splitlines():
        words = line.split()
        if len(words) == 5 and words[0] == at.pane:
            ours = at.server is None or words[1] == str(at.server)
            return ours and words[3:] == ["0", "0"] and _in_front(at.client, int(words[2]))
    return False


async def type_line(at: ClientPane, line: str) -> None:
    """Type one line and Enter."""
    await _tmux(at, "send-keys", "-t", at.pane, "-l", line)
    await _tmux(at, "send-keys", "-t", at.pane, "Enter")


def _in_front(client: str, pane_pid: int) -> bool:
    """Return whether a client runs below the pane's process, in the foreground of its terminal."""
    pid, _, start = client.partition(":")
    process = read(int(pid)) if pid.isdigit() else None
    if process is None or str(process.start) != start:
        return False
    if not any(one.pid == pane_pid for one in lineage(process.pid)):
        return False
    return bool(process.group) and _foreground(process.pid) == process.group


def _foreground(pid: int) -> int:
    """Return the process group that reads the terminal of a process; 0 if it is not known."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        return int(stat.rpartition(")")[2].split()[5])
    except (OSError, ValueError, IndexError):
        return 0


async def _tmux(at: ClientPane, *args: str) -> str:
    try:
        said, _fault = await run_command("tmux", "-S", at.socket, *args)
    except (TimeoutError, OSError, ValueError):  # ValueError: a path that no text can be
        return ""
    return said
