"""Going to a session's tmux pane: it is selected, or a window opens in its folder; nothing runs."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookd.cli.board.tmux_window import Spot, go
from support.home import until
from support.tmux_server import Terminal, terminal


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder with a short path: a socket's has 103 bytes."""
    with tempfile.TemporaryDirectory(prefix="hkt", dir="/tmp") as path:
        yield Path(path)


def folders(tmux: Terminal) -> set[str]:
    return set(tmux.tmux("list-panes", "-a", "-F", "#{pane_current_path}").splitlines())


def test_a_pane_that_exists_is_selected_and_another_gets_a_window(place: Path) -> None:
    project = place / "a #(touch ran) #{pid} -x"
    project.mkdir()
    socket = place / "tmux"
    with terminal(socket) as tmux:
        other = tmux.pane("new-window", "-d")
        server = int(tmux.shows("%0", "#{pid}"))
        spot = Spot(str(socket), other, server, str(project))
        assert go(spot, None) == f"Selected {other}; see it with: tmux -S {socket} attach"
        assert tmux.tmux("display-message", "-p", "#{pane_id}") == other

        gone = Spot(str(socket), "%77", server, str(project))
        assert go(gone, None) == f"Opened a tmux window in {project}"
        until(lambda: str(project) in folders(tmux))
        reused = Spot(str(socket), other, server + 1, str(project))
        assert go(reused, str(socket)).startswith("Opened a tmux window in")
        assert not list(place.rglob("ran"))


@pytest.mark.parametrize(
    ("spot", "says"),
    [
        (Spot(None, None, None, None), "This session has no project folder."),
        (Spot(None, None, None, "-x"), "This session has no project folder."),
        (Spot(None, None, None, "/work\0"), "This session has no project folder."),
        (Spot("relative", "%1", None, "/work"), "No tmux here. Its folder: /work"),
        (Spot("/nowhere/tmux", "%1; kill-server", None, "/work"), "tmux opened no window: "),
        (Spot("/nowhere/tmux", "%1", 1, "/work"), "tmux opened no window: "),
    ],
)
def test_what_cannot_be_opened_is_said(spot: Spot, says: str) -> None:
    assert go(spot, None).startswith(says)
