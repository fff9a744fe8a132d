"""Programs that a test needs and a bare machine may lack: found, or the test is skipped."""

import shutil
import sys
from pathlib import Path

import pytest

PYTHON = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
"""The interpreter behind the virtual environment: it starts without its site packages."""


def needed(name: str) -> str:
    """Return the path of a program; skip the test that runs where it is not installed."""
    if place := shutil.which(name):
        return place
    pytest.skip(f"{name} is not installed here")
