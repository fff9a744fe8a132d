"""Live: a person looks at a pane, manually or by tmux's hook; its agent is checked."""

import json
import shlex
from collections.abc import Iterator
from typing import Any

import pytest

from support.home import Home, Window, until
from support.tmux_server import Terminal, terminal

LABEL = "#[fg=#70e0a0]1:"
CURRENT = "#[fg=white]#[bold]#[bg={}]0:"
COLOURS = [
    ("error", "#802020"),
    ("attention", "#208050"),
    ("working", "#204060"),
    ("checked", "#304020"),
    ("idle", "#303030"),
    ("done", "#303030"),
]


@pytest.fixture
def fleet(daemon: Home) -> Iterator[Terminal]:
    """A tmux server of the fleet beside a daemon, with the lines of `hookd fleet tmux` loaded."""
    with terminal(daemon.path / "fleet a", **daemon.env) as one:
        conf = daemon.path / "fleet.conf"
        conf.write_text(daemon.hookd("fleet", "tmux").stdout)
        one.tmux("source-file", str(conf))
        yield one


def register(home: Home, agent: str, pane: str, socket: object, status: str) -> None:
    """Let an agent run in a pane."""
    home.rpc("agents.register", {"id": agent, "tmuxPane": pane, "tmuxSocket": str(socket)})
    home.rpc("agents.updateStatus", {"id": agent, "status": status})


def status(home: Home, agent: str) -> Any:
    """Return an agent's status and the event that caused it."""
    return home.rows("SELECT status, status_event_id FROM agents WHERE id = ?", agent)[0]


def focus(home: Home, pane: str, socket: object, *more: str, **given: Any) -> Any:
    return home.hookd("fleet", "focus", pane, "--socket", str(socket), *more, **given)


def test_an_agent_that_waited_is_checked(window: Window) -> None:
    home, place = window.home, f"{window.project}/fleet"
    window.env |= {"AGENT_ID": "fay", "TMUX": f"{place},7,0", "TMUX_PANE": "%4"}
    window.says("Notification", notification_type="permission_prompt")
    assert status(home, "fay")[0] == "attention"
    assert json.loads(focus(home, "%4", place, "--json").stdout) == {
        "agent": "fay",
        "checked": True,
    }
    assert status(home, "fay") == ("checked", 0)
    assert focus(home, "%4", place).stdout == "fay did not need attention.\n"
    said = home.hookd("agent", "explain", "fay").stdout
    assert said.startswith("fay: checked\n")
    assert "because  a person focused its pane" in said


@pytest.mark.parametrize("other", ["error", "working", "checked", "idle", "done"])
def test_every_other_status_stays(window: Window, other: str) -> None:
    home, place = window.home, f"{window.project}/fleet"
    register(home, f"gus-{other}", "%1", place, other)
    before = status(home, f"gus-{other}")
    assert focus(home, "%1", place).stdout == f"gus-{other} did not need attention.\n"
    assert status(home, f"gus-{other}") == before


def test_a_pane_is_one_of_its_server(window: Window) -> None:
    home, place = window.home, f"{window.project}/fleet"
    register(home, "hob", "%1", place, "attention")
    for pane, socket in (("%2", place), ("%1", f"{place}-b"), ("%11", place)):
        assert focus(home, pane, socket).stdout == f"No agent runs in {pane}.\n"
    assert status(home, "hob")[0] == "attention"


def test_of_several_in_a_pane_it_is_the_one_that_moved_last(window: Window) -> None:
    home, place = window.home, f"{window.project}/fleet"
    register(home, "zed", "%1", place, "attention")
    now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
    until(lambda: home.rows(f"SELECT 1 FROM agents WHERE id = 'zed' AND status_at < {now}"))
    register(home, "abe", "%1", place, "attention")
    assert focus(home, "%1", place).stdout == "abe is checked.\n"
    assert status(home, "zed")[0] == "attention"


@pytest.mark.parametrize("pane", ["3", "%", "%x", "%1;"])
def test_what_is_no_pane_is_refused_with_the_way_to_find_one(window: Window, pane: str) -> None:
    done = focus(window.home, pane, "/x/fleet", check=False)
    assert done.returncode == 1
    assert done.stderr == (
        f"hookd: {pane} is not a tmux pane.\n  next: tmux list-panes -a -F '#{{pane_id}}'\n"
    )


