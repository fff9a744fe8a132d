"""Storage check: a full disk, a damaged database, a network disk."""

from collections.abc import Iterator
from typing import Any

from hookd import paths
from hookd.cli.doctor.checks.result import Finding, State, fail, found, warn
from hookd.cli.doctor.checks.timeouts import ask
from hookd.cli.lib.errors import Problem
from hookd.system import stop_marker
from hookd.system.mount_table import LOCAL_DISK_STEP, network

_CHECK = "keeping"


def check_keeping() -> Iterator[Finding]:
    """Report that the daemon cannot write; nothing if it can."""
    try:
        status = ask("daemon.status")
    except Problem as problem:
        yield found(_CHECK, State.WARN, problem)
        return
    if unkept := status.get("unkept"):
        what = f"{unkept[:1].upper()}{unkept[1:]}. Events are judged anyway."
        yield fail(_CHECK, what, unkept_step(status))


def check_places() -> Iterator[Finding]:
    """Report a damaged database that was moved aside, a network disk, a foreign stop marker."""
    places = paths.paths()
    for path in places.damaged():
        what = f"A damaged database was moved aside to {path}; a new one is in use."
        yield warn("damaged", what, damaged_step())
    if kind := network(places.state):
        what = f"{places.state} is on a network file system ({kind}): no daemon starts there."
        yield fail("disk", what, LOCAL_DISK_STEP)
    if stop_marker.foreign(places.stopped):
        what = f"{places.stopped} was not written by hookd stop: the hooks ignore it."
        yield warn("stop", what, "hookd start, which removes it")


def unkept_step(status: dict[str, Any]) -> str:
    """Return the next step if events cannot be stored."""
    return f"free the disk of {status['database']}: it recovers then, see hookd daemon logs"


def replacement_step() -> str:
    """Return the next step if the database in use is damaged."""
    database = paths.paths().database
    return (
        f"hookd stop, then mv {database} {database}.old, or cp COPY {database} with a copy by hookd"
        " db backup, then hookd start"
    )


def damaged_step() -> str:
    """Return the next step if a damaged database was moved aside."""
    database = paths.paths().database
    return (
        f"hookd stop, rm -f {database}-wal {database}-shm, cp COPY {database} with a copy by hookd"
        " db backup, hookd start; or add your guard rules again; then move the damaged file away"
    )
