"""What the terminals of a fleet look like: its panes, their colours, and what tmux is told.

Only servers whose socket is called `fleet`, or begins with `fleet-`, are the fleet's.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hookd.core.effects import Status

_PANE = re.compile(r"%[0-9]{1,9}")

_DONE = ("#0a0a0a", "#505050")
COLOURS: Mapping[Status, tuple[str, str]] = {
    "error": ("#3d2020", "#f38ba8"),
    "attention": ("#081a10", "#70e0a0"),
    "working": ("#080c10", "#5080b0"),
    "checked": ("#0a1005", "#506850"),
    "idle": _DONE,
    "done": _DONE,
}
"""The background and the foreground of a pane, by its agent's status."""

_COORDINATING = "#0d0518"
_MANAGING = "#110520"

_LISTED = "#{@pane_notify}"

WAKE = ("wait-for", "-S", "coordinator-wake")
"""Wakes who waits by `tmux wait-for coordinator-wake`; with nobody waiting, it wakes the next."""


@dataclass(frozen=True, slots=True)
class Pane:
    """An agent in its pane. `manages` was declared; `coordinates` means it is another's parent.

    `pane` is empty for one without a terminal of its own, such as a teammate: nothing is painted
    for it, and `socket` is its coordinator's.
    """

    agent: str
    status: Status
    socket: str
    pane: str
    parent: str | None = None
    manages: bool = False
    coordinates: bool = False


def is_pane(text: str) -> bool:
    """Whether this is how tmux names a pane, such as %3."""
    return _PANE.fullmatch(text) is not None


def of_fleet(socket: str) -> bool:
    """Whether a tmux server may be touched, by the path of its socket.

    >>> of_fleet("/tmp/tmux-1000/fleet-orders"), of_fleet("/tmp/tmux-1000/default")
    (True, False)
    """
    name = socket.rpartition("/")[2]
    # A NUL would end the path on its way: another server would be meant.
    whole = socket.startswith("/") and "\0" not in socket
    return whole and (name == "fleet" or name.startswith("fleet-"))


def panes(rows: Sequence[Mapping[str, Any]]) -> tuple[Pane, ...]:
    """Return the agents of rows of fleet_status that are in the fleet, who moved last at the end.

    They have a pane there, or their coordinator has.
    """
    parents = {row["parent"] for row in rows if row["parent"] != row["agent"]}
    homes = {row["agent"]: row["tmux_socket"] for row in rows if _placed(row)}
    theirs = [row for row in rows if row["agent"] in homes or row["parent"] in homes]
    return tuple(
        Pane(
            agent=row["agent"],
            status=row["status"],
            socket=homes.get(row["agent"]) or homes[row["parent"]],
            pane=row["tmux_pane"] if row["agent"] in homes else "",
            parent=row["parent"],
            manages=bool(row["manages"]),
            coordinates=row["agent"] in parents,
        )
        for row in sorted(theirs, key=lambda row: (row["status_at"] or "", row["agent"]))
    )


def _placed(row: Mapping[str, Any]) -> bool:
    return is_pane(row["tmux_pane"] or "") and of_fleet(row["tmux_socket"] or "")


def style(pane: Pane) -> str:
    """Return how a pane looks, as tmux's format: the user's theme, else the table's colours."""
    background, foreground = COLOURS[pane.status]
    if pane.status == "working" and pane.manages:
        background = _MANAGING
    elif pane.status == "working" and pane.coordinates:
        background = _COORDINATING
    theme = f"@fleet_theme_{pane.status}"
    # A comma would end the part of a condition: it is escaped.
    return f"#{{?{theme},#{{{theme}}},bg={background}#,fg={foreground}}}"


def painting(pane: Pane) -> tuple[str, ...]:
    """Return the arguments that paint a pane, and print the statuses of its window's panes.

    The styles come last: tmux ends at a theme that is no style, and the rest holds all the same.
    """
    of_pane = ("set-option", "-p", "-t", pane.pane)
    return (
        *(*of_pane, "@pane_notify", pane.status, ";"),
        *("list-panes", "-t", pane.pane, "-F", _LISTED, ";"),
        *(*of_pane, "window-active-style", "bg=#000000", ";"),
        *(*of_pane, "-F", "window-style", style(pane)),
    )


def marking(pane: str, status: Status) -> tuple[str, ...]:
    """Return the arguments that give a pane's window its status, and draw the status line."""
    return (
        *("set-option", "-w", "-t", pane, "@window_notify", status, ";"),
        # Where nobody is attached, there is no client to draw it for.
        *("if-shell", "-F", "-t", pane, "#{session_attached}", "refresh-client -S"),
    )


def wakes(before: Mapping[str, Status], now: Iterable[Pane]) -> frozenset[str]:
    """Return the sockets on which a coordinator is to be woken: an agent of its own needs it."""
    return frozenset(
        pane.socket
        for pane in now
        if pane.parent
        and pane.status in ("error", "attention", "done")
        and before.get(pane.agent) != pane.status
    )
