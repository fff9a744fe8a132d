"""`hookd hooks add`, `remove`, `enable` and `disable`: edit hookd's own hook files."""

from fnmatch import fnmatchcase
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd.cli.hooks import own_files, write_trusted
from hookd.cli.hooks.find import (
    LIST,
    anywhere,
    files,
    left_to_claude,
    own_file,
    owned,
    standing,
    unfit,
    written,
)
from hookd.cli.hooks.own_files import OWNERS, Owner, OwnFile, typed
from hookd.cli.install import deadlines
from hookd.cli.install.settings_file import plain
from hookd.cli.lib import args, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.person import at_terminal, for_person

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook

_FAILURES = ("warn", "block", "ask")
_HOLDS = ("PreToolUse",)
"""The events on which a call goes on if a hook that should have held it fails."""

_OPEN = (
    "{}: if the hook fails or gives no answer in time, the call goes on; --on-failure block denies"
    " it, --on-failure ask asks"
)
_HELP = "hookd hooks add --help"

_DEFAULT: dict[str, Owner] = {"user": "user", "local": "local"}
"""Where a hook of hookd's own files is switched off in its own entry. The project's is shared."""

_REACHED: dict[str, tuple[Owner, ...]] = {
    "plugin": ("user", "local"),
    "user": ("local",),
    "project": ("local",),
}
"""Whose `disabled_hooks` reaches the hooks of a layer."""


@click.command(
    epilog="""\b
    Examples:
      hookd hooks add PostToolUse 'ruff check "$HOOKD_FILE_PATH" >&2' --matcher 'Edit|Write' \\
        --on-failure block
      hookd hooks add PreToolUse ~/bin/look --if 'Bash(git push *)' --on-failure ask --timeout 5
      hookd hooks add Stop 'notify-send "Claude Code" "has finished"' --id done --background
      hookd hooks add PreToolUse '"$HOOKD_PROJECT_DIR"/.hookd/hooks/protect-files.sh' \\
        --matcher 'Edit|Write' --to project
    """
)
@click.argument("event")
@click.argument("command")
@click.option("--matcher", metavar="M", help="What it is for: names, as in Edit|Write, or a regex.")
@click.option("--if", "rule", metavar="RULE", help="A permission rule, such as 'Bash(git *)'.")
@click.option("--timeout", type=float, metavar="S", help="Seconds it may take.")
@click.option("--id", "name", metavar="ID", help="Its name in lists and logs.")
@click.option("--on-failure", type=click.Choice(_FAILURES), help="What follows if it fails.")
@click.option("--background", is_flag=True, help="Nobody waits for it, and it decides nothing.")
@click.option("--status", metavar="TEXT", help="What the log shows of it instead of its command.")
@own_files.owner_option
@own_files.project_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@for_person
def add(event: str, command: str, owner: Owner, folder: Any, as_json: bool, **given: Any) -> None:
    """Let COMMAND run on EVENT.

    It applies within a second. EVENT is Claude Code's name, such as PostToolUse. The input and the
    answers of a hook: docs/guides/user-hooks.md.
    """
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser
    from hookd.events.tool_names import unknown_tool_problems  # noqa: PLC0415 - it reads matchers

    file = own_files.read(owner, own_files.project(folder))
    event = args.runnable_event_name(event)
    _expect_readable(event, given["matcher"])
    open_ended = event in _HOLDS and not (given["on_failure"] or given["background"])
    asks = open_ended and not as_json and at_terminal()
    if asks:
        given["on_failure"] = _asked(event)
    entry = _entry(event, command, given)
    try:
        value, key = edit.add_entry(file.document.value, event, given["matcher"], entry)
    except edit.SettingsShapeError as error:
        raise unfit(file, error) from None
    hook = _accepted(file, value, key)
    runs = write_trusted.write(file, value).runs
    notes = [
        *deadlines.limits(hook),
        *([_OPEN.format(event)] if open_ended and not asks else []),
    ]
    for note in notes:
        click.echo(f"hookd: note: {note}", err=True)
    if as_json:
        output.show_json({"id": hook.id, "event": event, "path": file.path, "key": key})
        return
    for warning in unknown_tool_problems(event, hook.matcher):
        click.echo(f"hookd: warning: {output.cell(warning)}", err=True)
    matched = f" ({output.cell(hook.matcher)})" if hook.matcher else ""
    away = f"Take it away: hookd hooks remove {hook.id}"
    said = "now runs" if runs else "is to run"
    click.echo(f"{hook.id} {said} on {event}{matched}, by {file.shown}. {away}")


