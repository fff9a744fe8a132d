"""The home of how a service's daemon begins: in the place of one that runs, and waited for."""

import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import click

from hookd import paths
from hookd.cli.lib import client
from hookd.cli.lib.client import State
from hookd.cli.lib.errors import Problem
from hookd.cli.lifecycle.lift_stop import lift_stop
from hookd.cli.service.managers import Host, NotHeardError

_PATIENCE = 20
"""Seconds that a daemon may take to begin, or to leave its socket."""


@dataclass(frozen=True)
class Begun:
    """The daemon of a service, the one that had run outside of it, and if `hookd stop` held."""

    pid: int
    before: int | None
    stopped: bool


def put_in(host: Host, *, renewed: bool) -> Begun:
    """Have the service begun at login and now; return when its daemon answers.

    Raise NotHeardError where nobody can be asked, Problem where it is refused or does not come up.
    """
    seen, before = host.look(), serving()
    stopped = lift_stop()
    try:
        if renewed or not seen.enabled:
            host.enable(renewed=renewed)
        if renewed or not seen.active or seen.pid != before:
            host.start(renewed=renewed)
    except NotHeardError as error:
        raise Problem(f"{error}.", host.record) from None
    pid = _awaited(host)
    return Begun(pid, before if before not in (seen.pid, pid) else None, stopped)


def serving() -> int | None:
    """Return the process of the daemon that answers here, or None."""
    try:
        pid: int = client.call("daemon.status", {"env": {}})["pid"]
    except Problem:
        return None
    return pid


def take_over() -> None:
    """Have a daemon that runs finish what is in flight and leave its socket.

    A hook that comes meanwhile waits for the next daemon, as it does where none runs.
    """
    place = paths.paths().socket
    state = client.probe(place)
    if state in (State.HUNG, State.FOREIGN):
        raise client.absent(state)
    if state is not State.LISTENING:
        return
    import_module("hookd.daemon.app")  # slow: what can be done before it leaves is done before
    there = _which(place)
    pid = client.call("daemon.stop", {"env": {}})["pid"]
    click.echo(f"hookd: the daemon that ran (process {pid}) hands over to this one.", err=True)
    end = time.monotonic() + _PATIENCE
    while _which(place) == there:
        if time.monotonic() > end:
            sentence = f"The daemon that ran (process {pid}) does not leave its socket."
            raise Problem(sentence, "hookd daemon logs -n 20")
        time.sleep(0.01)


def _which(socket: Path) -> tuple[int, int] | None:
    """Return what tells a socket from the next one of its name."""
    try:
        found = socket.lstat()
    except OSError:
        return None
    return found.st_ino, found.st_ctime_ns


def _awaited(host: Host) -> int:
    """Return the process of the service's daemon, once it answers."""
    end = time.monotonic() + _PATIENCE
    while not (seen := host.look()).failed and time.monotonic() < end:
        if seen.pid and seen.pid == serving():
            return seen.pid
        time.sleep(0.05)
    raise Problem(
        f"The service {host.name} is put in, but its daemon does not answer.", host.record
    )
