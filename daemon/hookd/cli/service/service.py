"""`hookd service`: run the daemon as a service of systemd or launchd, for one user."""

from collections.abc import Callable
from typing import Any

import click

from hookd import paths
from hookd.cli.lib import client, output
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option
from hookd.cli.lifecycle import serve
from hookd.cli.service import unit_files
from hookd.cli.service.managers import KINDS, ManagerError, host
from hookd.cli.service.start import StartResult, serving, start_service, take_over
from hookd.cli.service.sync_service import install_sync, remove_sync
from hookd.cli.service.unit_files import Draft
from hookd.cli.service.units import Standing
from hookd.system import stop_marker

_INSTALL = "hookd service install"

_Facts = dict[str, Any]

_NOT_RUNNING = 3
"""Exit code for a program that does not run, as in init scripts."""

_EX_TEMPFAIL = 75
"""Exit code after which the service manager restarts the service."""

_DRY = click.option("--dry-run", is_flag=True, help="Show the changes without making them.")
_WELL = "Nothing changed: the service is up to date."


def _options(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        json_option(),
        click.option(
            "--for",
            "kind",
            type=click.Choice(KINDS),
            help="Choose the service manager.  [default: launchd on macOS, else systemd]",
        ),
    ):
        command = option(command)
    return command


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd service install
      hookd service status
      hookd service uninstall
    """,
)
def service() -> None:
    """Run the daemon from login on; restart it after a failure."""


@service.command(
    epilog="""\b
    Examples:
      hookd service install
      hookd service install --dry-run        show the file, write nothing
      hookd service install --for launchd
    """
)
@_options
@_DRY
def install(kind: str | None, as_json: bool, dry_run: bool) -> None:
    """Install the service and start it.

    A second run updates an outdated file. A running daemon hands over to the service's, and no
    event is lost. A `hookd stop` ends.
    """
    draft = unit_files.draft(host(kind))
    draft.check()
    facts = _facts(draft) | {"changed": draft.differs, "daemon": None, "before": None}
    if dry_run:
        title = "The service would be installed; nothing is done."
        facts["diff"] = draft.diff()
        _report(title if draft.differs else _WELL, facts, _INSTALL, as_json=as_json)
        return
    draft.write()
    try:
        begun = start_service(draft.host, renewed=draft.differs)
        install_sync(kind)
    except ManagerError as error:
        title = f"The file of the service is written, but it does not run yet: {error}."
        _report(title, facts, draft.host.manual_commands[0], as_json=as_json)
    else:
        title = "hookd runs as a service, from every login on." if draft.differs else _WELL
        facts |= {"daemon": begun.pid, "before": begun.before}
        title = _install_title(title, begun)
        _report(title, facts, "hookd service status", as_json=as_json)


@service.command(
    epilog="""\b
    Examples:
      hookd service uninstall
      hookd service uninstall --dry-run
    """
)
@_options
@_DRY
def uninstall(kind: str | None, as_json: bool, dry_run: bool) -> None:
    """End the service, and remove its file.

    The next hook starts a daemon automatically, as without a service.
    """
    draft = unit_files.draft(host(kind))
    facts = _facts(draft) | {"changed": draft.standing is not Standing.ABSENT}
    if not facts["changed"]:
        title = "Nothing changed: there is no service of hookd's."
        _report(title, facts, _INSTALL, as_json=as_json)
        return
    draft.check()
    if dry_run:
        title = "The service would be ended, and its file removed; nothing is done."
        _report(title, facts, "hookd service uninstall", as_json=as_json)
        return
    title, step = "The service is removed; the next hook starts a daemon.", "hookd start"
    try:
        draft.host.disable()
    except ManagerError as error:
        title = f"The file of the service is removed, but the service was not ended: {error}."
        step = draft.host.manual_commands[1]
    draft.remove()
    remove_sync(kind)
    _report(title, facts, step, as_json=as_json)


@service.command(
    epilog="""\b
    Examples:
      hookd service status
      hookd service status --json
      hookd service status > /dev/null || hookd service install
    """
)
@_options
@click.pass_context
def status(ctx: click.Context, kind: str | None, as_json: bool) -> None:
    """Show whether the service is installed and runs.

    Exit code 3: it does not run.
    """
    draft = unit_files.draft(host(kind))
    facts = _facts(draft)
    facts |= {"stands": str(draft.standing), "installed": draft.ours, "daemon": serving()}
    facts |= {"enabled": None, "active": None, "process": None, "problem": None}
    try:
        seen = draft.host.look()
    except ManagerError as error:
        facts["problem"] = str(error)
    else:
        facts |= {"enabled": seen.enabled, "active": seen.active, "process": seen.pid}
    facts["differs"] = draft.diff() if draft.ours else []
    facts["next"] = _step(draft, facts)
    if as_json:
        output.show_json(facts)
    else:
        _show(facts)
    if not facts["active"]:
        ctx.exit(_NOT_RUNNING)


@service.command(
    epilog="""\b
    Examples:
      hookd service run         as the service does: replace a running daemon
    """
)
@click.pass_context
def run(ctx: click.Context) -> None:
    """Serve in the foreground, as the service does.

    A running daemon hands over and ends. After `hookd stop` this does nothing, until
    `hookd start`.
    """
    if stop_marker.read(paths.paths().stopped):
        click.echo(f"hookd: {client.absent(client.State.NONE).message}", err=True)
        return
    take_over()
    if not ctx.invoke(serve.serve, detach=False, settings=()) or serving():
        # A hook started a daemon in between, which may be too busy to answer yet. The next try ends
        # that one, too.
        ctx.exit(_EX_TEMPFAIL)


def _facts(draft: Draft) -> _Facts:
    """Return the facts that every report has."""
    return {"service": draft.host.name, "kind": draft.host.kind, "file": str(draft.host.file)}


def _report(title: str, said: _Facts, step: str, *, as_json: bool) -> None:
    """Print the result: one JSON object, or a title, facts and the next step."""
    if as_json:
        output.show_json(said | {"said": title, "next": step})
        return
    shown = {name: said[name] for name in ("service", "file", "daemon") if said.get(name)}
    output.show_facts(shown | {"next": step}, title)
    for line in said.get("diff", []):
        click.echo(output.cell(line))


def _install_title(title: str, begun: StartResult) -> str:
    """Return the title of an install; it names a daemon that handed over."""
    if begun.before:
        title += f" The daemon that ran (process {begun.before}) has handed over."
    return title + " hookd stop has ended." * begun.stopped


def _step(draft: Draft, said: _Facts) -> str | None:
    """Return the next step if the service is not installed and running; None if it is."""
    if draft.standing in (Standing.FOREIGN, Standing.EDITED):
        return f"see {draft.host.file}: hookd does not change files that it has not written"
    if said["problem"] and said["installed"]:
        return draft.host.manual_commands[0]
    alike = said["process"] == said["daemon"]
    well = said["enabled"] and said["active"] and alike and not draft.differs
    return None if well else _INSTALL


def _show(said: _Facts) -> None:
    """Print the state of the service, and the changes of installing it."""
    words = {True: "yes", False: "no", None: "not known"}
    shown = {name: said[name] for name in ("service", "kind", "file", "stands")}
    shown |= {name: words[said[name]] for name in ("installed", "enabled", "active")}
    shown |= {"process": said["process"], "daemon": _daemon(said)}
    shown |= {name: said[name] for name in ("problem", "next") if said[name]}
    output.show_facts(shown, "hookd as a service")
    if said["differs"]:
        click.echo("\nWhat hookd service install would write differs:")
        for line in said["differs"]:
            click.echo(f"  {output.cell(line)}")


def _daemon(said: _Facts) -> str:
    if said["daemon"] is None:
        return "none answers"
    whose = "the service's" if said["daemon"] == said["process"] else "outside of the service"
    return f"process {said['daemon']}, {whose}"
