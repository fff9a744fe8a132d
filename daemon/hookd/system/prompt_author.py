"""Prompt author: whether a person typed the prompt that a hook event is about.

The payload does not tell: a prompt that the model has scheduled has the same one. So the evidence
is the system's: the client runs the hook, says that a person attends its session, has no other
client above it, and the terminal that it controls has just been typed into.
"""

import os
import sys
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from hookd.core.model.client_process import Process, client_name, firing, marked
from hookd.system.ancestry import caller_of, environment, lineage

_SHIM_DEPTH = 5
"""Processes above a hook's transport among which its client is."""

_ATTENDED = b"CLAUDE_CODE_SESSION_ATTENDED=1"
"""What Claude Code sets for its hooks if a person is at the session; `=0` under -p and an SDK."""

_IDLE_S = 15.0
"""Seconds since the last key. Linux notes the time of a key in steps of 8 seconds."""

_MACOS = sys.platform == "darwin"


def why_not_typed(pid: int, now: datetime, fired: Collection[tuple[int, int]] = ()) -> str:
    """Return why it is not known that a person typed a prompt, as a clause; "" if it is.

    `pid` is the process that delivers the hook event, `now` the time. `fired` are the keys of
    processes that are known to have fired hooks.
    """
    chain = tuple(lineage(pid, _SHIM_DEPTH))
    client = firing(chain)
    if client is None or not client_name(client):
        return "the process that sent it is not a hook of a client"
    if _ATTENDED not in environment(chain[0].pid).split(b"\0"):
        return "the client does not say that a person attends its session"
    if above := _client_above(client, fired):
        return above
    idle = idle_seconds(client, now)
    if idle is None:
        return "the client has no terminal of its own"
    return "" if idle <= _IDLE_S else f"nothing was typed into its terminal for {idle:.0f} s"


def idle_seconds(process: Process, now: datetime) -> float | None:
    """Return the seconds since the last input of a process's terminal, None without one."""
    device = terminal_device(process.pid)
    path = _terminal(device) if device else None
    try:
        return None if path is None else max(0.0, now.timestamp() - path.stat().st_atime)
    except OSError:
        return None


def terminal_device(pid: int) -> int | None:
    """Return the device number of a process's controlling terminal, None without one."""
    if _MACOS:
        from hookd.system import ancestry_macos  # noqa: PLC0415 - ctypes is slow to import

        return ancestry_macos.terminal_device(pid)
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    number = int(fields[4])
    # The kernel's old layout of a device number: 12 bits of the major in the middle.
    return os.makedev(number >> 8 & 0xFFF, number & 0xFF | number >> 12 & 0xFFF00) or None


def _client_above(client: Process, fired: Collection[tuple[int, int]]) -> str:
    """Return which client started this one, as a clause, "" if none did."""
    if marked(environment(client.pid)):
        return "the client was started by a coding agent"
    if client.parent <= 1:
        return ""
    why = caller_of(client.parent, fired).why
    return f"the client was started by a coding agent: {why}" if why else ""


def _terminal(device: int) -> Path | None:
    """Return the file of a terminal, None if it is in none of the usual places."""
    places = (
        Path("/dev").glob("tty*") if _MACOS else (*Path("/dev/pts").glob("*"), *_consoles(device))
    )
    for path in places:
        with suppress(OSError):
            if path.stat().st_rdev == device:
                return path
    return None


def _consoles(device: int) -> tuple[Path, ...]:
    return (Path(f"/dev/tty{os.minor(device)}"), Path(f"/dev/ttyS{os.minor(device) - 64}"))
