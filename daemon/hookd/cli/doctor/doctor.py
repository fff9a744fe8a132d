"""`hookd doctor`: check whether hookd guards in this folder."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from hookd import paths
from hookd.cli.doctor.checks.canary import check_canary
from hookd.cli.doctor.checks.command_line import check_wiring
from hookd.cli.doctor.checks.daemon import (
    STOP_CHECK,
    check_daemon,
    check_database,
    check_file,
    check_pause,
    check_stop,
    check_versions,
)
from hookd.cli.doctor.checks.fleet import check_fleet
from hookd.cli.doctor.checks.fleet_items import check_fleet_items
from hookd.cli.doctor.checks.guard_rules import (
    check_allow_rules,
    check_guard_rules,
    check_limited_guards,
)
from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.hook_program import check_hook_program
from hookd.cli.doctor.checks.incidents import check_incidents
from hookd.cli.doctor.checks.machine import check_machine
from hookd.cli.doctor.checks.mcp_server import check_mcp_servers
from hookd.cli.doctor.checks.other_clients import check_other_client, check_record, registered_here
from hookd.cli.doctor.checks.other_hooks import check_others, check_user_hooks
from hookd.cli.doctor.checks.plugin import check_plugin, plugin_layers
from hookd.cli.doctor.checks.registration import check_client, check_registration, check_settings
from hookd.cli.doctor.checks.result import Finding, State, warn
from hookd.cli.doctor.checks.settings_layers import (
    Layer,
    check_switches,
    managed_folder,
    read_layers,
)
from hookd.cli.doctor.checks.status_line import check_status_line
from hookd.cli.doctor.checks.storage import check_keeping, check_places
from hookd.cli.doctor.checks.timeouts import telling
from hookd.cli.doctor.checks.waking import check_waking
from hookd.cli.doctor.checks.without_daemon import check_without_daemon, trial
from hookd.cli.doctor.report import DEFAULT as REPORT
from hookd.cli.doctor.report import write as write_report
from hookd.cli.doctor.transcript import transcript
from hookd.cli.install import clients, scope
from hookd.cli.install.clients import OTHER_CLIENTS
from hookd.cli.lib import claude_version, client, output
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option
from hookd.cli.lib.output import Column
from hookd.core.model.client_names import CLAUDE_CODE
from hookd.system import stop_marker

_COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}
_COLUMNS = (
    Column("check", "check", firm=True),
    Column("state", "state", firm=True, styles=_COLOURS),
    Column("what", "what", least=24),
    Column("next", "next", least=16),
)


_CLIENT = """Check these clients.  [default: claude-code, and each that hookd is registered
with]"""


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog="""\b
    Examples:
      hookd doctor
      hookd doctor -v
      hookd doctor --json | jq '.[] | select(.state != "ok")'
      hookd doctor --client codex           these clients alone
      hookd doctor > /dev/null || echo 'hookd does not guard here'
      hookd doctor --report                 write a file for an issue
    """,
)
@click.option("-v", "--verbose", is_flag=True, help="Show checks without a problem, too.")
@json_option("Print a JSON list.")
@click.option("--client", "names", multiple=True, metavar="A,B,C", help=_CLIENT)
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    is_flag=False,
    flag_value=str(REPORT),
    metavar="[FILE]",
    help=f"Write a report for an issue to FILE.  [default: {REPORT}]",
)
@click.pass_context
def doctor(
    ctx: click.Context,
    verbose: bool,
    as_json: bool,
    names: tuple[str, ...],
    report: Path | None,
) -> None:
    """Check whether hookd guards in this folder.

    It shows the checks that need attention; with -v or --json all. It changes nothing and starts no
    daemon. Exit code 0: no check fails, but there may be warnings. Exit code 1: a check fails.
    """
    if ctx.invoked_subcommand is not None:
        return
    findings = list(examine(Path.cwd(), managed_folder(), clients.named(names)))
    rows = [_row(finding) for finding in findings]
    if report:
        write_report(report, findings, _settings())
    if not as_json and (stop := _stop(findings)):
        click.echo(f"{stop.what} Next: {stop.next}\n")
    if as_json or verbose:
        output.show(rows, _COLUMNS, as_json=as_json, empty="")
    else:
        _show_problems(findings)
    if not as_json:
        click.echo(f"\n{verdict(findings)}")
        if report:
            click.echo(f"Report: {report}. Read it before you share it.")
    ctx.exit(int(any(finding.state is State.FAIL for finding in findings)))


doctor.add_command(transcript)


def _show_problems(findings: Sequence[Finding]) -> None:
    """Print the findings that need attention, the failures first, and how many do not."""
    problems = [one for one in findings if one.state is not State.OK]
    for finding in sorted(problems, key=lambda one: one.state is State.WARN):
        colour = _COLOURS[finding.state] if output.has_colours() else None
        click.secho(f"{finding.state}  {output.cell(finding.check)}", fg=colour)
        click.echo(output.folded(output.cell(finding.what), 4))
        if finding.next:
            click.echo(output.folded(f"next: {output.cell(finding.next)}", 4))
    fine = len(findings) - len(problems)
    plural = "check is" if fine == 1 else "checks are"
    click.echo(("\n" if problems else "") + f"{fine} {plural} fine; hookd doctor -v shows them.")


def _row(finding: Finding) -> dict[str, Any]:
    row = asdict(finding)
    return row if row["data"] else {name: row[name] for name in row if name != "data"}


def _settings() -> list[Path]:
    """Return the settings files that a report copies: hookd's, and those of its clients here."""
    user = scope.user_settings()
    folder = scope.project_root(Path.cwd(), Path.home())
    own = [folder / ".hookd" / name for name in ("settings.json", "settings.local.json")]
    layers = read_layers(user, folder, managed_folder())
    others = (client.user_file for client in registered_here(folder))
    return [paths.paths().settings, *own, *(layer.path for layer in layers), *others]


