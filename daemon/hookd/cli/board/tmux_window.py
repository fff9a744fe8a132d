"""Go to a session's tmux pane, or open a window in its project's folder.

tmux gets argument lists, never a shell's text. Paths come from events, so a path that is not
absolute or that tmux would read as a format is refused or escaped.
"""

import subprocess
from collections.abc import Sequence

from hookd.core.sessions.tmux import is_pane
from hookd.lazy_dataclass import dataclass

_TIMEOUT_S = 2
"""Seconds after which a tmux that hangs is given up."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a session runs: its tmux socket, pane and server process, and its project's folder."""

    socket: str | None
    pane: str | None
    server: int | None
    folder: str | None


def go(spot: Spot, own_socket: str | None) -> str:
    """Select the session's pane, else open a window in its folder; return what was done.

    `own_socket` is the tmux server that shows the board, None outside of tmux.
    """
    if spot.socket and spot.pane and _there(spot.socket, spot.pane, spot.server):
        return _select(spot.socket, spot.pane, own_socket)
    if not spot.folder or not _is_path(spot.folder):
        return "This session has no project folder."
    socket = own_socket or (spot.socket if spot.socket and _is_path(spot.socket) else None)
    if socket is None:
        return f"No tmux here. Its folder: {spot.folder}"
    failed = _tmux(socket, *window_args(spot.folder))[0]
    if failed:
        return f"tmux opened no window: {failed}"
    return f"Opened a tmux window in {spot.folder}"


def window_args(folder: str) -> tuple[str, ...]:
    """Return the arguments that open a window in a folder.

    tmux expands formats in the folder, and `#(...)` would run a command: `#` is doubled.

    >>> window_args("/work/a#(date)")[-1]
    '/work/a##(date)'
    """
    return ("new-window", "-c", folder.replace("#", "##"))


def _select(socket: str, pane: str, own_socket: str | None) -> str:
    """Select a pane that exists; a client of the same server is switched to it."""
    steps: list[tuple[str, ...]] = [("select-window", "-t", pane), ("select-pane", "-t", pane)]
    if own_socket == socket:
        steps.append(("switch-client", "-t", pane))
    for step in steps:
        if failed := _tmux(socket, *step)[0]:
            return f"tmux could not select {pane}: {failed}"
    if own_socket == socket:
        return f"Went to {pane}."
    return f"Selected {pane}; see it with: tmux -S {socket} attach"


def _there(socket: str, pane: str, server: int | None) -> bool:
    """Return whether a pane still exists; a restarted server reuses numbers."""
    if not _is_path(socket) or not is_pane(pane):
        return False
    failed, printed = _tmux(socket, "list-panes", "-a", "-F", "#{pid} #{pane_id}")
    lines = [line.split() for line in printed.splitlines()]
    return not failed and any(
        line[1:] == [pane] and (server is None or line[0] == str(server)) for line in lines
    )


def _is_path(path: str) -> bool:
    return path.startswith("/") and "\0" not in path


def _tmux(socket: str, *args: str) -> tuple[str, str]:
    """Return why a command of tmux failed, "" if it did not, and what it printed."""
    command: Sequence[str] = ("tmux", "-S", socket, *args)
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {_TIMEOUT_S} s", ""
    except (OSError, ValueError) as error:  # ValueError: a path that no text can be
        return str(error), ""
    said = done.stderr.decode(errors="replace").strip()
    return (said or f"exit code {done.returncode}") if done.returncode else "", done.stdout.decode(
        errors="replace"
    )
