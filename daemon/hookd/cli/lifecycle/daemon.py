"""`hookd start`, `stop` and `restart`: start and end the daemon's process."""

import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from hookd import __version__, paths
from hookd.cli.fleet import sync_process
from hookd.cli.install import settings_file
from hookd.cli.lib import client
from hookd.cli.lib.client import State
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.cli.lib.person import expect_person, expect_terminal
from hookd.cli.lifecycle.lift_stop import lift_stop
from hookd.cli.lifecycle.serve import SETTINGS, absolute, keep_policies
from hookd.cli.service import managers, sync_service, units
from hookd.cli.service import start as service_start
from hookd.system import stop_marker

_UPGRADE = "upgrade this hookd; hookd --version says what it is"
_USED_LATER = ("hookd.cli.doctor.checks.storage", "hookd.cli.hooks.project_files")
"""Modules that `start` needs once the daemon answers."""

_END_TIMEOUT_S = 20
"""Limit for a daemon to end."""


_JSON = json_option()


@click.command(
    epilog="\b\nExamples:\n  hookd start\n  hookd start --json\n"
    "  hookd start --settings hooks.json     add a file's user hooks, until it ends"
)
@_JSON
@SETTINGS
def start(as_json: bool, settings: tuple[str, ...] = ()) -> None:
    """Start the daemon in the background; return when it answers."""
    places = paths.paths()
    lift_stop()
    keep_policies()
    before = _hands_over()
    begun = begin(settings)
    sync_service.begin_sync()
    # Imported here: `begin` imports them while the daemon starts.
    from hookd.cli.doctor.checks.storage import damaged_step  # noqa: PLC0415
    from hookd.cli.hooks import project_files  # noqa: PLC0415

    status, unread = client.call("daemon.status"), project_files.unreadable_user_files()
    if as_json:
        click.echo(json.dumps({"started": begun, **status, "unread": unread}))
    else:
        if before:
            click.echo(f"The daemon of hookd {before} hands over to hookd {__version__}.")
        click.echo("hookd has started." if begun else "hookd is running already.")
        _tell(status)
    step = "fix the file; it is reloaded within a second"
    if status["problem"]:
        Problem(f"{status['problem']}.", step).show()
    for path in places.damaged():
        sentence = f"A damaged database was moved to {path}; a new one is in use."
        Problem(sentence, damaged_step()).show()
    for sentence in unread:
        Problem(sentence, step).show()


@click.command(
    epilog="\b\nExamples:\n  hookd stop            no guard judges calls until hookd start\n"
    "  hookd stop --yes      in a script or a service, without a terminal"
)
@click.option("--yes", is_flag=True, help="Stop without a terminal, as in a script.")
@_JSON
def stop(yes: bool, as_json: bool) -> None:
    """Stop the daemon until hookd start.

    Until then every call passes unchecked, also those that fail closed. The status line, hookd
    status and hookd doctor report it at once, and each new session after an hour. If the socket is
    in $XDG_RUNTIME_DIR, the next login ends the stop as well. Only a person can run it: a coding
    agent is refused.
    """
    if not yes:
        expect_terminal("hookd stop", "; a script says hookd stop --yes")
    expect_person("hookd stop")
    places = paths.paths()
    before = stop_marker.read(places.stopped)
    try:
        stop_marker.write(places.stopped)
    except OSError as error:
        sentence = f"{places.stopped} cannot be written: {error.strerror or error}."
        raise Problem(sentence, f"ls -ld {places.stopped.parent} {places.stopped}") from None
    try:
        sync_process.end_sync(places)
        ended = end() is State.LISTENING
    except Problem:
        # Else calls would pass unchecked while a daemon runs that does not answer.
        if not before:
            places.stopped.unlink(missing_ok=True)
        raise
    if as_json:
        click.echo(json.dumps({"stopped": ended}))
    else:
        click.echo("hookd has stopped." if ended else "hookd was not running.")