def test_tmux_tells_of_each_way_to_look_at_a_pane(daemon: Home, fleet: Terminal) -> None:
    ways = {
        fleet.pane("split-window"): "select-pane -t {}",
        fleet.pane("new-window"): "select-window -t {}",
        fleet.pane("new-window", "-t", ":5"): "next-window",
    }
    with fleet.attached():
        for pane, way in ways.items():
            register(daemon, pane, pane, fleet.socket, "attention")
            fleet.tmux("set-option", "-p", "-t", pane, "@pane_notify", "attention")
            fleet.tmux(*shlex.split(way.format(pane)))
            until(lambda: status(daemon, pane) == ("checked", 0))  # noqa: B023
            assert fleet.shows(pane, "#{pane_in_mode}") == "0", "nothing covers the pane"


def test_while_it_is_suppressed_tmux_tells_of_nothing(daemon: Home, fleet: Terminal) -> None:
    first, second = fleet.pane("split-window"), fleet.pane("split-window")
    for pane in (first, second):
        register(daemon, pane, pane, fleet.socket, "attention")
        fleet.tmux("set-option", "-p", "-t", pane, "@pane_notify", "attention")
    with fleet.attached():
        fleet.tmux("set-option", "-g", "@suppress_focus_hook", "1")
        fleet.tmux("select-pane", "-t", first)
        fleet.tmux("set-option", "-g", "@suppress_focus_hook", "0")
        fleet.tmux("select-pane", "-t", second)
        until(lambda: status(daemon, second)[0] == "checked")
    assert status(daemon, first)[0] == "attention"


@pytest.mark.parametrize(("of_window", "colour"), COLOURS)
def test_a_label_has_its_window_s_colour(fleet: Terminal, of_window: str, colour: str) -> None:
    fleet.tmux("set-option", "-w", "-t", "%0", "@window_notify", of_window)
    current = "#{T:window-status-current-format}"
    assert fleet.shows("%0", current).startswith(CURRENT.format(colour))


def test_the_label_of_another_window_is_coloured_too_and_one_without_a_status_is_not(
    fleet: Terminal,
) -> None:
    pane = fleet.pane("new-window")
    assert fleet.shows(pane, "#{T:window-status-format}").startswith("1:")
    fleet.tmux("set-option", "-w", "-t", pane, "@window_notify", "attention")
    assert fleet.shows(pane, "#{T:window-status-format}").startswith(LABEL)


def test_loading_the_lines_again_adds_nothing_and_keeps_what_others_set(
    daemon: Home, fleet: Terminal
) -> None:
    fleet.tmux("set-hook", "-ga", "pane-focus-in", "display-message x")
    before = fleet.tmux("show-hooks", "-g", "pane-focus-in")
    fleet.tmux("source-file", str(daemon.path / "fleet.conf"))
    assert fleet.tmux("show-hooks", "-g", "pane-focus-in") == before
    assert len(before.splitlines()) == 2
    assert fleet.tmux("show-options", "-gv", "focus-events") == "on"


def test_what_the_hook_runs_says_nothing_also_where_no_daemon_is(
    daemon: Home, fleet: Terminal
) -> None:
    (line,) = [
        line
        for line in (daemon.path / "fleet.conf").read_text().splitlines()
        if "run-shell" in line
    ]
    command = shlex.split(line)[-1]
    assert fleet.tmux("run-shell", "-t", "%0", command) == ""
    daemon.hookd("stop", "--yes")
    assert fleet.tmux("run-shell", "-t", "%0", command) == "", "it would cover the pane"


def test_the_board_is_shown_as_before(window: Window) -> None:
    home = window.home
    register(home, "ida", "%1", f"{window.project}/fleet", "working")
    assert "ida" in home.hookd("fleet").stdout
    assert "ida" in [row["agent"] for row in json.loads(home.hookd("fleet", "--json").stdout)]
    done = home.hookd("fleet", "nothing", check=False)
    assert done.returncode == 2
    assert "No such command" in done.stderr
