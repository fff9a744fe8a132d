"""Live: two agents in a tmux server of their own, through the real shim, daemon and tmux."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from support.flows import kills
from support.home import Home, Window, until, window_in
from support.tmux_server import Terminal, terminal

pytestmark = pytest.mark.gate

COLOURS = {
    "error": "bg=#3d2020,fg=#f38ba8",
    "attention": "bg=#081a10,fg=#70e0a0",
    "working": "bg=#080c10,fg=#5080b0",
    "done": "bg=#0a0a0a,fg=#505050",
}


@pytest.fixture
def fleet(daemon: Home) -> Iterator[Terminal]:
    """A tmux server of the fleet, beside a daemon."""
    with terminal(daemon.path / "fleet-a", **daemon.env) as one:
        yield one


def agent(home: Home, fleet: Terminal, name: str, pane: str, **env: str) -> Window:
    server = fleet.tmux("display-message", "-p", "#{pid}", check=False) or "7"
    tmux = {"TMUX": f"{fleet.socket},{server},0", "TMUX_PANE": pane}
    return window_in(home, AGENT_ID=name, **tmux, **env)


def table(home: Home) -> dict[str, str]:
    """Return what `hookd fleet` prints: agents with their statuses."""
    _, *lines = home.hookd("fleet").stdout.splitlines()
    return {words[0]: words[1] for words in map(str.split, lines)}


def looks(fleet: Terminal, pane: str) -> tuple[str, str]:
    return fleet.status(pane), fleet.option(pane, "window-style")


WALK: list[tuple[str, dict[str, Any], str]] = [
    ("UserPromptSubmit", {}, "working"),
    ("PermissionRequest", {}, "attention"),
    ("PreToolUse", {}, "working"),
    ("PostToolUseFailure", {"is_interrupt": False}, "error"),
    ("PostToolUse", {"tool_name": "Read"}, "working"),
    ("Stop", {"background_tasks": [{"id": "1", "type": "shell"}]}, "working"),
    ("Stop", {"background_tasks": []}, "done"),
    ("StopFailure", {"error": "rate_limit"}, "error"),
    ("UserPromptSubmit", {}, "working"),
    ("SessionEnd", {"reason": "clear"}, "working"),
    ("SessionStart", {"source": "clear"}, "working"),
    ("SessionEnd", {"reason": "prompt_input_exit"}, "done"),
]


def test_a_status_walks_with_the_work_on_the_board_and_in_its_pane(
    daemon: Home, fleet: Terminal
) -> None:
    orders = agent(daemon, fleet, "orders", "%0")
    orders.says("SessionStart")
    for event, more, status in WALK:
        orders.says(event, **more)
        assert table(daemon)["orders"] == status, event
        colours = COLOURS.get(status, COLOURS["done"])
        until(lambda: looks(fleet, "%0") == (status, colours))  # noqa: B023


def test_a_window_has_the_highest_status_of_its_panes_and_looking_checks(
    daemon: Home, fleet: Terminal
) -> None:
    beside = fleet.pane("split-window")
    orders, api = (agent(daemon, fleet, *one) for one in (("orders", "%0"), ("api", beside)))
    orders.says("SessionStart")
    api.says("SessionStart")
    until(lambda: fleet.window("%0") == "working")
    orders.says("Notification", notification_type="permission_prompt")
    until(lambda: fleet.window("%0") == "attention")
    daemon.hookd("fleet", "focus", "%0", "--socket", str(fleet.socket))
    until(lambda: (fleet.status("%0"), fleet.window("%0")) == ("checked", "working"))
    assert table(daemon) == {"orders": "checked", "api": "working"}
    api.says("PostToolUseFailure", is_interrupt=False)
    until(lambda: fleet.window(beside) == "error")


@contextmanager
def coordinating(fleet: Terminal) -> Iterator[subprocess.Popen[bytes]]:
    """One who waits until an agent needs it."""
    command = ["tmux", "-S", fleet.socket, "wait-for", "coordinator-wake"]
    with subprocess.Popen(command, env=fleet.env) as one:
        try:
            yield one
        finally:
            one.kill()


def test_a_coordinator_sleeps_until_one_of_its_own_needs_it(daemon: Home, fleet: Terminal) -> None:
    lead = agent(daemon, fleet, "lead", "%0")
    worker = agent(daemon, fleet, "worker", fleet.pane("split-window"), AGENT_PARENT="lead")
    for one in (lead, worker):
        one.says("SessionStart")
    until(lambda: fleet.status("%0") == "working")
    with coordinating(fleet) as waiting:
        lead.says("Stop", background_tasks=[])
        until(lambda: fleet.status("%0") == "done")
        assert waiting.poll() is None, "it is nobody's worker itself"
        worker.says("Stop", background_tasks=[])
        assert waiting.wait(30) == 0


def test_a_teammate_without_a_pane_wakes_its_coordinator_too(daemon: Home, fleet: Terminal) -> None:
    lead = agent(daemon, fleet, "lead", "%0")
    lead.says("SessionStart")
    until(lambda: fleet.status("%0") == "working")
    with coordinating(fleet) as waiting:
        lead.says("TeammateIdle", teammate_name="ann", team_name="team")
        assert waiting.wait(30) == 0
    assert table(daemon)["team:ann"] == "done"


def test_a_daemon_that_comes_back_paints_on(daemon: Home, fleet: Terminal) -> None:
    orders = agent(daemon, fleet, "orders", "%0")
    orders.says("SessionStart")
    until(lambda: fleet.status("%0") == "working")
    fleet.tmux("set-option", "-p", "-t", "%0", "@pane_notify", "old")
    kills(daemon)
    daemon.serves()
    until(lambda: fleet.status("%0") == "working")
    orders.says("StopFailure", error="overloaded")
    until(lambda: fleet.status("%0") == "error")


def test_another_tmux_server_is_left_alone_and_a_dead_one_is_no_error(daemon: Home) -> None:
    with terminal(daemon.path / "mine", **daemon.env) as mine:
        orders = agent(daemon, mine, "orders", "%0")
        orders.says("SessionStart")
        gone = Terminal(daemon.path / "fleet-gone")
        api = agent(daemon, gone, "api", "%0")
        api.says("SessionStart")
        until(lambda: daemon.logged("tmux command failed"))
        assert mine.status("%0") == ""
        assert table(daemon) == {"orders": "working", "api": "working"}


def test_the_board_says_what_each_works_on(daemon: Home, fleet: Terminal) -> None:
    orders = agent(daemon, fleet, "orders", "%0")
    orders.starts()
    orders.says("SessionStart")
    orders.rpc("effort.phase", phase="2: Build", reason="to see it")
    orders.bash()
    status = {
        "session_id": orders.id,
        "cost": {"total_cost_usd": 1.5},
        "context_window": {"used_percentage": 40},
    }
    daemon.rpc("session.statusLine", {"status": status, "env": orders.identity})
    (row,) = daemon.rpc("fleet.status")["agents"]
    told = {"agent": "orders", "label": "orders", "status": "working", "skill": "implement"}
    told |= {"currentPhase": "2: Build", "heartbeatCounter": 1, "contextUsage": 0.4, "cost": 1.5}
    assert told.items() <= row.items()


def test_another_server_on_the_same_socket_is_not_painted(daemon: Home) -> None:
    socket = daemon.path / "fleet-b"
    with terminal(socket, **daemon.env) as old:
        pid = old.shows("%0", "#{pid}")
        orders = window_in(daemon, AGENT_ID="orders", TMUX=f"{socket},{pid},0", TMUX_PANE="%0")
        orders.says("SessionStart")
        until(lambda: old.status("%0") == "working")
        orders.says("Notification", notification_type="permission_prompt")
        until(lambda: old.status("%0") == "attention")
    with terminal(socket, **daemon.env) as new, terminal(daemon.path / "fleet-c") as other:
        api = window_in(daemon, AGENT_ID="api", TMUX=f"{other.socket},7,0", TMUX_PANE="%0")
        api.env["TMUX"] = f"{other.socket},{other.shows('%0', '#{pid}')},0"
        orders.says("StopFailure", error="overloaded")
        api.says("SessionStart")
        until(lambda: other.status("%0") == "working")
        assert new.status("%0") == ""
        new_pid = new.shows("%0", "#{pid}")
        focus = ("fleet", "focus", "%0", "--socket", str(socket), "--server", new_pid)
        assert "No agent runs" in daemon.hookd(*focus).stdout


def test_an_agent_that_comes_back_elsewhere_leaves_its_pane(daemon: Home, fleet: Terminal) -> None:
    orders = agent(daemon, fleet, "orders", "%0")
    orders.says("SessionStart")
    until(lambda: fleet.status("%0") == "working")
    window_in(daemon, AGENT_ID="orders").says("SessionStart")
    sql = "SELECT tmux_pane, tmux_socket, tmux_server FROM agents"
    assert daemon.rows(sql) == [(None, None, None)]