@click.command(
    epilog="""\b
    Examples:
      hookd hooks remove lint
      hookd hooks remove lint --to project
    """
)
@click.argument("name", metavar="ID")
@click.option("--to", "owner", type=click.Choice(OWNERS), help="From this file alone.")
@own_files.project_option
@for_person
def remove(name: str, owner: Owner | None, folder: Path | None) -> None:
    """Take a hook out of hookd's settings."""
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    root = own_files.project(folder)
    file, hook = owned(name, root, (owner,) if owner else OWNERS)
    write_trusted.write(file, edit.remove_entry(file.document.value, hook.source.key))
    click.echo(f"{name}: no longer runs on {hook.event}; taken out of {file.shown}.")


@click.command(
    epilog="""\b
    Examples:
      hookd hooks disable lint
      hookd hooks disable lint --to local    in this project alone
    """
)
@click.argument("name", metavar="ID")
@click.option(
    "--to",
    "owner",
    type=click.Choice(("user", "local")),
    help="Whose list names it.  [default: what switches it off everywhere it holds for you]",
)
@own_files.project_option
@for_person
def disable(name: str, owner: Owner | None, folder: Path | None) -> None:
    """Switch a hook off, and keep it.

    A file switches off hooks of weaker layers; one of its own layer says so in its own entry.
    """
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    root = own_files.project(folder)
    hook, why = standing(name, root)
    if problem := left_to_claude(hook, why):
        raise problem
    layer = hook.source.layer
    own, own_name = own_file(hook, root), written(hook)
    if own is not None and (owner or _DEFAULT.get(layer)) == layer:
        file = own
        value = edit.set_enabled(file.document.value, hook.source.key, on=False)
    else:
        file = own_files.read(_switch(hook, owner), root)
        _expect_alone(hook, own_name, file.owner, root)
        try:
            value = edit.set_listed_as_disabled(file.document.value, own_name, on=False)
        except edit.SettingsShapeError as error:
            raise unfit(file, error) from None
    changed = write_trusted.write(file, value).changed
    said = f"is off, by {file.shown}" if changed else f"was off already, by {file.shown}"
    click.echo(f"{hook.id}: {said}. On again: hookd hooks enable {own_name}")


@click.command(
    epilog="""\b
    Examples:
      hookd hooks enable lint
    """
)
@click.argument("name", metavar="ID")
@own_files.project_option
@for_person
def enable(name: str, folder: Path | None) -> None:
    """Let a hook run again that was switched off."""
    root = own_files.project(folder)
    readable, unread = files(root, OWNERS)
    changed = [file.shown for file in readable if _enabled(file, name)]
    if changed:
        click.echo(f"{name}: is on again, by {' and '.join(changed)}.")
        return
    hook = anywhere(name, root)
    globs = {
        wish: f"{output.cell(wish)} in {file.shown}"
        for file in readable
        for wish in file.parsed.disabled_ids
        if _globs(wish, name)
    }
    if globs:
        steps = " and ".join(typed("hookd", "hooks", "enable", wish) for wish in globs)
        sentence = f"{name} is switched off by {', '.join(globs.values())}."
        raise Problem(sentence, f"{steps}, for all that it is about")
    if unread:
        raise unread[0]
    where = output.cell(hook.source.path)
    click.echo(f"{name}: nothing in hookd's own settings switches it off ({where}).")


def _asked(event: str) -> str | None:
    """Ask what follows if a hook that may hold a call fails; None: the call goes on."""
    held = click.confirm(f"Deny the call if the hook fails, or gives no answer in time ({event})?")
    return "block" if held else None


def _entry(event: str, command: str, given: dict[str, Any]) -> dict[str, Any]:
    optional = {
        "if": given["rule"],
        "timeout": _whole(given["timeout"]),
        "statusMessage": given["status"],
        "on_failure": given["on_failure"],
        # Where a call is held, no answer in time is no reason to let it go on, either.
        "on_error": given["on_failure"] if event in _HOLDS else None,
        "async": given["background"],
    }
    named = {"id": given["name"]} if given["name"] is not None else {}
    # Not by equality: 0 is False, and a timeout of 0 is to be refused.
    said = {name: one for name, one in optional.items() if one is not None and one is not False}
    return named | {"type": "command", "command": command} | said


