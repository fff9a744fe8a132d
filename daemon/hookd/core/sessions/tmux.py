"""Panes of tmux of the fleet: their colours by status, and the arguments of tmux commands.

Only servers whose socket is named `fleet`, or begins with `fleet-`, belong to the fleet.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hookd.core.model.effects.messages import Status
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

_PANE = lazy_compile(r"%[0-9]{1,9}")

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

WAKE = ("wait-for", "-S", "coordinator-wake")
"""Wakes a `tmux wait-for coordinator-wake`; without one, the next such call returns at once."""


@dataclass(frozen=True, slots=True)
class Pane:
    """An agent in its pane. `manages` was declared; `coordinates` means it is another's parent.

    `pane` is empty for an agent without a terminal, such as a teammate: nothing is painted for it,
    and `socket` is its coordinator's. `server` is the process of its tmux server; `lead` is the
    socket of its coordinator.
    """

    agent: str
    status: Status
    socket: str
    pane: str
    parent: str | None = None
    manages: bool = False
    coordinates: bool = False
    server: int | None = None
    lead: str | None = None


def is_pane(text: str) -> bool:
    """Return whether a text is a tmux pane id, such as %3."""
    return _PANE.fullmatch(text) is not None


def is_fleet_socket(socket: str) -> bool:
    """Return whether a tmux server belongs to the fleet, by the path of its socket.

    >>> of_fleet("/tmp/tmux-1000/fleet-orders"), of_fleet("/tmp/tmux-1000/default")
    (True, False)
    """
    name = socket.rpartition("/")[2]
    # A NUL would cut the path, so that it names another server.
    whole = socket.startswith("/") and "\0" not in socket
    return whole and (name == "fleet" or name.startswith("fleet-"))


def panes(rows: Sequence[Mapping[str, Any]]) -> tuple[Pane, ...]:
    """Return the agents in the fleet's panes from rows of fleet_status, by time of last status.

    They have a pane of the fleet, or their coordinator has.
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
            server=row["tmux_server"],
            lead=homes.get(row["parent"]),
        )
        for row in sorted(theirs, key=lambda row: (row["status_at"] or "", row["agent"]))
    )


def _placed(row: Mapping[str, Any]) -> bool:
    return is_pane(row["tmux_pane"] or "") and is_fleet_socket(row["tmux_socket"] or "")


def style(pane: Pane) -> str:
    """Return the style of a pane as a tmux format: the user's theme, else the table's colours."""
    background, foreground = COLOURS[pane.status]
    if pane.status == "working" and pane.manages:
        background = _MANAGING
    elif pane.status == "working" and pane.coordinates:
        background = _COORDINATING
    theme = f"@fleet_theme_{pane.status}"
    # A comma would end the part of a condition: it is escaped.
    return f"#{{?{theme},#{{{theme}}},bg={background}#,fg={foreground}}}"


def list_panes_args(pane: str) -> tuple[str, ...]:
    """Return the arguments that print the server's process and the panes of this pane's window."""
    return ("list-panes", "-t", pane, "-F", "#{pid} #{pane_id} #{@pane_notify}")


def other_statuses(pane: Pane, printed: str) -> tuple[str, ...] | None:
    """Return the statuses of the window's other panes, from the output of `list_panes_args`.

    None if the pane does not exist, or belongs to another server: a restarted server reuses ids.
    """
    lines = [line.split() for line in printed.splitlines()]
    known = [words for words in lines if len(words) >= 2]
    here = pane.server is None or all(words[0] == str(pane.server) for words in known)
    if not here or all(words[1] != pane.pane for words in known):
        return None
    return tuple(words[2] for words in known if len(words) == 3 and words[1] != pane.pane)


def paint_args(pane: Pane, of_window: Status) -> tuple[str, ...]:
    """Return the arguments that paint a pane, set its window's status, and redraw the status line.

    The styles come last: tmux stops at an invalid theme, and the other commands have run by then.
    """
    of_pane = ("set-option", "-p", "-t", pane.pane)
    return (
        *(*of_pane, "@pane_notify", pane.status, ";"),
        *("set-option", "-w", "-t", pane.pane, "@window_notify", of_window, ";"),
        # Without an attached client there is no status line.
        *("if-shell", "-F", "-t", pane.pane, "#{session_attached}", "refresh-client -S", ";"),
        *(*of_pane, "window-active-style", "bg=#000000", ";"),
        *(*of_pane, "-F", "window-style", style(pane)),
    )


def message_args(pane: str, text: str) -> tuple[str, ...]:
    """Return the arguments that show a line of text in a pane.

    The text is escaped: tmux would run `#(...)`, expand `%`, and end the command at a final `;`.

    >>> saying("%3", "50% of #(date);")[-1]
    '50%% of ##(date)'
    """
    literal = text.replace("#", "##").replace("%", "%%").rstrip("; ")
    return ("display-message", "-t", pane, "--", literal)


def sockets_to_wake(before: Mapping[str, Status], now: Iterable[Pane]) -> frozenset[str]:
    """Return the sockets on which to wake a coordinator, because one of its agents needs it.

    It is the coordinator's server, or the agent's if that is unknown.
    """
    return frozenset(
        pane.lead or pane.socket
        for pane in now
        if pane.parent
        and pane.status in ("error", "attention", "done")
        and before.get(pane.agent) != pane.status
    )
