"""End a `hookd stop`: remove its marker, or whatever is at the marker's path."""

import click

from hookd import paths
from hookd.cli.lib.errors import Problem
from hookd.system import stop_marker


def lift_stop() -> bool:
    """Remove the stop marker, or whatever is at its path; return whether hookd was stopped.

    A folder that is not empty is renamed. A foreign file is named on stderr. Raise Problem if the
    path cannot be cleared.
    """
    place = paths.paths().stopped
    stopped, foreign = stop_marker.read(place), stop_marker.foreign(place)
    try:
        moved = stop_marker.clear(place)
    except OSError as error:
        sentence = f"{place} cannot be removed: {error.strerror or error}."
        raise Problem(sentence, f"ls -ld {place.parent} {place}") from None
    if foreign:
        done = f"moved to {moved}" if moved else "removed"
        click.echo(f"hookd: {place} was not written by hookd stop: {done}.", err=True)
    return stopped is not None