def _expect_readable(event: str, matcher: str | None) -> None:
    """Raise Problem for a matcher by which the hook would never run."""
    from hookd.events.matcher import matcher_error  # noqa: PLC0415 - it reads expressions

    if said := matcher_error(event, matcher):
        raise Problem(f"matcher: {said}.", _HELP)


def _whole(seconds: float | None) -> float | None:
    if seconds is None:
        return None
    if not isfinite(seconds):
        raise Problem("timeout: must be a number of seconds above 0.", _HELP)
    return int(seconds) if seconds == int(seconds) else seconds


def _accepted(file: OwnFile, value: dict[str, Any], key: str) -> "Hook":
    """Return the new entry as a hook. Raise Problem where it is none, or is there already."""
    from hookd.core.hook_rules.model import entry_key  # noqa: PLC0415
    from hookd.core.hook_rules.parse import parse_hooks  # noqa: PLC0415
    from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415

    parsed = parse_hooks(plain(value), HookFileLocation(file.owner, file.source))
    group = key.rpartition(".hooks[")[0]
    said = [one for one in parsed.problems if one.key.startswith(key) or one.key == group]
    said += [one for one in parsed.problems if one.key == f"{group}.matcher"]
    if fatal := next((one for one in said if one.fatal), None):
        raise Problem(f"{fatal.key.removeprefix(key).lstrip('.')}: {fatal.sentence}.", _HELP)
    hook = next((one for one in parsed.hooks if one.source.key == key), None)
    if hook is not None and hook.id.startswith("-"):
        raise Problem(f"id: {hook.id} would be read as an option of commands.", _HELP)
    if hook is None:
        raise Problem("A command that is hookd's own shim would ask itself without end.", _HELP)
    for one in (*parsed.hooks, *parsed.disabled_hooks):
        if one.source.key != key and entry_key(one) == entry_key(hook):
            raise _there(one, file)
        if one.source.key != key and one.id == hook.id:
            raise Problem(f"The id {hook.id} is taken, by {one.source.key} in {file.path}.", LIST)
    for note in said:
        click.echo(f"hookd: note: {note.sentence}", err=True)
    return hook


def _there(hook: "Hook", file: OwnFile) -> Problem:
    """Return what to tell where what is added stands there already: how to change it."""
    path = own_files.in_home(file.path)
    where = f"change {hook.source.key} in {path}"
    remove = own_files.typed("hookd", "hooks", "remove", hook.id)
    step = f"{where}, or take it out and add it anew: {remove} --to {file.owner}"
    return Problem(f"The same hook is there already: {hook.id}.", step)


def _switch(hook: "Hook", owner: Owner | None) -> Owner:
    """Return whose file can switch a hook off. Raise Problem where none can."""
    layer = hook.source.layer
    by = _REACHED.get(layer, ())
    if not by:
        sentence = f"{hook.id} is of the {layer} layer, which no settings of yours switch off."
        raise Problem(sentence, f"see {hook.source.path}")
    if owner is not None and owner not in by:
        sentence = f"The {owner} settings do not switch off hooks of the {layer} layer."
        raise Problem(sentence, f"hookd hooks disable {hook.id} --to {by[0]}")
    return owner or by[0]


def _expect_alone(hook: "Hook", name: str, owner: Owner, root: str) -> None:
    """Raise Problem where a file that names a hook would switch off another one of that id, too."""
    if name == hook.id:
        return
    other = anywhere(name, root)
    if owner in _REACHED.get(other.source.layer, ()):
        sentence = f"{name} is also the id of a hook in {other.source.path}: both would be off."
        raise Problem(sentence, f"give the one in {hook.source.path} another id, by hand")


def _enabled(file: OwnFile, name: str) -> bool:
    """Take out of a file what switches a hook off; return whether there was anything."""
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    try:
        value = edit.set_listed_as_disabled(file.document.value, name, on=True)
    except edit.SettingsShapeError as error:
        raise unfit(file, error) from None
    for hook in file.parsed.disabled_hooks:
        if hook.id == name:
            value = edit.set_enabled(value, hook.source.key, on=True)
    return write_trusted.write(file, value).changed


def _globs(wish: str, name: str) -> bool:
    return wish != name and fnmatchcase(name, wish)
