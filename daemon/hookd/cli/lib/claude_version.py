"""Version of the installed Claude Code, and whether it supports hookd's registration."""

import os
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass

from hookd import paths
from hookd.cli.lib.errors import Problem

OLDEST = (2, 1, 101)
"""The first client that skips an event it does not know. Older ones drop the whole file for it."""

EXEC_FORM = (2, 1, 139)
"""The first client that knows `args` and starts a hook itself; older ones pass it to `sh`."""

_PATIENCE = 5.0
"""Seconds that `claude --version` may take."""


@dataclass(frozen=True)
class Client:
    """The client that was found: its version, or None and why it is not known."""

    version: tuple[int, int, int] | None
    unknown: str = ""

    @property
    def text(self) -> str | None:
        """The version as the client writes it."""
        return ".".join(map(str, self.version)) if self.version else None


def read() -> Client:
    """Return the version of the `claude` on the PATH; whatever goes wrong is told in `unknown`."""
    place = shutil.which("claude", path=paths.search_path())
    if not place:
        return Client(None, "claude is not on the PATH")
    try:
        said = _said([place, "--version"])
    except subprocess.TimeoutExpired:
        return Client(None, f"{place} --version gave no answer within {_PATIENCE:g} seconds")
    except OSError as error:
        return Client(None, f"{place} cannot be run ({error.strerror or error})")
    version = parse(said)
    return Client(version, "" if version else f"{place} --version said no version")


def parse(said: str) -> tuple[int, int, int] | None:
    """Return the version in what the client prints, such as `2.1.329 (Claude Code)`."""
    found = re.match(r"\s*v?([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})(?![0-9.])", said)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def check(client: Client) -> str | None:
    """Raise Problem for a client that is too old; return a note where its version is not known.

    No set of events is safe with an old client: which names each of them knows is written down
    nowhere, and one wrong guess switches off the permissions in the same file, in silence.
    """
    oldest = ".".join(map(str, OLDEST))
    if client.version is None:
        return f"{client.unknown}: not checked whether Claude Code is {oldest} or newer"
    if client.version < OLDEST:
        raise Problem(
            f"Claude Code {client.text} ignores a whole settings file, without a word, for one "
            f"event in it that it does not know; hookd needs {oldest} or newer.",
            "Upgrade it (claude update), or put the newer claude first on your PATH; then run the "
            "command again. Nothing was changed.",
        )
    return None


def _said(command: list[str]) -> str:
    """Return what a program prints; what it leaves behind is ended with it when it is too slow."""
    null = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=null, stdout=subprocess.PIPE, stderr=null, start_new_session=True
    ) as process:
        try:
            return process.communicate(timeout=_PATIENCE)[0].decode("utf-8", "replace")
        except BaseException:
            # A session of its own hears no Ctrl-C. And `claude` may be a script: its children
            # hold the pipe and would be waited for.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
