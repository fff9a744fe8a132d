"""The home of `hookd service`: the daemon as a service of systemd or launchd, for one user."""

from collections.abc import Callable

import click

from hookd import paths
from hookd.cli.lib import client, output
from hookd.cli.lifecycle import daemon
from hookd.cli.service import report as service_report
from hookd.cli.service import unit_files
from hookd.cli.service.managers import KINDS, NotHeardError, host
from hookd.cli.service.report import INSTALL, report
from hookd.cli.service.start import put_in, serving, take_over
from hookd.cli.service.units import Standing
from hookd.system import stop_marker

_NOT_RUNNING = 3
"""The exit code that init scripts know for a program that does not run."""

_AGAIN = 75
"""The exit code that asks for another try (EX_TEMPFAIL): what runs the service starts it anew."""

_DRY = click.option("--dry-run", is_flag=True, help="Show what would change; do nothing.")
_WELL = "Nothing changed: the service stands as it should."


def _options(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option(
            "--for",
            "kind",
            type=click.Choice(KINDS),
            help="Who is to run it.  [default: launchd on macOS, else systemd]",
        ),
    ):
        command = option(command)
    return command


@click.group(
    epilog="""\b
    Examples:
      hookd service install
      hookd service status
      hookd service uninstall
    """
)
def service() -> None:
    """Have the daemon run from login on, and again where it fails."""


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
    """Put the service in and start it.

    A second run renews what is older. A daemon that runs already hands over to the service's, and
    no event is lost. A `hookd stop` does not hold any more.
    """
    draft = unit_files.draft(host(kind))
    draft.check()
    facts = service_report.facts(draft) | {"changed": draft.differs, "daemon": None, "before": None}
    if dry_run:
        title = "The service would be put in; nothing is done."
        facts["diff"] = draft.diff()
        report(title if draft.differs else _WELL, facts, INSTALL, as_json=as_json)
        return
    draft.write()
    try:
        begun = put_in(draft.host, renewed=draft.differs)
    except NotHeardError as error:
        title = f"The file of the service stands, but nobody runs it yet: {error}."
        report(title, facts, draft.host.by_hand[0], as_json=as_json)
    else:
        title = "hookd runs as a service, from every login on." if draft.differs else _WELL
        facts |= {"daemon": begun.pid, "before": begun.before}
        title = service_report.told(title, begun)
        report(title, facts, "hookd service status", as_json=as_json)


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
    """End the service, and take out what install has put in.

    The next hook starts a daemon by itself, as it does without a service.
    """
    draft = unit_files.draft(host(kind))
    facts = service_report.facts(draft) | {"changed": draft.standing is not Standing.ABSENT}
    if not facts["changed"]:
        title = "Nothing changed: there is no service of hookd's."
        report(title, facts, INSTALL, as_json=as_json)
        return
    draft.check()
    if dry_run:
        title = "The service would be ended, and its file removed; nothing is done."
        report(title, facts, "hookd service uninstall", as_json=as_json)
        return
    title, step = "The service is taken out; the next hook starts a daemon.", "hookd start"
    try:
        draft.host.disable()
    except NotHeardError as error:
        title = f"The file of the service is removed, but nobody was told to end it: {error}."
        step = draft.host.by_hand[1]
    draft.remove()
    report(title, facts, step, as_json=as_json)


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
    """Show whether the service is in, and runs. Exit code 3: it does not."""
    draft = unit_files.draft(host(kind))
    facts = service_report.facts(draft)
    facts |= {"stands": str(draft.standing), "installed": draft.ours, "daemon": serving()}
    facts |= {"enabled": None, "active": None, "process": None, "problem": None}
    try:
        seen = draft.host.look()
    except NotHeardError as error:
        facts["problem"] = str(error)
    else:
        facts |= {"enabled": seen.enabled, "active": seen.active, "process": seen.pid}
    facts["differs"] = draft.diff() if draft.ours else []
    facts["next"] = service_report.step(draft, facts)
    if as_json:
        output.show_json(facts)
    else:
        service_report.show(facts)
    if not facts["active"]:
        ctx.exit(_NOT_RUNNING)


@service.command(
    epilog="""\b
    Examples:
      hookd service run         what the service runs: hookd serve, in the place of what runs
    """
)
@click.pass_context
def run(ctx: click.Context) -> None:
    """Serve in the foreground, as the service does.

    A daemon that runs hands over, and ends. After `hookd stop` this does nothing, until
    `hookd start`.
    """
    if stop_marker.read(paths.paths().stopped):
        click.echo(f"hookd: {client.absent(client.State.NONE).message}", err=True)
        return
    take_over()
    if not ctx.invoke(daemon.serve, detach=False, settings=()) or serving():
        # A hook started a daemon in between, which may be too busy to answer yet. The next try ends
        # that one, too.
        ctx.exit(_AGAIN)
