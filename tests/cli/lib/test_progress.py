"""Progress of long work: drawn on a terminal only, with a percentage only if work is counted."""

import os
import pty
import sys
from contextlib import redirect_stderr
from io import StringIO

import pytest

from hookd.cli.lib import terminal
from hookd.cli.lib.progress import LongWork


def drawn(monkeypatch: pytest.MonkeyPatch, work: LongWork, **env: str) -> str:
    """Return what a terminal gets of some work that is half done."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", "COLUMNS": "80", **env}.items():
        monkeypatch.setenv(name, value)
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as screen, redirect_stderr(screen):
        terminal.protect()
        with work:
            work.reach(1)
            work.advance(1)
        sys.stderr.write("END")
        screen.flush()
        said = b""
        while not said.endswith(b"END"):
            said += os.read(ours, 65_536)
    os.close(ours)
    return said.decode()


def test_counted_work_has_a_percentage_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    said = drawn(monkeypatch, LongWork("Copying [red]x\x07", 4))
    assert "Copying [red]x\\x07" in said
    assert "50%" in said
    assert said.endswith("\x1b[2KEND")  # the line is erased


def test_work_without_an_amount_has_no_percentage(monkeypatch: pytest.MonkeyPatch) -> None:
    said = drawn(monkeypatch, LongWork("Compacting"))
    assert "Compacting" in said
    assert "0:00:0" in said
    assert "%" not in said


def test_no_color_draws_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[3" in drawn(monkeypatch, LongWork("Copying", 4))
    assert "\x1b[3" not in drawn(monkeypatch, LongWork("Copying", 4), NO_COLOR="1")


def test_nothing_is_drawn_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(monkeypatch, LongWork("Copying", 4, quiet=True)) == "END"
    assert drawn(monkeypatch, LongWork("Copying", 4), TERM="dumb") == "END"
    with redirect_stderr(StringIO()) as pipe, LongWork("Copying", 4) as work:
        work.reach(2)
    assert pipe.getvalue() == ""
