"""Start the daemon of a service: it replaces a running daemon, and is waited for."""

import time
from importlib import import_module
from pathlib import Path

import click

from hookd import paths
from hookd.cli.lib import client
from hookd.cli.lib.client import State
from hookd.cli.lib.errors import Problem
from hookd.cli.lifecycle.lift_stop import lift_stop
from hookd.cli.service.managers import Host, ManagerError
from hookd.lazy_dataclass import dataclass

_TIMEOUT_S = 20
"""Limit for a daemon to answer, or to leave its socket."""


@dataclass(frozen=True)
class StartResult:
    """The service's process, the daemon that ran before outside of it, and whether a stop ended."""

    pid: int
    before: int | None
    stopped: bool


def start_service(host: Host, *, renewed: bool) -> StartResult:
    """Start the service now and at login; return when its daemon answers.

    Raise ManagerError without a service manager, Problem if it refuses or no daemon answers.
    """
    seen, before = host.look(), serving()
    stopped = lift_stop()
    try:
        if renewed or not seen.enabled:
            host.enable(renewed=renewed)
        if renewed or not seen.active or seen.pid != before:
            host.start(renewed=renewed)
    except ManagerError as error:
        raise Problem(f"{error}.", host.record) from None
    pid = _awaited(host)
    return StartResult(pid, before if before not in (seen.pid, pid) else None, stopped)


def serving() -> int | None:
    """Return the process of the daemon that answers here, or None."""
    try:
        pid: int = client.call("daemon.status", {"env": {}})["pid"]
    except Problem:
        return None
    return pid


def take_over() -> None:
    """End a running daemon after its requests in flight, and wait until it leaves its socket.

    A hook that runs meanwhile waits for the next daemon.
    """
    place = paths.paths().socket
    state = client.probe(place)
    if state in (State.HUNG, State.FOREIGN):
        raise client.absent(state)
    if state is not State.LISTENING:
        return
    import_module("hookd.daemon.app")  # slow, so it is imported before the other daemon ends
    before = _socket_id(place)
    pid = client.call("daemon.stop", {"env": {}})["pid"]
    click.echo(f"hookd: the daemon that ran (process {pid}) hands over to this one.", err=True)
    end = time.monotonic() + _TIMEOUT_S
    while _socket_id(place) == before:
        if time.monotonic() > end:
            sentence = f"The daemon that ran (process {pid}) does not leave its socket."
            raise Problem(sentence, "hookd daemon logs -n 20")
        time.sleep(0.01)


def _socket_id(socket: Path) -> tuple[int, int] | None:
    """Return an identity that differs for the next socket of this path; None without one."""
    try:
        status = socket.lstat()
    except OSError:
        return None
    return status.st_ino, status.st_ctime_ns


def _awaited(host: Host) -> int:
    """Wait for the service's daemon; return its process."""
    end = time.monotonic() + _TIMEOUT_S
    while not (seen := host.look()).failed and time.monotonic() < end:
        if seen.pid and seen.pid == serving():
            return seen.pid
        time.sleep(0.05)
    raise Problem(
        f"The service {host.name} is installed, but its daemon does not answer.", host.record
    )
