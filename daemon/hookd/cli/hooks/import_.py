"""The home of `hookd hooks import`: hooks of another file, in any form, become hookd's own."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from hookd import paths
from hookd.cli.hooks import own_files, write_trusted
from hookd.cli.hooks.find import unfit
from hookd.cli.hooks.own_files import Owner, OwnFile
from hookd.cli.lib import output
from hookd.cli.lib.output import Column
from hookd.cli.lib.person import for_person

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook
    from hookd.core.hook_rules.parse import ParsedHooks

_DIALECTS = ("claude", "gencode", "opta", "hookd")
_FROM = """Whose habits the file has: gencode and Opta count milliseconds, and have variables of
their own.  [default: by its folder]"""
_COLOURS = {"added": "green", "there already": "bright_black", "left out": "yellow"}
_COLUMNS = (
    Column("key", "key", least=16),
    Column("event", "event", least=12),
    Column("action", "action", least=16),
    Column("id", "id", least=12),
    Column("became", "became", firm=True, styles=_COLOURS),
    Column("why", "why", least=16),
)


@dataclass(frozen=True)
class _Fate:
    """What becomes of one hook."""

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
      hookd hooks import .claude/settings.json --to project --dry-run
      hookd hooks import ~/.claude/settings.json
      hookd hooks import .opta/config.json --to project
      hookd hooks import hooks.json --from gencode --to local
    """,
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--from", "dialect", type=click.Choice(_DIALECTS), help=_FROM)
@own_files.owner_option
@own_files.project_option
@click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@for_person
def import_(  # noqa: PLR0913, PLR0917 - the options of a command
    file: Path, dialect: str | None, owner: Owner, folder: Any, dry_run: bool, as_json: bool
) -> None:
    """Take the hooks of FILE over into hookd's own settings.

    FILE is not changed: take them out of Claude Code's settings yourself, or they run twice.
    """
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    target = own_files.read(owner, own_files.project(folder))
    parsed, passed = _parsed(file, dialect, owner)
    new, fates = _sorted(parsed, target)
    off = tuple(hook for hook in new if hook in parsed.disabled_hooks)
    try:
        value = edit.add_hooks(
            target.document.value, [hook for hook in new if hook not in parsed.disabled_hooks], off
        )
    except edit.SettingsShapeError as error:
        raise unfit(target, error) from None
    fates += passed
    after = target.document.rewritten(value) if new else target.document.raw
    diff = target.document.diff(after)
    changed = not dry_run and bool(new) and write_trusted.write(target, value, backup=True).changed
    _report(target, fates, diff, changed=changed, dry_run=dry_run, as_json=as_json)


def _parsed(file: Path, dialect: str | None, owner: Owner) -> "tuple[ParsedHooks, list[_Fate]]":
    """Return what a file says, and what becomes of the entries that are no hooks of the user's."""
    from hookd.core.hook_rules.dialects import unfold  # noqa: PLC0415 - it imports a parser
    from hookd.core.hook_rules.parse import parse_hooks  # noqa: PLC0415
    from hookd.core.hook_rules.problems import Findings  # noqa: PLC0415
    from hookd.core.hook_rules.sources import Dialect, HookFileLocation, dialect_of  # noqa: PLC0415

    value = own_files.document(file).plain
    path = str(file.absolute())
    whose = next((one for one in get_args(Dialect) if one == dialect), dialect_of(path))
    place = HookFileLocation(owner, path, whose)
    parsed = parse_hooks(value, place)
    wrong = {one.key: one.sentence for one in parsed.problems if one.fatal}
    known = {hook.source.key for hook in (*parsed.hooks, *parsed.disabled_hooks)}
    fates = []
    for entry in unfold(value, place, Findings(path)):
        if entry.key in known:
            continue
        why = [said for key, said in wrong.items() if key.startswith(f"{entry.key}.")]
        action = str(entry.values.get("command", entry.values.get("type", "")))
        said = "; ".join(why) or "it is hookd's own shim"
        fates.append(_Fate(entry.key, entry.event, action, "", "left out", said))
    named = {fate.key for fate in fates}
    for key, said in wrong.items():
        if not any(key.startswith(f"{one}.") for one in named):
            fates.append(_Fate(key or "the file", "", "", "", "left out", said))
    if parsed.disabled_ids:
        said = "say it yourself: hookd hooks disable ID"
        fates.append(
            _Fate(parsed.disabled_key, "", ", ".join(parsed.disabled_ids), "", "left out", said)
        )
    return parsed, fates


def _sorted(parsed: "ParsedHooks", target: OwnFile) -> "tuple[list[Hook], list[_Fate]]":
    """Return the hooks that the target does not have yet, and what becomes of each."""
    from hookd.core.hook_rules.model import entry_key  # noqa: PLC0415 - it imports a parser

    there = {entry_key(hook) for hook in (*target.parsed.hooks, *target.parsed.disabled_hooks)}
    new, fates = [], []
    for hook in (*parsed.hooks, *parsed.disabled_hooks):
        fresh = entry_key(hook) not in there
        there.add(entry_key(hook))
        became = "added" if fresh else "there already"
        why = _doubt(hook, parsed) if fresh else ""
        fates.append(_Fate(hook.source.key, hook.event, hook.action, hook.id, became, why))
        if fresh:
            new.append(hook)
    return new, fates


def _doubt(hook: "Hook", parsed: "ParsedHooks") -> str:
    """Return what is to be known of a hook that is taken over."""
    notes = [one.sentence for one in parsed.problems if one.key.startswith(hook.source.key)]
    if hook.type != "command" and (why := _lacking(hook)):
        notes.append(f"it is off: {why}")
    chain = [one for one in parsed.hooks if (one.event, one.chain) == (hook.event, hook.chain)]
    if hook.chain is not None and len({one.matcher for one in chain}) > 1:
        notes.append("it runs beside those with another matcher, and not after them")
    if hook.source.path == str(paths.claude() / "settings.json") or "/.claude/" in hook.source.path:
        notes.append("take it out of Claude Code's settings, or it runs twice")
    return "; ".join(notes)


def _lacking(hook: "Hook") -> str:
    """Return what the user's settings do not let a hook have; broken ones are the defaults."""
    from hookd.core.hook_rules.http_policy import inactive_reason  # noqa: PLC0415
    from hookd.pipeline.runtime_config import configured  # noqa: PLC0415 - it imports the daemon's parts

    return inactive_reason(hook, configured(paths.paths().settings).settings.user_hooks)


def _report(  # noqa: PLR0913 - what there is to tell
    target: OwnFile,
    fates: list[_Fate],
    diff: list[str],
    *,
    changed: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    rows = [vars(fate) for fate in fates]
    if as_json:
        told = {"path": target.path, "changed": changed, "hooks": rows}
        output.show_json(told | ({"diff": diff} if dry_run else {}))
        return
    output.show(rows, _COLUMNS, as_json=False, empty="The file holds no hooks.")
    if dry_run and diff:
        # A tab may be what the file is indented with.
        lines = ["\t".join(map(output.cell, line.rstrip("\r").split("\t"))) for line in diff]
        click.echo("\n".join(["", f"{target.shown} would change so:", *lines]))
    elif changed:
        click.echo(f"Written to {target.shown}. What holds now: hookd hooks list")
    else:
        nothing = "Nothing would change" if dry_run else "Nothing changed"
        click.echo(f"{nothing} in {target.shown}.")
