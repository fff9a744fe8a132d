"""Version of the installed Claude Code, and whether it supports hookd's registration."""

import re
import shutil
import subprocess

from hookd import paths
from hookd.cli.lib.client_program import printed
from hookd.cli.lib.errors import Problem
from hookd.lazy_dataclass import dataclass

OLDEST = (2, 1, 101)
"""The first client that skips an unknown event. Older ones ignore the whole file for it."""

EXEC_FORM = (2, 1, 139)
"""The first client that reads `args` and starts a hook directly; older ones use `sh`."""

_TIMEOUT_S = 5.0
"""Limit of one `claude --version`."""


@dataclass(frozen=True)
class Client:
    """The installed client: its version, or None and in `unknown` the reason."""

    version: tuple[int, int, int] | None
    unknown: str = ""

    @property
    def text(self) -> str | None:
        """The version as text; None if it is unknown."""
        return ".".join(map(str, self.version)) if self.version else None


def read() -> Client:
    """Return the client on the PATH; `unknown` is the reason if its version is not known."""
    program = shutil.which("claude", path=paths.search_path())
    if not program:
        return Client(None, "claude is not on the PATH")
    try:
        text = printed([program, "--version"], _TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return Client(None, f"{program} --version did not answer within {_TIMEOUT_S:g} seconds")
    except OSError as error:
        return Client(None, f"{program} cannot be run ({error.strerror or error})")
    version = parse(text)
    return Client(version, "" if version else f"{program} --version printed no version")


def parse(text: str) -> tuple[int, int, int] | None:
    """Return the version in the client's output, such as `2.1.329 (Claude Code)`; None without."""
    match = re.match(r"\s*v?([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})(?![0-9.])", text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def check(client: Client) -> str | None:
    """Raise Problem for a client that is too old; return a note if its version is unknown.

    No set of events is safe with an old client: the events that each version knows are not
    documented, and one unknown event silently disables the permissions in the same file.
    """
    oldest = ".".join(map(str, OLDEST))
    if client.version is None:
        return f"{client.unknown}: not checked whether Claude Code is {oldest} or newer"
    if client.version < OLDEST:
        raise Problem(
            f"Claude Code {client.text} ignores a whole settings file, with no message, for "
            f"one event in it that it does not know; hookd needs {oldest} or newer.",
            "Upgrade it (claude update), or put the newer claude first on your PATH; then run the "
            "command again. Nothing was changed.",
        )
    return None
