"""A line in the terminal of an agent: it is shown as it is, in the fleet's own panes alone."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookd.core.sessions.tmux import Pane, message_args
from hookd.system.tmux import Painter
from support.tmux_server import Terminal, terminal


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder for sockets: their paths have 103 bytes, too few for pytest's."""
    path = Path(tempfile.mkdtemp(prefix="hk", dir="/tmp"))
    yield path
    shutil.rmtree(path)


def messages(server: Terminal) -> str:
    """Return what tmux has shown to its clients, and its commands."""
    return server.tmux("show-messages")


def pane(server: Terminal, name: str = "%0", process: int | None = None) -> Pane:
    return Pane("ada", "idle", str(server.socket), name, server=process)


async def test_a_line_is_shown_as_it_is_and_nothing_in_it_is_run(place: Path) -> None:
    ran = place / "ran"
    with terminal(place / "fleet-a") as fleet, fleet.attached():
        text = f"ada: 50% of #(touch {ran}) #{{pane_id}} %H -x; kill-server ;"
        await Painter().say(pane(fleet), text)
        assert f"message: {text.rstrip('; ')}" in messages(fleet)
    assert not ran.exists()


@pytest.mark.parametrize("socket", ["default", "fleet-a"])
async def test_no_other_pane_is_written_to(place: Path, socket: str) -> None:
    with terminal(place / socket) as server, server.attached():
        there = int(server.shows("%0", "#{pid}"))
        other = {"default": pane(server), "fleet-a": pane(server, process=there + 1)}[socket]
        await Painter().say(other, "a word")
        await Painter().say(pane(server, "%9"), "a word")
        await Painter().say(pane(server, "nowhere"), "a word")
        assert "a word" not in messages(server)


@pytest.mark.parametrize(
    ("text", "literal"),
    [("#{a} #(b) ##", "##{a} ##(b) ####"), ("100%", "100%%"), ("a;", "a"), ("; ; ", "")],
)
def test_what_tmux_would_read_is_escaped(text: str, literal: str) -> None:
    assert message_args("%3", text) == ("display-message", "-t", "%3", "--", literal)
