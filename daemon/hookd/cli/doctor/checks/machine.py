"""Machine check: hookd's version, its Python, and the container that it runs in."""

import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from hookd import __version__
from hookd.cli.doctor.checks.result import Finding, ok
from hookd.system.container import container


def check_machine(root: Path = Path("/")) -> Iterator[Finding]:
    """Report this hookd, and a container; `root` is the file system."""
    program = Path(sys.argv[0]).absolute()
    python = platform.python_version()
    yield ok("python", f"This is hookd {__version__} ({program}) on Python {python}.")
    if kind := container(root):
        what = f"This is inside a container ({kind}): guards judge its paths, and a folder"
        yield ok("container", f"{what} mounted from the host is the host's own.")
