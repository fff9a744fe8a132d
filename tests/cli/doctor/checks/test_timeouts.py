"""Programs that doctor runs: with a limit, and beside other checks."""

import os
import sys
from pathlib import Path

import pytest

from hookd.cli.doctor.checks.timeouts import beside

_ECHO = ("/bin/sh", "-c", "cat; echo no >&2; exit 3")


def test_a_program_runs_beside_the_block() -> None:
    with beside(_ECHO, 20, b"text") as outcome:
        ran, _ = outcome()
        assert ran is not None
        assert (ran.code, ran.out, ran.err) == (3, b"text", b"no\n")
        assert outcome()[0] is ran


def test_a_program_ends_at_its_limit() -> None:
    with beside((sys.executable, "-c", "import time; time.sleep(600)"), 0.01) as outcome:
        ran, milliseconds = outcome()
    assert ran is None
    assert milliseconds >= 10


def test_leaving_the_block_ends_the_program_and_its_children(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # The shell and its child hold the pipe open until both have ended.
    script = f"exec 9>{pipe}; sleep 600 & wait"
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(KeyError), beside(("/bin/sh", "-c", script), 600):
        raise KeyError
    os.set_blocking(reader, True)
    with os.fdopen(reader, "rb") as file:
        assert file.read() == b""
