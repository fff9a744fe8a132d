"""`hookd uninstall --purge`: end the daemon and remove hookd's own files."""

import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from hookd import paths
from hookd.cli.install import own_files, plugin_scope, settings_file, shims
from hookd.cli.install.own_files import Group, Inventory
from hookd.cli.lib.client import State
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.person import expect_terminal
from hookd.cli.lifecycle import daemon, demo
from hookd.cli.service import managers
from hookd.cli.service.units import Standing, standing

_AGAIN = "then run the command again"
_OURS = (Standing.OURS, Standing.EDITED)


def stays(backups: Iterable[Path]) -> list[dict[str, Any]]:
    """Return what an uninstall keeps: hookd's own files, backups of settings, the service."""
    rows = [_row(group) for group in own_files.take(paths.paths()).groups]
    rows += [
        {"what": "backup of your settings", "path": str(path), "bytes": path.lstat().st_size}
        for path in backups
    ]
    service = _service()
    return rows + ([{"what": "service", "path": str(service), "bytes": None}] if service else [])


def expect_possible(others: Mapping[Path, str], *, everywhere: bool) -> None:
    """Raise Problem if something else still uses what a purge removes.

    `others` are further settings files that name the shims, each with the command for it.
    """
    if service := _service():
        raise Problem(f"A service runs hookd: {service}.", f"hookd service uninstall, {_AGAIN}")
    if others and not everywhere:
        names = ", ".join(map(str, others))
        step = f"{next(iter(others.values()))}, {_AGAIN}; or add --everywhere"
        raise Problem(f"hookd is registered in other settings, too: {names}.", step)
    daemon.answering()


def begin(*, ask: bool) -> None:
    """Disconnect the Claude Code plugin, which else runs what a purge removes; ask before it."""
    if ask:
        confirm()
    with shims.alone():
        plugin_scope.take_out(every=True)


def confirm() -> None:
    """Show what a purge removes, and ask. Raise Problem without a terminal or consent."""
    expect_terminal("hookd uninstall --purge", "; a script adds --yes")
    inventory = own_files.take(paths.paths())
    click.echo("This ends the daemon and removes permanently:")
    for row in map(_row, inventory.groups):
        click.echo(f"  {own_files.row_text(row)}")
    if not click.confirm("Remove all of these?"):
        raise Problem("Nothing was removed.")


@shims.alone()
def remove() -> dict[str, Any]:
    """End the daemon and remove hookd's own files; return the removed and the remaining ones."""
    places = paths.paths()
    running = daemon.end()
    if daemon.held(places.state):
        sentence = f"A daemon still uses {places.database}, on another socket."
        raise Problem(sentence, f"hookd stop with the HOOKD_HOME or XDG_* of that daemon, {_AGAIN}")
    inventory = own_files.take(places)
    for group in inventory.groups:
        for file in group.files:
            if group.what == "demo":
                demo.end_in(file)
                shutil.rmtree(file)
            else:
                file.unlink(missing_ok=True)
    for folder in inventory.folders:
        with suppress(OSError):
            folder.rmdir()
    return {
        "daemon": "ended" if running is State.LISTENING else "was not running",
        "removed": [_row(group) for group in inventory.groups],
        "left": [str(path) for path in _left(inventory)],
    }


def _row(group: Group) -> dict[str, Any]:
    return {"what": group.what, "path": str(group.path), "bytes": group.size}


def _left(inventory: Inventory) -> list[Path]:
    """Return foreign files, and links to folders, which are not removed."""
    folders = {file.parent for file in inventory.foreign}
    return [*inventory.foreign, *(folder for folder in folders if folder.is_symlink())]


def _service() -> Path | None:
    file = managers.host().file
    ours = not file.is_symlink() and standing(settings_file.contents(file)) in _OURS
    return file if ours else None
