"""`hookd serve`: run the daemon in this process; what it shares with `hookd start`.

Each daemon starts with it, so it imports little more than the daemon itself.
"""

import gc
from collections.abc import Sequence
from pathlib import Path

import click

from hookd import paths
from hookd.cli.lib.errors import Problem
from hookd.cli.lifecycle.lift_stop import lift_stop
from hookd.pydantic_plugins import skip_plugins

DEFAULTS_SINCE = 14
"""The first version of the database with today's defaults: who upgrades to it keeps the older."""

SETTINGS = click.option(
    "--settings",
    multiple=True,
    metavar="FILE",
    help="Add user hooks from FILE, stronger than a project's.",
)


@click.command(
    epilog="\b\nExamples:\n  hookd serve           in the foreground; end it with Ctrl-C"
)
@click.option("--detach", is_flag=True, help="Detach from the terminal once it answers.")
@SETTINGS
def serve(detach: bool, settings: tuple[str, ...]) -> bool:
    """Run the daemon in this process."""
    places = paths.paths()
    if not detach:
        lift_stop()
    keep_policies()
    gc.disable()  # until it serves: collecting takes a fifth of the time of imports, in vain
    skip_plugins()
    # Imported here: it would slow down all other commands.
    from hookd.daemon import app, instance_lock, socket_file  # noqa: PLC0415
    from hookd.store.database import DatabaseError  # noqa: PLC0415

    try:
        app.run(places, detach=detach, settings=absolute(settings))
    except instance_lock.AlreadyRunningError as running:
        if running.here:
            click.echo(f"hookd: a daemon is running already, on {places.socket}", err=True)
            return False
        sentence = f"A daemon uses {places.database} already, on another socket."
        raise Problem(sentence, "set XDG_RUNTIME_DIR as it was when that daemon started") from None
    except (DatabaseError, socket_file.TakenError) as error:
        raise Problem(f"{error}.", error.step) from None
    except OSError as error:
        place = error.filename or places.socket
        step = "Make the folder writable, or set HOOKD_HOME to a writable folder."
        raise Problem(f"{place}: {error.strerror or error}.", step) from None
    return True


def keep_policies() -> None:
    """Keep what an older hookd did by default, and notify the user."""
    from hookd.store.database import version  # noqa: PLC0415 - it imports SQLite

    if not 0 < version(paths.paths().database) < DEFAULTS_SINCE:
        return
    from hookd.cli.policies.profile import keep_effective  # noqa: PLC0415 - slow, and seldom needed

    try:
        if notice := keep_effective(paths.paths().database):
            click.echo(f"hookd: {notice}", err=True)
    except Problem as problem:  # the daemon reports unreadable settings
        problem.show()


def absolute(settings: Sequence[str]) -> tuple[str, ...]:
    """Return the absolute paths of files. Raise Problem if one does not exist."""
    for path in settings:
        if not Path(path).is_file():
            raise Problem(f"{path} is not a file.", "give the path of a JSON file of hooks")
    return tuple(str(Path(path).absolute()) for path in settings)
