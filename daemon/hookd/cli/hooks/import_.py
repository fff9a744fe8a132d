"""`hookd hook import`: copy the hooks of another program's file into hookd's own."""

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from hookd import paths
from hookd.cli.hooks import own_files, write_trusted
from hookd.cli.hooks.find import unfit
from hookd.cli.hooks.own_files import OwnFile
from hookd.cli.lib import output
from hookd.cli.lib.options import Scope, json_option, project_dir_option, scope_option
from hookd.cli.lib.output import Column
from hookd.cli.lib.person import for_person
from hookd.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook
    from hookd.core.hook_rules.parse import ParsedHooks

_DIALECTS = ("claude", "gencode", "opta", "hookd")
_FROM = """The program that wrote the file: gencode and Opta count milliseconds and have their
own variables.  [default: by its folder]"""
_ADDED, _EXISTS, _SKIPPED = "added", "there already", "left out"
_COLOURS = {_ADDED: "green", _EXISTS: "bright_black", _SKIPPED: "yellow"}
_COLUMNS = (
    Column("key", "key", least=16),
    Column("event", "event", least=12),
    Column("action", "action", least=16),
    Column("id", "id", least=12),
    Column("became", "became", firm=True, styles=_COLOURS),
    Column("why", "why", least=16),
)


@dataclass(frozen=True)
class _Result:
    """One hook of the file, and whether it was imported."""

    key: str
    event: str
    action: str
    id: str
    became: str
    why: str = ""


