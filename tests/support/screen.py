"""A terminal for the command line, and its content in the end."""

import os
import pty
import struct
import tempfile
from collections.abc import Mapping
from fcntl import ioctl
from termios import TIOCSWINSZ

from support import forkserver


def on_screen(args: tuple[str, ...], env: Mapping[str, str], cwd: object, width: int) -> list[str]:
    """Return the lines that a command prints on a terminal of this width, without colours."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    shown = {**env, "NO_COLOR": "1", "TERM": "xterm"}
    with tempfile.TemporaryFile() as told:
        done = forkserver.Child(args, shown, cwd, theirs, theirs, told.fileno())
        os.close(theirs)
        said = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
        told.seek(0)
        assert (done.wait(), b"Traceback" in told.read()) == (0, False)
    return [line.rstrip() for line in said.decode().splitlines()]


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 65_536)
    except OSError:  # Linux: the other end is closed
        return b""