@click.command(epilog="\b\nExamples:\n  hookd restart         after an upgrade, or new settings")
@_JSON
@click.pass_context
def restart(context: click.Context, as_json: bool) -> None:
    """Restart the daemon, or start it."""
    expect_person("hookd restart")
    _expect_startable()
    sync_process.end_sync(paths.paths())
    end()
    context.invoke(start, as_json=as_json)


def _expect_startable() -> None:
    """Raise Problem if a daemon of a newer version runs, which this hookd cannot replace."""
    from hookd.store.database import newer  # noqa: PLC0415 - slow, and seldom needed

    what = newer(paths.paths().database)
    if what and answering() is State.LISTENING:
        raise Problem(f"The daemon is left as it is: {what}.", _UPGRADE)


def begin(settings: Sequence[str] = ()) -> bool:
    """Start a daemon unless one listens; return whether this call started it.

    `settings` are further files of user hooks.
    """
    if answering() is State.LISTENING:
        return False
    if not settings and _as_service():
        return True
    command = [sys.executable, "-P", "-m", "hookd", "serve", "--detach"]
    for path in absolute(settings):
        command += ["--settings", path]
    with subprocess.Popen(
        command,
        cwd="/",
        env=paths.daemon_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as daemon:
        for module in _USED_LATER:
            import_module(module)
        assert daemon.stderr is not None  # noqa: S101 - it was asked for
        # The daemon closes this pipe when it answers; if it fails, it writes the reason and ends.
        error = daemon.stderr.read().decode(errors="replace").strip()
        if client.probe(paths.paths().socket) is not State.LISTENING:
            raise _failed(error)
        # It outlives this command, which must not wait for it.
        daemon.returncode = 0
    return True


def _hands_over() -> str:
    """End a daemon of another version; return its version, "" if there is none.

    Raise Problem if this hookd could not replace it.
    """
    if answering() is not State.LISTENING:
        return ""
    version = str(client.call("daemon.status", {"env": {}})["version"])
    if version == __version__:
        return ""
    from hookd.store.database import open_problem  # noqa: PLC0415 - slow, and seldom needed

    if what := open_problem(paths.paths().database):
        sentence = f"The daemon of hookd {version} is left as it is: {what}."
        raise Problem(sentence, _UPGRADE)
    expect_person(f"hookd start, which ends the daemon of hookd {version},")
    end()
    return version


def _as_service() -> bool:
    """Start the service if it is installed; return whether it answers."""
    host = managers.host()
    if units.standing(settings_file.contents(host.file)) is not units.Standing.OURS:
        return False
    try:
        service_start.start_service(host, renewed=False)
    except managers.ManagerError:
        return False
    return True


def _failed(error: str) -> Problem:
    if "Traceback" in error:
        return Problem(f"The daemon failed: {error.splitlines()[-1]}", "hookd daemon logs -n 20")
    sentence, _, step = error.removeprefix("hookd: ").partition("\n  next: ")
    return Problem(sentence or "The daemon did not start.", step or "hookd daemon logs -n 20")


def end() -> State:
    """End the daemon if it listens, and wait for its end; return the socket's state before."""
    state = answering()
    if state is State.LISTENING:
        pid = client.call("daemon.stop", {"env": {}})["pid"]  # in a folder that is gone, too
        _wait_for_end(pid)
    return state


def answering() -> State:
    """Return the socket's state. Raise Problem if no daemon can be started or ended there."""
    state = client.probe(paths.paths().socket)
    if state in (State.HUNG, State.FOREIGN):
        raise client.absent(state)
    return state


def _wait_for_end(pid: int) -> None:
    folder = paths.paths().state
    for _ in range(_END_TIMEOUT_S * 50):
        if not held(folder):
            return
        time.sleep(0.02)
    raise Problem(f"The daemon (process {pid}) has not ended yet.", "hookd daemon logs -n 20")


def held(folder: Path) -> bool:
    """Return whether a daemon is alive: it releases its lock last, after the database."""
    try:
        number = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(number)
    return False


def _tell(status: dict[str, object]) -> None:
    for name in ("socket", "database", "log"):
        click.echo(f"  {name + ':':<10}{Path(str(status[name]))}")
