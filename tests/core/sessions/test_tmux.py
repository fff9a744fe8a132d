"""What the terminals of a fleet look like: which panes there are, their colours, who is woken."""

from typing import Any

from hookd.core.model.effects.messages import Status
from hookd.core.sessions import tmux
from hookd.core.sessions.agent_status import ORDER, highest, lower
from hookd.core.sessions.tmux import Pane
from support.parametrize import parametrize_all

SOCKET = "/run/user/1000/fleet"


def row(agent: str, **more: Any) -> dict[str, Any]:
    """Return a row of fleet_status; most of its columns are of no interest here."""
    found = {"agent": agent, "status": "working", "status_at": None, "parent": None}
    place = {"manages": None, "tmux_socket": SOCKET, "tmux_pane": "%0", "tmux_server": None}
    return found | place | more


@parametrize_all(
    ("socket", "ours"),
    [
        ("/tmp/tmux-0/fleet", True),
        ("/tmp/tmux-0/fleet-orders", True),
        ("/fleet", True),
        ("/tmp/tmux-0/default", False),
        ("/tmp/tmux-0/fleets", False),
        ("/tmp/tmux-0/my-fleet", False),
        ("/tmp/tmux-0/Fleet", False),
        ("/tmp/fleet/default", False),
        ("/tmp/fleet/", False),
        ("/tmp/tmux-0/default\0/fleet", False),
        ("fleet", False),
        ("", False),
    ],
)
def test_a_server_is_the_fleets_by_the_name_of_its_socket(socket: str, ours: bool) -> None:
    assert tmux.is_fleet_socket(socket) is ours
    assert len(tmux.panes([row("ann", tmux_socket=socket)])) == ours


@parametrize_all("pane", ["%0", "%3", "%123"])
def test_a_pane_has_a_number(pane: str) -> None:
    assert tmux.is_pane(pane)


@parametrize_all("pane", ["", "3", "%", "%3;", "%3\n", "%-1", "-t", "%٣", "%1234567890"])
def test_what_is_no_pane_is_left_out(pane: str) -> None:
    assert not tmux.is_pane(pane)
    assert tmux.panes([row("ann", tmux_pane=pane)]) == ()


def test_who_has_no_place_is_left_out() -> None:
    rows = [row("ann", tmux_pane=None), row("bob", tmux_socket=None)]
    assert tmux.panes(rows) == ()


def test_a_pane_is_told_with_its_agent_and_its_family() -> None:
    rows = [
        row("ann", parent="lead", tmux_pane="%1"),
        row("lead", tmux_pane="%2", parent="lead", manages=""),
        row("self", tmux_pane="%3", parent="self"),
        row("boss", tmux_pane="%4", manages="lead"),
        row("far", tmux_pane=None, parent="boss"),
    ]
    assert tmux.panes(rows) == (
        Pane("ann", "working", SOCKET, "%1", "lead", lead=SOCKET),
        Pane("boss", "working", SOCKET, "%4", manages=True, coordinates=True),
        Pane("far", "working", SOCKET, "", "boss", lead=SOCKET),
        Pane("lead", "working", SOCKET, "%2", "lead", coordinates=True, lead=SOCKET),
        Pane("self", "working", SOCKET, "%3", "self", lead=SOCKET),
    )


def test_who_moved_last_stands_at_the_end() -> None:
    rows = [row("new", status_at="2026-01-31T08"), row("old", status_at="2026-01-30"), row("no")]
    assert [pane.agent for pane in tmux.panes(rows)] == ["no", "old", "new"]


def test_a_higher_status_is_whatever_stands_before() -> None:
    assert ORDER == ("error", "attention", "working", "checked", "idle", "done")
    for place, status in enumerate(ORDER):
        assert not lower(status, than=status)
        for other in ORDER[place + 1 :]:
            assert lower(other, than=status)
            assert not lower(status, than=other)
            assert highest([other, status, "of-the-user"]) == highest([status, other]) == status


@parametrize_all("statuses", [[], ["", "shiny"]])
def test_of_no_status_none_is_the_highest(statuses: list[str]) -> None:
    assert highest(statuses) is None


def sent(words: tuple[str, ...]) -> list[str]:
    """Return the commands of one run of tmux."""
    return [one.strip() for one in " ".join(words).split(" ;")]


def test_a_pane_is_painted_and_its_window_marked_and_drawn_in_one_run() -> None:
    *first, last = sent(tmux.paint_args(Pane("ann", "attention", SOCKET, "%7"), "error"))
    assert first == [
        "set-option -p -t %7 @pane_notify attention",
        "set-option -w -t %7 @window_notify error",
        "if-shell -F -t %7 #{session_attached} refresh-client -S",
        "set-option -p -t %7 window-active-style bg=#000000",
    ]
    assert last.startswith("set-option -p -t %7 -F window-style #{?@fleet_theme_attention,")
    assert "bg=#081a10#,fg=#70e0a0" in last


PRINTED: list[tuple[int | None, str, tuple[str, ...] | None]] = [
    (None, "12 %7 done\n12 %8 error\n12 %9\n", ("error",)),
    (12, "12 %7\n", ()),
    (12, "13 %7 done\n13 %8 error\n", None),
    (None, "12 %8 error\n", None),
    (None, "", None),
]


@parametrize_all(("server", "printed", "others"), PRINTED)
def test_a_pane_is_the_agent_s_as_long_as_its_server_lives(
    server: int | None, printed: str, others: tuple[str, ...] | None
) -> None:
    pane = Pane("ann", "working", SOCKET, "%7", server=server)
    assert tmux.other_statuses(pane, printed) == others


def child(status: Status, agent: str = "ann", parent: str | None = "lead") -> Pane:
    return Pane(agent, status, SOCKET, "%1", parent)


WAKES: list[tuple[dict[str, Status], Pane, bool]] = [
    ({"ann": "working"}, child("attention"), True),
    ({"ann": "working"}, child("error"), True),
    ({"ann": "working"}, child("done"), True),
    ({"ann": "attention"}, child("error"), True),
    ({}, child("done"), True),
    ({"ann": "done"}, child("done"), False),
    ({"ann": "done"}, child("working"), False),
    ({"ann": "attention"}, child("checked"), False),
    ({"ann": "working"}, child("idle"), False),
    ({"ann": "working"}, child("error", parent=None), False),
]


@parametrize_all(("before", "pane", "woken"), WAKES)
def test_a_coordinator_is_woken_by_a_change_that_needs_it(
    before: dict[str, Status], pane: Pane, woken: bool
) -> None:
    assert tmux.sockets_to_wake(before, [pane]) == ({SOCKET} if woken else set())