@click.command(
    name="import",
    epilog="""\b
    Examples:
      hookd hook import .claude/settings.json --scope project --dry-run
      hookd hook import ~/.claude/settings.json
      hookd hook import .opta/config.json --scope project
      hookd hook import hooks.json --from gencode --scope local
    """,
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--from", "dialect", type=click.Choice(_DIALECTS), help=_FROM)
@scope_option(former=("--to",))
@project_dir_option(former="--project")
@click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
@json_option()
@for_person
def import_(  # noqa: PLR0913, PLR0917 - the options of a command
    file: Path,
    dialect: str | None,
    scope: Scope,
    project_dir: Path | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Copy the hooks of FILE into hookd's own settings.

    FILE is not changed: remove them from Claude Code's settings, or they run twice.
    """
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    target = own_files.read(scope, own_files.project(project_dir))
    parsed, skipped = _parsed(file, dialect, scope)
    new, results = _sorted(parsed, target)
    off = tuple(hook for hook in new if hook in parsed.disabled_hooks)
    try:
        value = edit.add_hooks(
            target.document.value, [hook for hook in new if hook not in parsed.disabled_hooks], off
        )
    except edit.SettingsShapeError as error:
        raise unfit(target, error) from None
    results += skipped
    after = target.document.rewritten(value) if new else target.document.raw
    diff = target.document.diff(after)
    changed = not dry_run and bool(new) and write_trusted.write(target, value, backup=True).changed
    _report(target, results, diff, changed=changed, dry_run=dry_run, as_json=as_json)


def _parsed(file: Path, dialect: str | None, scope: Scope) -> "tuple[ParsedHooks, list[_Result]]":
    """Return a file's hooks, and the results of its entries that cannot be imported."""
    from hookd.core.hook_rules.dialects import unfold  # noqa: PLC0415 - it imports a parser
    from hookd.core.hook_rules.parse import parse_hooks  # noqa: PLC0415
    from hookd.core.hook_rules.problems import Findings  # noqa: PLC0415
    from hookd.core.hook_rules.sources import Dialect, HookFileLocation, dialect_of  # noqa: PLC0415

    value = own_files.document(file).plain
    path = str(file.absolute())
    chosen = next((name for name in get_args(Dialect) if name == dialect), dialect_of(path))
    location = HookFileLocation(scope, path, chosen)
    parsed = parse_hooks(value, location)
    fatal = {problem.key: problem.sentence for problem in parsed.problems if problem.fatal}
    known = {hook.source.key for hook in (*parsed.hooks, *parsed.disabled_hooks)}
    results = []
    for entry in unfold(value, location, Findings(path)):
        if entry.key in known:
            continue
        why = [sentence for key, sentence in fatal.items() if key.startswith(f"{entry.key}.")]
        action = str(entry.values.get("command", entry.values.get("type", "")))
        reason = "; ".join(why) or "it is hookd's own shim"
        results.append(_Result(entry.key, entry.event, action, "", _SKIPPED, reason))
    entries = {result.key for result in results}
    for key, sentence in fatal.items():
        if not any(key.startswith(f"{entry_key}.") for entry_key in entries):
            results.append(_Result(key or "the file", "", "", "", _SKIPPED, sentence))
    if parsed.disabled_ids:
        names = ", ".join(parsed.disabled_ids)
        reason = "switch them off yourself: hookd hook disable ID"
        results.append(_Result(parsed.disabled_key, "", names, "", _SKIPPED, reason))
    return parsed, results


def _sorted(parsed: "ParsedHooks", target: OwnFile) -> "tuple[list[Hook], list[_Result]]":
    """Return the hooks that the target does not have yet, and the result of each hook."""
    from hookd.core.hook_rules.model import entry_key  # noqa: PLC0415 - it imports a parser

    existing = {entry_key(hook) for hook in (*target.parsed.hooks, *target.parsed.disabled_hooks)}
    new, results = [], []
    for hook in (*parsed.hooks, *parsed.disabled_hooks):
        is_new = entry_key(hook) not in existing
        existing.add(entry_key(hook))
        became = _ADDED if is_new else _EXISTS
        why = _notes(hook, parsed) if is_new else ""
        results.append(_Result(hook.source.key, hook.event, hook.action, hook.id, became, why))
        if is_new:
            new.append(hook)
    return new, results


def _notes(hook: "Hook", parsed: "ParsedHooks") -> str:
    """Return the notes on a hook to import: doubts, what it lacks, what to do next."""
    notes = [row.sentence for row in parsed.problems if row.key.startswith(hook.source.key)]
    if hook.type != "command" and (why := _lacking(hook)):
        notes.append(f"it is off: {why}")
    chain = [
        other for other in parsed.hooks if (other.event, other.chain) == (hook.event, hook.chain)
    ]
    if hook.chain is not None and len({other.matcher for other in chain}) > 1:
        notes.append("it runs in parallel with those of another matcher, not after them")
    if hook.source.path == str(paths.claude() / "settings.json") or "/.claude/" in hook.source.path:
        notes.append("remove it from Claude Code's settings, or it runs twice")
    return "; ".join(notes)


def _lacking(hook: "Hook") -> str:
    """Return what a hook needs that the user's settings do not allow, by default if broken."""
    from hookd.core.hook_rules.http_policy import inactive_reason  # noqa: PLC0415
    from hookd.pipeline.runtime_config import configured  # noqa: PLC0415 - it imports the daemon's parts

    return inactive_reason(hook, configured(paths.paths().settings).settings.user_hooks)


def _report(  # noqa: PLR0913 - the parts of a report
    target: OwnFile,
    results: list[_Result],
    diff: list[str],
    *,
    changed: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    rows = [vars(result) for result in results]
    if as_json:
        report = {"path": target.path, "changed": changed, "hooks": rows}
        output.show_json(report | ({"diff": diff} if dry_run else {}))
        return
    output.show(rows, _COLUMNS, as_json=False, empty="The file has no hooks.")
    if dry_run and diff:
        # The file may be indented with tabs, which `cell` would escape.
        lines = ["\t".join(map(output.cell, line.rstrip("\r").split("\t"))) for line in diff]
        click.echo("\n".join(["", f"{target.shown} would change:", *lines]))
    elif changed:
        click.echo(f"Written to {target.shown}. All hooks: hookd hook list")
    else:
        nothing = "Nothing would change" if dry_run else "Nothing changed"
        click.echo(f"{nothing} in {target.shown}.")
