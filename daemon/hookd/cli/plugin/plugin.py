"""`hookd plugin`: connect hookd with its Claude Code plugin."""

from pathlib import Path
from typing import Any

import click

from hookd.cli.install import (
    native_build,
    options,
    plan,
    plugin_scope,
    scope_folder,
    settings_file,
    settings_record,
    uninstall,
)
from hookd.cli.install import shims as installed_shims
from hookd.cli.install.clients import EVERY
from hookd.cli.install.settings_file import Document
from hookd.cli.lib import claude_version, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option
from hookd.cli.lib.person import expect_person
from hookd.clients.claude_code import registration, status_line_entry
from hookd.clients.claude_code.status_line_entry import LINE_SHIM, LineShim
from hookd.clients.hook_groups import Shim
from hookd.core.model import shim_config
from hookd.core.model.client_names import CLAUDE_CODE
from hookd.core.model.fail_policy import NO_VERDICT
from hookd.core.model.shim_config import AUTO, ShimConfig

_DATA = "The plugin's data folder.  [default: of the plugin in Claude Code's settings]"
_LINE = """Show hookd's line below the status line in your settings: a plugin cannot.
[default: as before]"""


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd plugin setup
      hookd plugin setup --statusline
      hookd plugin remove
    """,
)
def plugin() -> None:
    """Connect hookd with its Claude Code plugin.

    The plugin's command /hookd:setup runs this.
    """


@plugin.command(
    epilog="""\b
    Examples:
      hookd plugin setup                  the plugin's hooks run this hookd
      hookd plugin setup --shim bash      compile nothing
      hookd plugin setup --statusline     also write the status line to settings
    """
)
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help=_DATA)
@click.option("--shim", type=click.Choice(shim_config.SHIMS), default=AUTO, show_default=True)
@click.option("--statusline/--no-statusline", default=None, help=_LINE)
@json_option()
def setup(data: Path | None, shim: str, statusline: bool | None, as_json: bool) -> None:
    """Let the plugin's hooks run this hookd.

    It writes the shims and their configuration, and no settings, except for --statusline. A second
    run renews them.
    """
    name = plugin_scope.known(plugin_scope.settings_here())
    place = data or (plugin_scope.data_folder(name) if name else None)
    if place is None:
        raise Problem(
            "Claude Code's settings name no plugin hookd.",
            "claude plugin install hookd@hookd, then /hookd:setup in Claude Code",
        )
    if refusal := plugin_scope.refusal(claude_version.read()):
        raise Problem(refusal, "claude update; or hookd install, which needs no plugin")
    try:
        facts = _written(shim, statusline)
        plugin_scope.write_stamp(place, Path(facts["shims"]))
        (place / plugin_scope.FAILED).unlink(missing_ok=True)
    except OSError as error:
        sentence = f"{error.filename or place}: {error.strerror or error}."
        raise Problem(sentence, "see that the folder is yours to write, then try again") from None
    if as_json:
        output.show_json(facts)
        return
    click.echo("The plugin's hooks run hookd now, also in sessions that are open.")
    for note in facts["notes"]:
        click.echo(f"  note: {note}")
    click.echo("  next: hookd doctor, which tries a call")


@plugin.command(
    epilog="""\b
    Examples:
      hookd plugin remove
    """
)
@json_option()
def remove(as_json: bool) -> None:
    """Remove what setup wrote.

    The plugin's hooks run nothing then. The status line and hookd itself stay: hookd uninstall
    removes them.
    """
    expect_person("hookd plugin remove")
    place = plugin_scope.folder()
    with installed_shims.alone():
        name = plugin_scope.take_out()
        installed_shims.remove(uninstall.naming())
    sentence = "The plugin's hooks run nothing any more."
    step = f"\n  next: claude plugin uninstall {name}" if name else ""
    output.show_done(sentence + step, {"plugin": name, "shims": str(place)}, as_json=as_json)


@installed_shims.alone(makes=True)
def _written(program: str, statusline: bool | None) -> dict[str, Any]:
    """Write shims, the scope's folder and, if wanted, the status line; return the facts."""
    place, user = plugin_scope.folder(), _user_settings()
    shown = _shows_line(user.value, place) if statusline is None else statusline
    if statusline and registration.registered(user.value):
        raise Problem("Your settings register hookd already.", "hookd install --statusline")
    if shown != _shows_line(user.value, place):
        settings_file.expect_writable(user.path)
    installed_shims.sweep()
    installed_shims.copy(installed_shims.shipped(*([LINE_SHIM] if shown else [])))
    prepared = native_build.prepare(program)
    config = _config(program)
    scope_folder.write(place, config, line=shown, shim=prepared.shim)
    if shown:
        _save(user, status_line_entry.wrap(user.value, LineShim(f"{place}/{LINE_SHIM}")))
    elif _shows_line(user.value, place):
        _save(user, status_line_entry.unwrap(user.value))
    scope_folder.prune(place, config, line=shown)
    native_build.expect_usable()
    return {
        "shims": str(place),
        "hookd": config.hookd,
        "shim": prepared.facts,
        "statusline": shown,
        "notes": _notes(user.value, shown=shown),
    }


def _shows_line(settings: dict[str, Any], place: Path) -> bool:
    """Return whether the status line of the settings is the plugin's."""
    found = status_line_entry.parse(settings)
    return found is not None and found.words[0] == f"{place}/{LINE_SHIM}"


def _user_settings() -> Document:
    client = EVERY[CLAUDE_CODE]
    with plan.plainly(client, client.user_file) as document:
        registration.registered(document.value)
    return document


def _save(user: Document, value: dict[str, Any]) -> None:
    settings_record.save(user, user.rewritten(value), plan.record())


def _config(program: str) -> ShimConfig:
    shim = Shim(str(plugin_scope.folder()))
    chosen = options.shim(program, "")
    return plan.config(plugin_scope.registry(), options.DEFAULT, shim, chosen, NO_VERDICT[0])


def _notes(settings: dict[str, Any], *, shown: bool) -> list[str]:
    notes = []
    if registration.registered(settings):
        notes.append(
            "your settings register hookd as well, so the plugin's hooks stay silent there;"
            " hookd uninstall leaves it to the plugin"
        )
    if not shown and "statusLine" not in settings:
        notes.append("a plugin cannot set the status line: /hookd:setup --statusline writes it")
    return notes
