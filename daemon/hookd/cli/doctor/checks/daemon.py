"""Daemon checks: whether it answers, its version and database, a pause, a stop."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from hookd import __version__, paths
from hookd.cli.doctor.checks.own_programs import other_python
from hookd.cli.doctor.checks.result import Finding, State, fail, found, ok, warn
from hookd.cli.doctor.checks.storage import replacement_step
from hookd.cli.doctor.checks.timeouts import ask
from hookd.cli.lib import client
from hookd.cli.lib.errors import Problem
from hookd.display.amounts import local_time
from hookd.system import stop_marker


def check_daemon(state: client.State, *, registered: bool) -> Finding:
    """Report the state of the socket, and a `hookd stop`."""
    places = paths.paths()
    if state in (client.State.HUNG, client.State.FOREIGN):
        return found("daemon", State.FAIL, client.absent(state))
    if state is not client.State.LISTENING:
        if stop_marker.read(places.stopped):
            return ok("daemon", "None runs, as hookd stop demands.")
        problem = client.absent(state)
        if not registered:
            return found("daemon", State.WARN, problem)
        what = f"{problem.message} The first hook starts it."
        return warn("daemon", what, "hookd start, to have the hooks tried here")
    if stop_marker.read(places.stopped):
        what = f"The daemon listens, but {places.stopped} is there: the hooks do not ask it."
        return fail("daemon", what, "hookd start")
    return ok("daemon", f"It listens on {places.socket}.")


def check_versions() -> Iterator[Finding]:
    """Report the daemon's version, program, paths and engine, and whether they match this hookd."""
    try:
        status = ask("daemon.status")
    except Problem as problem:
        yield found("version", State.FAIL, problem)
        return
    yield _version(status)
    yield from _program(status)
    yield _places(status)
    if status.get("problem"):
        what = f"{status['problem']}."
        yield warn("hookd settings", what, "fix the file; it is reloaded within a second")
    else:
        yield ok("hookd settings", f"Nothing in {status.get('settings')} is refused.")
    if engine := status.get("redaction"):
        yield ok("redaction", f"The daemon searches texts for secrets with {engine}.")


def check_database() -> Iterator[Finding]:
    """Report the daemon's SQLite, and whether its database is sound, as far as that is quick."""
    try:
        rows = ask("daemon.query", {"sql": "SELECT sqlite_version()"})["rows"]
        yield ok("sqlite", f"The daemon runs on SQLite {rows[0][0]}.")
    except Problem as problem:
        yield found("sqlite", State.FAIL, problem)
    yield _integrity()


def check_file() -> Iterator[Finding]:
    """Report a database that a daemon could not open; none runs."""
    # Slow: commands start without the store.
    from hookd.store.database import open_problem  # noqa: PLC0415

    if what := open_problem(paths.paths().database):
        step = "hookd start says what to do; move the file away to begin a new one"
        yield fail("database", f"{what[:1].upper()}{what[1:]}: no daemon can start.", step)


def _version(status: dict[str, Any]) -> Finding:
    running = status.get("version")
    if running == __version__:
        return ok("version", f"hookd {running}, the daemon too (process {status.get('pid')}).")
    what = f"The daemon is hookd {running}, but hookd {__version__} is installed."
    return warn("version", what, "hookd restart")


def _program(status: dict[str, Any]) -> Iterator[Finding]:
    """Report a daemon that another clone than this one has started."""
    python = status.get("python") or ""
    if mine := other_python(python) if python else "":
        what = f"The daemon is another hookd's, run by {python}; this one is run by {mine}."
        yield warn("program", what, "hookd restart, to have this one serve")


def _places(status: dict[str, Any]) -> Finding:
    places = paths.paths()
    own = {"socket": places.socket, "database": places.database, "settings": places.settings}
    other = [name for name, path in own.items() if status.get(name) != str(path)]
    if not other:
        return ok("places", f"Events are kept in {places.database}.")
    pairs = ", ".join(f"{name} {status.get(name)}, here {own[name]}" for name in other)
    what = f"The daemon was started with other places: {pairs}."
    return warn("places", what, "hookd restart")


def _integrity() -> Finding:
    """Report the bounded check, and the last complete one."""
    # Slow: commands start without the store.
    from hookd.store.integrity import check_bounded  # noqa: PLC0415

    result = check_bounded(paths.paths().database)
    if result.problems:
        some = "; ".join(result.problems[:3])
        return fail("database", f"The database is damaged: {some}.", replacement_step())
    if result.unread:
        path = paths.paths().database
        return warn("database", f"{path} was not checked: {result.unread}.", "hookd doctor, again")
    complete, at = _last_complete_check()
    if complete == "damaged":
        what = f"hookd db check found damage {at}."
        return fail("database", what, f"{replacement_step()}; then hookd db check")
    if not result.skipped:
        return ok("database", "The database is sound.")
    large = f"of {', '.join(result.skipped)} only the newest rows were read"
    last = f"hookd db check reads all; it last did {at}" if at else "hookd db check reads all"
    return ok("database", f"No damage was found, but {large}. {last}.")


def _last_complete_check() -> tuple[str, str]:
    """Return the result of the last `hookd db check`, and its time; empty if there was none."""
    path = paths.paths().checked
    try:
        at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        return path.read_text("ascii").strip(), local_time(at.isoformat())
    except (OSError, ValueError):
        return "", ""


_PAUSE_CHECK = "pause"


def check_pause() -> Iterator[Finding]:
    """Report a pause; nothing if there is none."""
    try:
        until = ask("daemon.status").get("pausedUntil")
    except Problem as problem:
        yield found(_PAUSE_CHECK, State.WARN, problem)
        return
    if until:
        what = f"hookd is paused until {local_time(until)}:"
        yield warn(_PAUSE_CHECK, f"{what} no guard holds, in any session.", "hookd resume")


STOP_CHECK = "stop"


def check_stop() -> Iterator[Finding]:
    """Report a stop as a failure, though a person chose it: nothing is guarded meanwhile."""
    if stop := stop_marker.read(paths.paths().stopped):
        yield fail(STOP_CHECK, client.stop_sentence(stop), client.START)
