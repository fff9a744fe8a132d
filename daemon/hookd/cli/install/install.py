"""`hookd install` and `hookd uninstall`: neither needs a running daemon."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from hookd import paths
from hookd.cli.hooks import own_files
from hookd.cli.install import (
    deadlines,
    native_build,
    options,
    report,
    scope,
    scope_folder,
    settings_file,
    settings_record,
    taken_over,
)
from hookd.cli.install import shims as installed_shims
from hookd.cli.install.native_build import Prepared
from hookd.cli.install.options import DEFAULT_WORD
from hookd.cli.install.scope import Target
from hookd.cli.install.settings_file import Document
from hookd.cli.lib import claude_version, transport
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import (
    former_option,
    json_option,
)
from hookd.cli.lib.person import expect_person
from hookd.cli.policies import profile as policies_profile
from hookd.clients.claude_code import registration
from hookd.clients.claude_code.fail_closed import NO_VERDICT, USUAL
from hookd.clients.claude_code.permission_entries import COMMANDS, present
from hookd.clients.claude_code.registration import Json, Shim
from hookd.clients.claude_code.status_line_entry import LINE_SHIM
from hookd.core.model import shim_config
from hookd.core.model.shim_config import AUTO, BASH, ShimConfig
from hookd.lazy_dataclass import dataclass

_EVENTS = """Register exactly these events; `default` is all but MessageDisplay (ten processes a
second while text streams), WorktreeRemove, and WorktreeCreate, which is refused.  [default: as
before, else default]"""
_LINE = """Show hookd's line below the status line, whose command still runs. It reports exactly how
full a context window is.  [default: as before, else no]"""
_CLOSED = f"""Deny these events if hookd does not answer: by the shim, and if that is missing, by
Claude Code (onFailure, from 2.1.295 on). Without a value: {" and ".join(USUAL)}.
[default: as before, else none]"""
_PROFILE = """Turn on the guards, or also the policies that advise the model and keep it working.
[default: as before, else asked at a terminal, else guards]"""
_PERMISSIONS = f"""Let Claude Code run {" and ".join(COMMANDS)}, which hookd asks the model to run,
without a permission prompt.  [default: as before, else asked at a terminal, else as the profile:
guards no, workflow yes]"""
_OPEN = "Allow every event if hookd does not answer."
_NO_VERDICT = """Choose what happens to an event that no daemon answers: `judge` runs the guards in
a separate process, and only if that fails, too, the event fails open or closed; `open` allows
everything, `closed` denies the events that fail closed.  [default: as before, else judge]"""
_SHIM = """Choose the program that hooks start: `native` is compiled here, or comes with the
package, and is faster than `bash`; `auto` is `native` if there can be one, else `bash`.
[default: as before, else auto]"""
_FORWARD = "Forward this variable of the session, too; later installs keep it."
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _options(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        json_option(),
        click.option("--diff", is_flag=True, help="As --dry-run, and show the changed lines."),
        click.option("--dry-run", is_flag=True, help="Show the changes without writing them."),
    ):
        command = option(command)
    return scope.options(command)


@click.command(
    epilog="""\b
    Examples:
      hookd install                                    for all your projects
      hookd install --scope local                      for this project, for you alone
      hookd install --scope project                    in the file that the project shares
      hookd install --settings .claude/settings.json   for one project
      hookd install --dry-run                          show the changes
      hookd install --diff                             show them line by line
      hookd install --events PreToolUse,Stop           these two events, no other
      hookd install --events default,MessageDisplay    one more than usual
      hookd install --fail-closed                      no answer: deny the call
      hookd install --fail-closed PreToolUse,UserPromptSubmit
      hookd install --fail-open                        no answer: allow the call
      hookd install --no-verdict open                  no daemon, no guard
      hookd install --shim bash                        compile nothing
      hookd install --forward-env CI --forward-env MY_TICKET    two more variables
      hookd install --no-forward-env                   the usual variables alone
      hookd install --statusline                       hookd's status line, below your own
      hookd install --profile workflow                 more policies: hookd policy profile
      hookd install --permissions                      hookd log and hookd handover, unasked
    """
)
@_options
@click.option("--events", multiple=True, metavar="A,B,C", help=_EVENTS)
@click.option(
    "--fail-closed", is_flag=False, flag_value=DEFAULT_WORD, metavar="[A,B,C]", help=_CLOSED
)
@click.option("--fail-open", is_flag=True, help=_OPEN)
@click.option("--no-verdict", type=click.Choice(NO_VERDICT), help=_NO_VERDICT)
@click.option("--shim", type=click.Choice(shim_config.SHIMS), help=_SHIM)
@former_option("--no-send", "--no-forward-env", "no_forward_env", flag_value=True)
@former_option("--send", "--forward-env", "forward_env", multiple=True)
@click.option("--forward-env", multiple=True, metavar="NAME", help=_FORWARD)
@click.option("--no-forward-env", is_flag=True, help="Forward only the usual variables.")
@click.option("--statusline/--no-statusline", default=None, help=_LINE)
@click.option("--profile", type=click.Choice(policies_profile.NAMES), help=_PROFILE)
@click.option("--permissions/--no-permissions", default=None, help=_PERMISSIONS)
def install(dry_run: bool, as_json: bool, **wanted: Any) -> None:
    """Register hookd with Claude Code.

    Other entries of the settings stay as they are. A second run updates outdated entries.
    """
    diff = wanted.pop("diff")
    dry_run = dry_run or diff
    target = scope.chosen(*map(wanted.pop, ("settings", "scope", "project_dir")))
    profile = wanted.pop("profile")
    closed = options.parse_fail_closed(wanted.pop("fail_closed"), opened=wanted.pop("fail_open"))
    closed = options.closed_with_no_verdict(wanted["no_verdict"], closed)
    with _plainly(target.path) as document:
        if not (profile or dry_run or as_json):
            profile = policies_profile.asked()
        asks = not (dry_run or as_json)
        permitted = _permitted(document, wanted.pop("permissions"), profile, ask=asks)
        plan = _plan(document, target, _Wanted(closed=closed, permitted=permitted, **wanted))
        if not dry_run:
            _expect_allowed(plan, profile)
            renewed, prepared = _write(document, plan)
    if warning := scope.warning(target):
        click.echo(f"hookd: {warning}", err=True)
    facts = _install_facts(document, target, plan)
    facts["notes"] += options.permission_notes(plan.permissions) if dry_run else []
    if warning and as_json:
        facts["notes"].insert(0, warning)
    if dry_run:
        title = "hookd would be registered with Claude Code; nothing is written."
        facts["changes"] = asdict(registration.changes(document.value, plan.value))
        shims = scope_folder.diff(plan.folder, plan.config)
        facts["changed"] = facts["changed"] or bool(shims)
        lines = document.diff(plan.after) + shims
        report.preview(title, facts, lines, shown=diff, as_json=as_json)
    else:
        profile, told = policies_profile.installed(profile)
        facts |= {"profile": profile, "notes": [*facts["notes"], *told]}
        facts["shim"] |= prepared.facts
        _report_install(facts, plan, renewed, as_json)


def _expect_allowed(plan: "_Plan", profile: str | None) -> None:
    """Raise Problem if the plan weakens the guards and a client, not a person, runs the command."""
    if plan.loosens:
        expect_person(f"hookd install, where it {plan.loosens},")
    if profile not in (None, policies_profile.chosen() or "guards"):
        expect_person("hookd install --profile")


def _install_facts(document: Document, target: Target, plan: "_Plan") -> Json:
    """Return the facts that a report and a preview of an install share."""
    notes = plan.notes + options.status_line_notes(plan.value, target)
    notes += scope.unignored(target, _private(document, target))
    facts = _facts(document, target, plan.after, plan.events) | {
        "fail_closed": list(plan.config.closed),
        "no_verdict": plan.config.no_verdict,
        "shim": {"wanted": plan.config.shim or AUTO},
        "client_version": plan.client,
        "notes": notes,
    }
    facts |= options.status_line_facts(document.value, plan.value)
    return facts | options.permission_facts(document.value, plan.value, target)


@click.command(
    epilog="""\b
    Examples:
      hookd uninstall                                    for all your projects
      hookd uninstall --dry-run                          show the changes
      hookd uninstall --scope local                      undo install --scope local
      hookd uninstall --scope project                    undo install --scope project
      hookd uninstall --settings .claude/settings.json   for one project
      hookd uninstall --purge                            remove the database and all else, too
    """
)
@_options
@click.option("--purge", "purges", is_flag=True, help="End the daemon and remove hookd's files.")
@click.option("--everywhere", is_flag=True, help="With --purge: in all settings that name hookd.")
@click.option("--yes", is_flag=True, help="With --purge: do not ask.")
def uninstall(
    dry_run: bool,
    as_json: bool,
    purges: bool,
    everywhere: bool,
    yes: bool,
    **where: Any,
) -> None:
    """Remove hookd from Claude Code's settings.

    Settings that did not change since `hookd install` are restored byte for byte; from others only
    hookd's own entries are removed. The database, the log and hookd's settings stay, unless --purge
    removes them.
    """
    if (everywhere or yes) and not purges:
        raise click.UsageError("--everywhere and --yes go with --purge.")
    from hookd.cli.install import purge  # noqa: PLC0415 - slow, and of no use to install

    diff = where.pop("diff")
    dry_run = dry_run or diff
    target = scope.chosen(*map(where.pop, ("settings", "scope", "project_dir")))
    if not dry_run:
        expect_person("hookd uninstall")
    others = _others(target.path)
    if purges:
        purge.expect_possible(others, everywhere=everywhere)
        if not (dry_run or yes):
            purge.confirm()
    with _plainly(target.path) as document:
        after, exact = settings_record.without(document, _record())
        facts = _uninstall_facts(document, target, after) | {"restored": exact}
        shims = None if dry_run else _unregister(document)
    for other in [] if dry_run or not purges else others:
        with _plainly(other) as further:
            shims = _unregister(further) or shims
    facts["also"] = list(map(str, others)) if purges else []
    if purges and not dry_run:
        facts |= purge.remove()
    backups = map(settings_file.backup_of, [document.path, *others])
    facts["stays"] = [] if purges and dry_run else purge.stays(filter(Path.exists, backups))
    if dry_run:
        facts["changes"] = asdict(registration.changes(document.value, {}))
        facts["removed"] = purge.stays([]) if purges else []
        title = "hookd would be removed; nothing is written."
        report.preview(title, facts, document.diff(after), shown=diff, as_json=as_json)
    else:
        report.uninstalled(facts | {"shims": shims}, as_json, purged=purges)


def _uninstall_facts(document: Document, target: Target, after: bytes | None) -> Json:
    """Return what is registered in a settings file, before an uninstall writes `after`."""
    own = settings_record.recall(_record(), document.path).permissions or ()
    permissions = {"allowed": [], "taken_out": list(present(document.value, own)), "command": ""}
    facts = _facts(document, target, after, registration.registered(document.value))
    facts |= options.status_line_facts(document.value, {})
    return facts | {"permissions": permissions}


@installed_shims.alone()
def _unregister(document: Document) -> str | None:
    """Remove hookd from a settings file; return what became of the shims."""
    after, exact = settings_record.without(document, _record())
    known = [document.path, scope.user_settings()]
    known += settings_record.recorded(_record())
    settings_record.restore(document, after, exact, _record())
    for folder in scope_folder.of(document.path, document.value):
        scope_folder.remove(folder)
    return installed_shims.remove(known)


def _others(settings: Path) -> list[Path]:
    """Return the settings files besides `settings` that are known to name hookd."""
    configs = map(scope_folder.read, scope_folder.every())
    known = [scope.user_settings(), *settings_record.recorded(_record())]
    known += [Path(config.settings) for config in configs if config and config.settings]
    real = {os.path.realpath(path): None for path in known}
    real.pop(os.path.realpath(settings), None)
    return [Path(path) for path in real if installed_shims.names_shims(Path(path))]


@dataclass(frozen=True)
class _Plan:
    """Everything that an install writes, computed before it writes.

    `loosens` is how it weakens the registration, "" if it does not.
    """

    shipped: list[Path]
    folder: Path
    config: ShimConfig
    line: bool
    events: list[str]
    value: Json
    after: bytes | None
    client: str | None
    notes: list[str]
    loosens: str
    permissions: tuple[str, ...] | None


@dataclass(frozen=True)
class _Wanted:
    """Values of the options of install; None: unchanged."""

    events: tuple[str, ...]
    closed: set[str] | None
    forward_env: tuple[str, ...]
    no_forward_env: bool
    statusline: bool | None
    no_verdict: str | None
    shim: str | None
    permitted: tuple[str, ...] | None


def _permitted(
    document: Document, wanted: bool | None, profile: str | None, *, ask: bool
) -> tuple[str, ...] | None:
    """Return the permission entries to have, asking at a terminal if there is no choice yet."""
    before = settings_record.recall(_record(), document.path).permissions
    profile = profile or policies_profile.chosen()
    return options.permission_choice(
        document.value, before, wanted=wanted, profile=profile, ask=ask
    )


def _plan(document: Document, target: Target, wanted: _Wanted) -> _Plan:
    """Return what an install of the options writes. Raise Problem if they cannot be registered."""
    before = registration.registered(document.value)
    events = (
        options.parse_events(wanted.events) if wanted.events else options.unchanged_events(before)
    )
    closed_before = scope_folder.closed(document.value)
    folder = f"{scope_folder.shims()}/{scope_folder.name(target.scope, document.path)}"
    closed = options.fail_closed_events(wanted.closed, events, closed_before)
    closed = options.default_closed(wanted.no_verdict, closed, events)
    waits = deadlines.of(replace(target, path=document.path), own_files.project())
    shim = Shim(folder, closed, tuple(closed_before), waits)
    no_verdict_before = scope_folder.no_verdict(document.path, document.value)
    no_verdict = options.no_verdict(wanted.no_verdict, no_verdict_before, closed)
    config = replace(
        _config(document, events, shim, wanted.shim),
        no_verdict=no_verdict,
        variables=_variables(document, wanted),
    )
    line = options.status_line_shim(document.value, shim, wanted=wanted.statusline)
    shipped = installed_shims.shipped(*([LINE_SHIM] if line else []))
    client = claude_version.read()
    unknown = claude_version.check(client)
    past = settings_record.recall(_record(), document.path)
    value = settings_record.registered(document, shim, events, _record(), line)
    value, permissions = settings_record.permitted(value, wanted.permitted, past)
    notes = taken_over.notes(document.path, document.value, config)
    notes += [unknown] if unknown else []
    notes += _notes(value, config, client)
    notes += options.event_notes(events, before, chosen=bool(wanted.events))
    weakenings = (
        "opens events that fail closed" if set(closed_before) - set(shim.closed) else "",
        taken_over.loosens(document.path, document.value, config),
        options.no_verdict_weakening(no_verdict_before, no_verdict),
        options.permission_weakening(document.value, value),
        "registers fewer events" if set(before) - set(events) else "",
    )
    return _Plan(
        shipped=shipped,
        folder=Path(folder),
        config=config,
        line=bool(line),
        events=events,
        value=value,
        after=document.rewritten(value),
        client=client.text,
        notes=notes,
        loosens=next(filter(None, weakenings), ""),
        permissions=permissions,
    )


def _notes(value: Json, config: ShimConfig, client: claude_version.Client) -> list[str]:
    """Return notes for the user about the entries, the programs and the client."""
    notes = registration.notes(value)
    notes += [f"{gone}: {_linked(config)}"] if (gone := transport.off_path()) else []
    return [*notes, *transport.refused(), *options.fail_closed_notes(config.closed, client)]


@installed_shims.alone(makes=True)
def _write(document: Document, plan: _Plan) -> tuple[bool, Prepared]:
    """Write the shims, the scope's folder, and last the settings, which name them.

    Return whether shims or configuration changed, and the shim that is registered.
    """
    installed_shims.sweep()
    renewed = installed_shims.copy(plan.shipped)
    prepared = native_build.prepare(plan.config.shim or AUTO)
    write = partial(scope_folder.write, plan.folder, plan.config, line=plan.line)
    renewed = write(shim=prepared.shim) or prepared.changed or renewed
    older = [
        folder
        for folder in scope_folder.of(document.path, document.value)
        if not folder.samefile(plan.folder)
    ]
    settings_record.save(document, plan.after, _record(), plan.permissions)
    scope_folder.prune(plan.folder, plan.config, line=plan.line)
    for folder in older:
        scope_folder.remove(folder)
    native_build.unneeded()
    native_build.expect_usable()
    return renewed, prepared


@contextmanager
def _plainly(path: Path) -> Iterator[Document]:
    """Read the chosen settings; raise Problem for what they or the system refuse meanwhile."""
    try:
        yield settings_file.read(path)
    except registration.ShapeError as error:
        sentence = f"{path} is not as Claude Code reads it: {error}."
        raise Problem(sentence, settings_file.MEND) from None
    except RecursionError:
        raise Problem(f"{path} is nested too deeply.", settings_file.MEND) from None
    except OSError as error:
        sentence = f"{error.filename or path}: {error.strerror or error}."
        step = "See that the file and its folder are yours to write, then run the command again."
        raise Problem(sentence, step) from None


def _record() -> Path:
    return paths.paths().data / "install.json"


def _variables(document: Document, wanted: _Wanted) -> tuple[str, ...]:
    """Return the variables to forward: the wanted ones, and those that are registered already."""
    for name in wanted.forward_env:
        if not _VARIABLE.fullmatch(name):
            sentence = f'"{name}" is not the name of an environment variable.'
            raise Problem(sentence, "Give the name alone: the value is read when a hook runs.")
    if wanted.forward_env and wanted.no_forward_env:
        sentence = "--forward-env and --no-forward-env exclude each other."
        raise Problem(sentence, "Give one of them.")
    known = (
        ()
        if wanted.forward_env or wanted.no_forward_env
        else scope_folder.sent(document.path, document.value)
    )
    return tuple(dict.fromkeys((*wanted.forward_env, *filter(_VARIABLE.fullmatch, known))))


def _config(document: Document, events: list[str], shim: Shim, program: str | None) -> ShimConfig:
    """Return the configuration; `program` is the value of --shim."""
    return ShimConfig(
        shim=options.shim(program, scope_folder.shim(document.path, document.value)),
        socket=str(paths.paths().socket),
        hookd=str(transport.hookd()),
        python=str(Path(sys.executable).absolute()),
        settings=str(document.path),
        environment=tuple(f"{name}={value}" for name, value in paths.place_environment().items()),
        transports=transport.find(),
        events=shim_config.event_rules(events, shim.closed, shim.deadlines),
    )


def _facts(document: Document, target: Target, after: bytes | None, events: list[str]) -> Json:
    return {
        "changed": after != document.raw,
        "settings": str(document.path),
        "scope": target.scope,
        "events": events,
        "backup": str(document.backup) if document.backup.exists() else None,
    }


def _private(document: Document, target: Target) -> list[Path]:
    """Return the files of this run that are private: a repository would carry them."""
    made = document.raw is None and target.scope == "local"
    backup = [document.backup] if document.backup.exists() else []
    return [document.path] * made + backup


def _report_install(facts: Json, plan: _Plan, renewed: bool, as_json: bool) -> None:
    title = "Nothing changed: hookd is registered already."
    if facts["changed"]:
        title = "hookd is registered with Claude Code."
    elif renewed:
        title = "The registration is unchanged; the shims or their configuration were updated."
    facts["changed"] = facts["changed"] or renewed
    first = plan.config.transports[0]
    kind, _, program = first.partition(":")
    taken = transport.measured(kind, program)
    if taken is not None and not as_json:
        first = f"{first}, {taken:.1f} ms for a round trip"
    facts |= {"shims": str(plan.folder), "transport": first}
    facts |= {"transport_ms": taken and round(taken, 1), "hookd": plan.config.hookd}
    if facts["shim"]["used"] == BASH:  # the native shim needs no transport
        facts["notes"] = facts["notes"] + transport.notes(kind, taken)
    step = "hookd start, then start Claude Code; running sessions reload their hooks automatically"
    report.report(title, facts, step, as_json=as_json)


def _linked(config: ShimConfig) -> str:
    return f"ln -s {config.hookd} ~/.local/bin/hookd, or another folder of your PATH"
