"""Program of a client on the PATH, and its version."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from hookd import paths
from hookd.lazy_dataclass import dataclass
from hookd.system.client_package import program_version

_VERSION = re.compile(r"(?<![0-9.])([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})(?![0-9])")
_TIMEOUT_S = 10.0
"""Limit of one `--version`; some clients start a whole JavaScript runtime for it."""


@dataclass(frozen=True)
class Program:
    """A program: its path, "" if it is not on the PATH, and its version, None if it is unknown."""

    path: str
    version: tuple[int, ...] | None = None

    @property
    def text(self) -> str:
        """The version as text, "" if it is unknown."""
        return ".".join(map(str, self.version or ()))


def read(name: str) -> Program:
    """Return the program of this name on the PATH, with the version of its package.

    Without a package the program is asked. Gemini CLI leaves files in its folder each time that it
    is asked.
    """
    path = shutil.which(name, path=paths.search_path())
    if not path:
        return Program("")
    with suppress(OSError, RuntimeError):
        if told := program_version(Path(path).resolve(strict=True)):
            return Program(path, parse(told))
    with suppress(OSError, subprocess.TimeoutExpired):
        return Program(path, parse(printed([path, "--version"], _TIMEOUT_S)))
    return Program(path)


def parse(text: str) -> tuple[int, ...] | None:
    """Return the first version in a program's output, such as `codex-cli 0.169.0`."""
    found = _VERSION.search(text)
    return tuple(map(int, found.groups())) if found else None


def printed(command: Sequence[str], seconds: float) -> str:
    """Return the output of a program. Raise OSError, or TimeoutExpired after so many seconds.

    If it is too slow, it and its children are killed.
    """
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen(
        command, stdin=null, stdout=pipe, stderr=null, start_new_session=True
    ) as process:
        try:
            return process.communicate(timeout=seconds)[0].decode("utf-8", "replace")
        except BaseException:
            # Its own session receives no Ctrl-C. And it may be a script, whose children hold the
            # pipe open.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
