"""`hookd uninstall`: take registrations out first, then what they ran. It needs no daemon."""

import os
import shlex
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from hookd.cli.install import (
    clients,
    mcp_server,
    options,
    plan,
    report,
    scope_folder,
    settings_file,
    settings_record,
    waking,
)
from hookd.cli.install import shims as installed_shims
from hookd.cli.install.clients import EVERY, Client
from hookd.cli.install.install import shared_options
from hookd.cli.install.plan import record
from hookd.cli.install.report import Facts, Result
from hookd.cli.install.scope import Target
from hookd.cli.install.settings_file import Document
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.person import expect_person
from hookd.clients.claude_code.permission_entries import present
from hookd.clients.hook_groups import ShapeError
from hookd.core.model.client_names import CLAUDE_CODE
from hookd.core.model.shim_paths import named_in
from hookd.lazy_dataclass import dataclass

_CLIENT = (
    f"""Remove hookd from these clients: {", ".join(clients.NAMES)}.  [default: claude-code]"""
)
_ALL = "Remove hookd from every client and every settings file that it is registered in."


@dataclass(frozen=True)
class _File:
    """A settings file of a client."""

    client: Client
    target: Target

    @property
    def command(self) -> str:
        """The command that removes hookd from this file."""
        client = [] if self.client.name == CLAUDE_CODE else ["--client", self.client.name]
        return shlex.join(["hookd", "uninstall", *client, "--settings", str(self.target.path)])


@click.command(
    epilog="""\b
    Examples:
      hookd uninstall                         for all your projects
      hookd uninstall --dry-run               show the changes
      hookd uninstall --scope local           undo install --scope local
      hookd uninstall --scope project         undo install --scope project
      hookd uninstall --settings .claude/settings.json
      hookd uninstall --client codex,gemini   undo install --client codex,gemini
      hookd uninstall --all                   from every client and every project
      hookd uninstall --purge                 remove hookd's own files, too
    """
)
@shared_options
@click.option("--client", "names", multiple=True, metavar="A,B,C", help=_CLIENT)
@click.option("--all", "every", is_flag=True, help=_ALL)
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
    """Remove hookd from the settings of its clients.

    Settings that did not change since `hookd install` are restored byte for byte; from others only
    hookd's own entries are removed. The database, the log and hookd's settings stay, unless --purge
    removes them.
    """
    if (everywhere or yes) and not purges:
        raise click.UsageError("--everywhere and --yes go with --purge.")
    from hookd.cli.install import purge  # noqa: PLC0415 - slow, and of no use to install

    diff = where.pop("diff")
    dry_run = dry_run or diff
    files = _chosen(**where)
    servers = mcp_server.removals((one.target for one in files), every=where["every"] or purges)
    empty = where["every"] and not purges and not _others([])
    if not dry_run:
        expect_person("hookd uninstall")
    others = _others(files)
    if purges:
        known = {one.target.path: one.command for one in others}
        purge.expect_possible(known, everywhere=everywhere)
    if not dry_run:
        _expect_writable([*files, *(others if purges else ())])
        if purges:
            purge.begin(ask=not yes)
    results = [_uninstalled(one, dry_run=dry_run) for one in files]
    _remove_servers(servers, results[-1], dry_run=dry_run)
    for other in [] if dry_run or not purges else others:
        further = _uninstalled(other, dry_run=False)
        results[-1]["shims"] = further["shims"] or results[-1]["shims"]
    last = results[-1]
    last["also"] = [str(one.target.path) for one in others] if purges else []
    if purges and not dry_run:
        last |= purge.remove()
    places = (Path(os.path.realpath(one.target.path)) for one in (*files, *others))
    backups = map(settings_file.backup_of, places)
    last["stays"] = [] if purges and dry_run else purge.stays(filter(Path.exists, backups))
    if dry_run:
        last["removed"] = purge.stays([]) if purges else []
    shown = _shown(results, purged=purges, preview=dry_run)
    shown = [report.nowhere(last)] if empty and not dry_run else shown
    report.show(shown, as_json=as_json, diffs=diff)


def _shown(results: list[Facts], *, purged: bool, preview: bool) -> list[Result]:
    """Return the results to print; the last one has what became of the shims."""
    for facts in results[:-1]:
        facts["shims"] = None
    return [_result(facts, purged=purged, preview=preview) for facts in results]


def _remove_servers(servers: list[mcp_server.Registration], facts: Facts, *, dry_run: bool) -> None:
    """Remove hookd's MCP server from these files, or preview that; add it to the facts."""
    if not servers:
        return
    facts["mcp"] = ", ".join(str(one.document.path) for one in servers)
    facts["changed"] = True
    for server in servers:
        if dry_run:
            facts["diff"] = facts["diff"] + server.document.diff(server.after)
        else:
            mcp_server.write(server)