def examine(folder: Path, managed: Path, names: Sequence[str] = ()) -> Iterator[Finding]:
    """Yield the findings of all checks for a folder; `managed` is the administrator's settings.

    `names` are the clients to check; without them, Claude Code and each that is registered with.
    """
    project = scope.project_root(folder, Path.home())
    others = [OTHER_CLIENTS[name] for name in names if name in OTHER_CLIENTS]
    if not names:
        others = registered_here(project)
    layers = _layers(project, managed)
    alone = not any(hook.ours for layer in layers for hook in layer.hooks)
    if CLAUDE_CODE in names or not (
        names or (others and alone and not clients.EVERY[CLAUDE_CODE].found)
    ):
        yield from _claude_code(layers, project)
    else:
        yield from _common(project, registered=bool(others))
    yield from check_record()
    for one in others:
        with telling(f"checking {one.title}"):
            listening = client.probe(paths.paths().socket) is client.State.LISTENING
            yield from check_other_client(one, project, listening=listening)


def _layers(project: Path, managed: Path) -> Sequence[Layer]:
    layers = read_layers(scope.user_settings(), project, managed)
    return layers + plugin_layers(layers, project)


def _claude_code(layers: Sequence[Layer], project: Path) -> Iterator[Finding]:
    """Yield the findings of all checks for Claude Code."""
    ours = [hook for layer in layers for hook in layer.hooks if hook.ours]
    stopped = stop_marker.read(paths.paths().stopped) is not None
    # It takes most of the time, in a process of its own, so the other checks run meanwhile.
    with nullcontext() if stopped else trial(ours) as tried:
        yield from _checks(layers, ours, project)
        if not stopped:
            with telling("judging a call without the daemon"):
                yield from check_without_daemon(ours, tried)
    yield from check_others(layers)


def _checks(layers: Sequence[Layer], ours: list[Hook], project: Path) -> Iterator[Finding]:
    """Yield the findings of all checks but those of the judge and of other hooks."""
    yield from _common(project, registered=bool(ours))
    state = client.probe(paths.paths().socket)
    with telling("asking claude for its version"):
        installed = claude_version.read()
        yield from check_client(installed, ours)
    yield from check_settings(layers)
    yield from check_registration(layers)
    yield from check_plugin(layers, installed)
    with telling("asking the MCP server"):
        yield from check_mcp_servers(project)
    yield from check_switches(layers)
    yield from check_wiring(ours, project)
    with telling("measuring a hook"):
        yield from check_hook_program(ours, project)
    yield from check_status_line(layers)
    with telling("trying what wakes an idle client"):
        yield from check_waking(layers)
    if state is client.State.LISTENING:
        with telling("trying a registered hook"):
            yield from check_canary(ours, project, installed)
        with telling("listing your user hooks"):
            yield from check_user_hooks(project, ours)
        with telling("checking the database"):
            yield from check_database()
    else:
        yield from check_file()
        if ours:
            what = "No hook was tried, since no daemon answers."
            yield warn("canary", what, "hookd start, then hookd doctor")


def _common(project: Path, *, registered: bool) -> Iterator[Finding]:
    """Yield the findings of the checks that concern no client."""
    yield from check_stop()
    yield from check_machine()
    with telling("asking the daemon"):
        state = client.probe(paths.paths().socket)
        yield check_daemon(state, registered=registered)
        if state is client.State.LISTENING:
            yield from check_versions()
            yield from check_pause()
            yield from check_allow_rules()
            yield from check_keeping()
            yield from check_incidents()
            yield from check_fleet_items()
            yield from check_fleet()
            yield from check_guard_rules()
            yield from check_limited_guards(str(project))
    yield from check_places()


def verdict(findings: list[Finding]) -> str:
    """Return the result of all findings in one sentence."""
    count = Counter(finding.state for finding in findings)
    if stop := _stop(findings):
        return stop.what
    if count[State.FAIL]:
        plural = "check fails" if count[State.FAIL] == 1 else "checks fail"
        return f"hookd does not guard here as it should: {count[State.FAIL]} {plural}."
    if any(one.check == "pause" and one.state is State.WARN for one in findings):
        return "Nothing is guarded here until the pause ends: hookd resume."
    tried = any(one.check.endswith("canary") and one.state is State.OK for one in findings)
    seen = "hookd guards here" if tried else "Nothing fails, but no hook was tried"
    plural = "warning" if count[State.WARN] == 1 else "warnings"
    return f"{seen}; {count[State.WARN]} {plural}." if count[State.WARN] else f"{seen}."


def _stop(findings: list[Finding]) -> Finding | None:
    """Return the finding that hookd is stopped, None if it is not."""
    return next(
        (one for one in findings if (one.check, one.state) == (STOP_CHECK, State.FAIL)), None
    )
