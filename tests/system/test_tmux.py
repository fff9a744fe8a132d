"""Statuses in real tmux servers: what is painted, when, who is woken, and what is left alone."""

import asyncio
import os
import shutil
import signal
import stat
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.fleet.tmux_conf import render
from hookd.core.sessions.tmux import Pane, panes
from hookd.system.tmux import Painter
from support.home import until as wait_until
from support.programs import needed
from support.tmux_server import Terminal, terminal


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder for sockets: their paths have 103 bytes, too few for pytest's."""
    path = Path(tempfile.mkdtemp(prefix="hk", dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def fleet(place: Path) -> Iterator[Terminal]:
    """A tmux server of the fleet."""
    with terminal(place / "fleet-a") as one:
        yield one


@pytest.fixture
def calls(place: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """The calls of tmux so far, a line each: a script records them before the real one."""
    log, script = place / "calls", place / "bin" / "tmux"
    script.parent.mkdir()
    script.write_text(f'#!/bin/bash\necho "${{*:3}}" >> {log}\nexec {needed("tmux")} "$@"\n')
    script.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{script.parent}:{os.environ['PATH']}")
    return lambda: log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Callable[[], list[Any]]:
    """What hookd logged so far. asyncio logs, too, when a painter is cancelled."""
    caplog.set_level("DEBUG", "hookd")
    return lambda: [one for one in caplog.records if one.name == "hookd"]


@asynccontextmanager
async def painting() -> AsyncIterator[Painter]:
    """A painter at work."""
    painter = Painter()
    async with asyncio.TaskGroup() as beside:
        task = beside.create_task(painter.run())
        yield painter
        task.cancel()


async def until(condition: Callable[[], Any]) -> None:
    """Wait until it is true, without holding up the painter."""
    await asyncio.to_thread(wait_until, condition)


def agent(fleet: Terminal, status: Any, pane: str = "%0", **more: Any) -> Pane:
    """Return an agent in a pane, called by it."""
    return Pane(f"agent-{pane}", status, str(fleet.socket), pane, **more)


async def shown(painter: Painter, fleet: Terminal, *of_panes: Pane) -> None:
    """Show a fleet; wait until each pane has its status."""
    painter.show(of_panes)
    await until(lambda: all(fleet.status(one.pane) == one.status for one in of_panes))


async def woken(fleet: Terminal) -> None:
    """Wait as a coordinator does."""
    await asyncio.to_thread(fleet.tmux, "wait-for", "coordinator-wake")


STYLES = [
    ("error", {}, "bg=#3d2020,fg=#f38ba8"),
    ("attention", {}, "bg=#081a10,fg=#70e0a0"),
    ("working", {}, "bg=#080c10,fg=#5080b0"),
    ("working", {"coordinates": True}, "bg=#0d0518,fg=#5080b0"),
    ("working", {"manages": True, "coordinates": True}, "bg=#110520,fg=#5080b0"),
    ("checked", {"manages": True}, "bg=#0a1005,fg=#506850"),
    ("idle", {}, "bg=#0a0a0a,fg=#505050"),
    ("done", {}, "bg=#0a0a0a,fg=#505050"),
]


async def test_a_pane_gets_its_status_and_its_colours(fleet: Terminal) -> None:
    names = ["%0", *(fleet.pane("new-window") for _ in STYLES[1:])]
    rows = list(zip(names, STYLES, strict=True))
    async with painting() as painter:
        painter.show([agent(fleet, status, pane, **more) for pane, (status, more, _) in rows])
        await until(lambda: all(fleet.window(pane) for pane in names))
    for pane, (status, _, style) in rows:
        assert fleet.status(pane) == fleet.window(pane) == status
        assert fleet.option(pane, "window-style") == style
        assert fleet.option(pane, "window-active-style") == "bg=#000000"


async def test_a_theme_of_the_user_beats_the_table(fleet: Terminal) -> None:
    fleet.tmux("set-option", "-g", "@fleet_theme_working", "bg=red,fg=white")
    async with painting() as painter:
        painter.show([agent(fleet, "working", manages=True)])
        await until(lambda: fleet.option("%0", "window-style") == "bg=red,fg=white")


async def test_a_theme_that_is_no_style_spoils_nothing_else(
    fleet: Terminal, logged: Callable[[], list[Any]]
) -> None:
    fleet.tmux("set-option", "-g", "@fleet_theme_error", "shiny")
    async with painting() as painter:
        painter.show([agent(fleet, "error")])
        await until(lambda: fleet.window("%0") == "error" and logged())
    (line,) = logged()
    assert line.__dict__["about"]["error"] == "invalid style: shiny"


async def test_a_window_has_the_highest_status_of_its_panes(fleet: Terminal) -> None:
    beside, other = fleet.pane("split-window"), fleet.pane("new-window")
    steps = [("working", "attention", "attention"), ("error", "attention", "error")]
    steps += [
        ("working", "done", "working"),
        ("idle", "done", "idle"),
        ("idle", "checked", "checked"),
    ]
    async with painting() as painter:
        for mine, yours, highest in steps:
            both = agent(fleet, mine), agent(fleet, yours, beside)
            await shown(painter, fleet, *both, agent(fleet, "done", other))
            windows = (highest, "done")
            await until(lambda: (fleet.window("%0"), fleet.window(other)) == windows)  # noqa: B023


async def test_what_has_not_changed_is_no_call_of_tmux(fleet: Terminal, calls: Any) -> None:
    beside = fleet.pane("split-window")
    async with painting() as painter:
        await shown(painter, fleet, agent(fleet, "working"))
        for _ in range(50):
            painter.show([agent(fleet, "working")])
        await shown(painter, fleet, agent(fleet, "working"), agent(fleet, "working", beside))
        await until(lambda: len(calls()) >= 4)
    assert [line.split()[:3] for line in calls()] == [
        ["list-panes", "-t", "%0"],
        ["set-option", "-p", "-t"],
        ["list-panes", "-t", beside],
        ["set-option", "-p", "-t"],
    ]


def painted(calls: list[str]) -> list[tuple[str, str]]:
    """Return the panes and statuses that were painted, in order."""
    words = (line.split() for line in calls if "@pane_notify" in line.split()[:5])
    return [(line[3], line[5]) for line in words]


async def test_a_higher_status_is_painted_before_a_lower_one(fleet: Terminal, calls: Any) -> None:
    beside = fleet.pane("split-window")
    async with painting() as painter:
        await shown(painter, fleet, agent(fleet, "attention"), agent(fleet, "working", beside))
        await shown(painter, fleet, agent(fleet, "done"), agent(fleet, "error", beside))
    assert painted(calls()) == [
        ("%0", "attention"),
        (beside, "working"),
        (beside, "error"),
        ("%0", "done"),
    ]


async def test_a_lower_status_that_does_not_last_is_not_painted(
    fleet: Terminal, calls: Any
) -> None:
    beside = fleet.pane("split-window")
    async with painting() as painter:
        first = agent(fleet, "working")
        await shown(painter, fleet, first, agent(fleet, "error", beside))
        painter.show([agent(fleet, "done"), agent(fleet, "error", beside)])
        # Beside it a status becomes lower afterwards: once that is painted, `done` was due before.
        await shown(painter, fleet, first, agent(fleet, "checked", beside))
        await shown(painter, fleet, agent(fleet, "attention"), agent(fleet, "checked", beside))
    assert painted(calls()) == [
        ("%0", "working"),
        (beside, "error"),
        (beside, "checked"),
        ("%0", "attention"),
    ]


async def test_of_several_agents_in_a_pane_the_last_is_seen(fleet: Terminal, calls: Any) -> None:
    async with painting() as painter:
        painter.show([agent(fleet, "error"), agent(fleet, "working")])
        await until(lambda: fleet.window("%0"))
    assert painted(calls()) == [("%0", "working")]


async def test_a_coordinator_is_woken_by_a_child_that_changes_and_by_no_other(
    fleet: Terminal, calls: Any
) -> None:
    beside = fleet.pane("split-window")

    def family(child: Any, parent: Any = "working") -> list[Pane]:
        return [agent(fleet, child, beside, parent="agent-%0"), agent(fleet, parent)]

    steps = [("done", "working"), ("working", "error"), ("working", "working")]
    async with painting() as painter:
        for step in steps:
            await shown(painter, fleet, *family(*step))
        assert not [line for line in calls() if line.startswith("wait-for")], "nobody's child moved"
        for count, status in enumerate(("attention", "error", "done"), 1):
            for _ in range(3):
                await shown(painter, fleet, *family(status))
            await woken(fleet)
            assert calls().count("wait-for -S coordinator-wake") == count


async def test_who_waits_is_woken(fleet: Terminal) -> None:
    async with painting() as painter:
        painter.show([agent(fleet, "working", parent="lead")])
        async with asyncio.TaskGroup() as beside:
            beside.create_task(woken(fleet))
            painter.show([agent(fleet, "attention", parent="lead")])


def row(socket: Path, agent: str, **more: Any) -> dict[str, Any]:
    """Return a row of fleet_status, in the pane %0."""
    found = {"agent": agent, "status": "error", "status_at": "", "parent": None, "manages": None}
    place = {"tmux_socket": str(socket), "tmux_pane": "%0", "tmux_server": None}
    return found | place | more


async def test_a_server_that_is_not_the_fleets_is_untouched(
    fleet: Terminal, place: Path, calls: Any
) -> None:
    with terminal(place / "default") as other:
        rows = [row(other.socket, "ann", parent="bob"), row(fleet.socket, "bob")]
        async with painting() as painter:
            painter.show(panes(rows))
            painter.show(panes([row(other.socket, "ann", parent="bob", status="done"), rows[1]]))
            await until(lambda: fleet.window("%0") == "error")
        for scope in ("-p", "-w"):
            assert other.tmux("show-options", scope, "-t", "%0") == ""


def gone(place: Path) -> list[Path]:
    """Return sockets behind which no server is: none, a dead one, no socket at all."""
    none, dead, file = (place / f"fleet-{name}" for name in ("none", "dead", "file"))
    with terminal(dead) as server:
        pid = int(server.shows("%0", "#{pid}"))
        os.kill(pid, signal.SIGKILL)
    file.write_text("")
    return [none, dead, file, place / "fleet-\ud800", place / ("fleet-" + "x" * 200)]


async def test_a_server_that_is_gone_is_told_of_once_and_holds_up_no_other(
    fleet: Terminal, place: Path, logged: Callable[[], list[Any]]
) -> None:
    sockets = gone(place)
    async with painting() as painter:
        for status in ("working", "attention", "error"):
            there = agent(fleet, status)
            painter.show([there, *(Pane("ann", status, str(one), "%0", "bob") for one in sockets)])
            await until(lambda: fleet.window("%0") == status)  # noqa: B023

        await until(lambda: len(logged()) == len(sockets))
    told = [(one.levelname, one.__dict__["about"]["socket"]) for one in logged()]
    assert sorted(told) == sorted(("INFO", str(one)) for one in sockets)


async def test_a_pane_that_is_gone_is_asked_for_once_a_change(fleet: Terminal, calls: Any) -> None:
    beside = fleet.pane("split-window")
    fleet.tmux("kill-pane", "-t", beside)
    lost = agent(fleet, "working", beside)
    async with painting() as painter:
        for status in ("working", "attention", "error"):
            painter.show([lost, agent(fleet, status)])
            await until(lambda: fleet.window("%0") == status)  # noqa: B023
    assert [line.split()[2] for line in calls() if line.startswith("list")].count(beside) == 1
    assert (beside, "working") not in painted(calls())


async def test_without_tmux_nothing_happens(
    fleet: Terminal,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    logged: Callable[[], list[Any]],
) -> None:
    async with painting() as painter:
        with monkeypatch.context() as without:
            without.setenv("PATH", str(place))
            painter.show([agent(fleet, "working")])
            await until(logged)
        await shown(painter, fleet, agent(fleet, "error"))
    assert len(logged()) == 1


async def test_a_server_that_hangs_is_given_up_and_holds_up_no_other(
    fleet: Terminal, place: Path, logged: Callable[[], list[Any]]
) -> None:
    with terminal(place / "fleet") as hung:
        pid = int(hung.shows("%0", "#{pid}"))
        os.kill(pid, signal.SIGSTOP)
        try:
            async with painting() as painter:
                painter.show([agent(hung, "error"), agent(fleet, "working")])
                await until(lambda: fleet.window("%0") == "working")
                assert not logged(), "it is waited for still"
                await until(logged)
        finally:
            os.kill(pid, signal.SIGCONT)
    (line,) = logged()
    assert line.__dict__["about"]["socket"] == str(hung.socket)


async def test_a_painter_that_is_cancelled_ends_what_it_runs(fleet: Terminal) -> None:
    pid, before = int(fleet.shows("%0", "#{pid}")), children()
    os.kill(pid, signal.SIGSTOP)
    try:
        async with painting() as painter:
            painter.show([agent(fleet, "error")])
            await until(lambda: children() > before)
        assert children() == before
    finally:
        os.kill(pid, signal.SIGCONT)


def children() -> set[str]:
    """Return the processes that this one has started and not heard the end of."""
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


async def test_with_a_client_attached_the_status_line_is_drawn(
    fleet: Terminal, logged: Callable[[], list[Any]]
) -> None:
    async with painting() as painter:
        with fleet.attached():
            await shown(painter, fleet, agent(fleet, "working"))
            await until(lambda: fleet.window("%0") == "working")
    assert not logged()


@pytest.mark.parametrize("folder", ["plain", "a b", "it's", "#{pane_id}", "$HOME", 'a"b', "a;b}"])
def test_the_hook_runs_the_program_wherever_it_stands(
    fleet: Terminal, place: Path, folder: str
) -> None:
    program, told, conf = place / folder / "hookd", place / "told", place / "conf"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" > {told}.new && mv {told}.new {told}\n')
    program.chmod(stat.S_IRWXU)
    conf.write_text(render(str(program)))
    fleet.tmux("source-file", str(conf))
    fleet.tmux("set-option", "-p", "-t", "%0", "@pane_notify", "attention")
    with fleet.attached():
        wait_until(told.exists)
    server = fleet.shows("%0", "#{pid}")
    assert told.read_text() == f"fleet focus %0 --socket {fleet.socket} --server {server}\n"