def _chosen(
    names: tuple[str, ...],
    every: bool,
    settings: Path | None,
    scope: str | None,
    project_dir: Path | None,
) -> list[_File]:
    """Return the files that the options choose."""
    if every:
        if names or settings or scope or project_dir:
            raise click.UsageError("--all excludes the options that choose a client or a file.")
        return _others([]) or [_file(CLAUDE_CODE, None, None, None)]
    found = clients.named(names) or [CLAUDE_CODE]
    if len(found) > 1 and settings:
        raise click.UsageError("--settings goes with one client.")
    return [_file(name, settings, scope, project_dir) for name in found]


def _file(name: str, settings: Path | None, kind: str | None, folder: Path | None) -> _File:
    client = EVERY[name]
    return _File(client, clients.target(client, settings, kind, folder))


def _others(files: Iterable[_File]) -> list[_File]:
    """Return the settings files besides `files` that are known to name hookd."""
    users = {client.user_file: client.name for client in EVERY.values()}
    known = dict(users)
    known |= settings_record.recorded(record())
    for config in filter(None, map(scope_folder.read, scope_folder.every())):
        if config.settings:
            known[Path(config.settings)] = config.client
    real = {os.path.realpath(path): client or CLAUDE_CODE for path, client in known.items()}
    for one in files:
        real.pop(os.path.realpath(one.target.path), None)
    usual = set(map(os.path.realpath, users))
    return [
        _File(EVERY[name], Target(Path(path), "user" if path in usual else "file"))
        for path, name in real.items()
        if name in EVERY and installed_shims.names_shims(Path(path))
    ]


def _expect_writable(files: Iterable[_File]) -> None:
    """Raise Problem if an uninstall changes a settings file that is read-only."""
    for file in files:
        with plan.plainly(file.client, file.target.path) as document:
            after, _ = settings_record.without(document, record(), file.client.entries)
            if after != document.raw:
                settings_file.expect_writable(document.path)


def _uninstalled(file: _File, *, dry_run: bool) -> Facts:
    """Remove hookd from a settings file, or only say what that changes; return the facts."""
    with plan.plainly(file.client, file.target.path) as document:
        after, exact = settings_record.without(document, record(), file.client.entries)
        facts = _facts(file, document, after) | {"restored": exact}
        if dry_run:
            facts["changes"] = asdict(file.client.registration.changes(document.value, {}))
            return facts | {"shims": None, "diff": document.diff(after)}
        return facts | {"shims": _unregister(file, document)}


def _facts(file: _File, document: Document, after: bytes | None) -> Facts:
    """Return what is registered in a settings file, before an uninstall writes `after`."""
    events = file.client.registration.registered(document.value)
    facts = plan.facts(document, file.target, after, events) | {"client": file.client.name}
    if file.client.name != CLAUDE_CODE:
        return facts
    own = settings_record.recall(record(), document.path).permissions or ()
    permissions = {"allowed": [], "taken_out": list(present(document.value, own)), "command": ""}
    facts |= options.status_line_facts(document.value, {})
    facts |= waking.facts(document.value, {})
    return facts | {"permissions": permissions}


@installed_shims.alone()
def _unregister(file: _File, document: Document) -> str | None:
    """Remove hookd from a settings file; return what became of the shims.

    The registration goes first: some clients deny every tool call if its program is missing.
    """
    after, exact = settings_record.without(document, record(), file.client.entries)
    programs = file.client.registration.programs(document.value)
    folders = scope_folder.folders(document.path, (path for _, path in programs))
    settings_record.restore(document, after, exact, record())
    for folder in folders:
        scope_folder.remove(folder)
    left = [_named_in(file)] if installed_shims.names_shims(file.target.path) else []
    return installed_shims.remove(left + list(map(_named_in, _others([file]))))


def naming() -> list[str]:
    """Return a clause for each settings file that names the shims."""
    return list(map(_named_in, _others([])))


def _named_in(file: _File) -> str:
    """Return where a settings file names the shims, and the command to remove hookd from it."""
    path = file.target.path
    try:
        document = file.client.read(path)
        events = file.client.registration.registered(document.value)
    except (Problem, ShapeError, RecursionError, OSError):
        return f"{path} cannot be read, and may name them"
    if events:
        return f"{path} names them in its hooks, {options.events_text(events)} ({file.command})"
    raw = document.raw or b""
    lines = dict.fromkeys(raw.count(b"\n", 0, start) + 1 for start in named_in(raw))
    return f"{path} names them, line {', '.join(map(str, lines))}"


def _result(facts: Facts, *, purged: bool, preview: bool) -> Result:
    """Return the result for one settings file."""
    name = facts["client"]
    whose = "" if name == CLAUDE_CODE else f" from {EVERY[name].title}"
    if preview:
        diff = facts.pop("diff")
        return Result(f"hookd would be removed{whose}; nothing is written.", facts, diff=diff)
    return report.uninstalled(facts, whose, purged=purged)
