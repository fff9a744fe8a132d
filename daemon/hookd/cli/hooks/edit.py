"""`hookd hook add`, `remove`, `enable` and `disable`: edit hookd's own hook files."""

from fnmatch import fnmatchcase
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd.cli.hooks import own_files, write_trusted
from hookd.cli.hooks.find import (
    LIST,
    any_layer,
    files,
    id_in_file,
    left_to_claude,
    own_file,
    owned,
    unfit,
)
from hookd.cli.hooks.own_files import OwnFile, typed
from hookd.cli.install import deadlines
from hookd.cli.install.settings_file import plain
from hookd.cli.lib import args, completions, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import (
    SCOPES,
    Scope,
    json_option,
    project_dir_option,
    scope_option,
)
from hookd.cli.lib.person import at_terminal, for_person

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook

_FAILURES = ("warn", "block", "ask")
_FAIL_OPEN_EVENTS = ("PreToolUse",)
"""Events whose call runs if the hook that should have blocked it fails."""

_FAIL_OPEN_NOTE = (
    "{}: if the hook fails or times out, the call runs; --on-failure block denies it,"
    " --on-failure ask asks"
)
_HELP = "hookd hook add --help"

_DEFAULT: dict[str, Scope] = {"user": "user", "local": "local"}
"""Layers whose hooks are switched off in their own entry. A project's file is shared."""

_REACHED: dict[str, tuple[Scope, ...]] = {
    "plugin": ("user", "local"),
    "user": ("local",),
    "project": ("local",),
}
"""By layer, the scopes whose `disabled_hooks` reaches its hooks."""


@click.command(
    epilog="""\b
    Examples:
      hookd hook add PostToolUse 'ruff check "$HOOKD_FILE_PATH" >&2' \\
        --matcher 'Edit|Write' --on-failure block
      hookd hook add PreToolUse ~/bin/look --if 'Bash(git push *)' \\
        --on-failure ask --timeout 5
      hookd hook add Stop 'notify-send "It has ended"' --id done --background
      hookd hook add PreToolUse '"$HOOKD_PROJECT_DIR"/.hookd/hooks/guard.sh' \\
        --matcher 'Edit|Write' --scope project
    """
)
@click.argument("event", shell_complete=completions.event_names)
@click.argument("command")
@click.option("--matcher", metavar="M", help="Names, as in Edit|Write, or a regex.")
@click.option("--if", "rule", metavar="RULE", help="A permission rule, such as 'Bash(git *)'.")
@click.option("--timeout", type=float, metavar="S", help="Timeout in seconds.")
@click.option("--id", "name", metavar="ID", help="Its name in lists and logs.")
@click.option("--on-failure", type=click.Choice(_FAILURES), help="What happens if it fails.")
@click.option("--background", is_flag=True, help="Do not wait for it; it decides nothing.")
@click.option("--status", metavar="TEXT", help="Show TEXT in the log instead of the command.")
@scope_option(former=("--to",))
@project_dir_option(former="--project")
@json_option()
@for_person
def add(
    event: str,
    command: str,
    scope: Scope,
    project_dir: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Run COMMAND on EVENT.

    It applies within a second. EVENT is Claude Code's name, such as PostToolUse. The scope project
    edits .hookd/settings.json of the project, local .hookd/settings.local.json, user your own
    settings. The input and the answers of a hook: docs/guides/user-hooks.md.
    """
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser
    from hookd.events.tool_names import unknown_tool_problems  # noqa: PLC0415 - it reads matchers

    file = own_files.read(scope, own_files.project(project_dir))
    event = args.runnable_event_name(event)
    _expect_readable(event, options["matcher"])
    fails_open = event in _FAIL_OPEN_EVENTS and not (options["on_failure"] or options["background"])
    asks = fails_open and not as_json and at_terminal()
    if asks:
        options["on_failure"] = _ask_on_failure(event)
    entry = _entry(event, command, options)
    try:
        value, key = edit.add_entry(file.document.value, event, options["matcher"], entry)
    except edit.SettingsShapeError as error:
        raise unfit(file, error) from None
    hook = _accepted(file, value, key)
    runs = write_trusted.write(file, value).runs
    open_notes = [_FAIL_OPEN_NOTE.format(event)] if fails_open and not asks else []
    for note in (*deadlines.limits(hook), *open_notes):
        click.echo(f"hookd: note: {note}", err=True)
    if as_json:
        output.show_json({"id": hook.id, "event": event, "path": file.path, "key": key})
        return
    for warning in unknown_tool_problems(event, hook.matcher):
        click.echo(f"hookd: warning: {output.cell(warning)}", err=True)
    matched = f" ({output.cell(hook.matcher)})" if hook.matcher else ""
    click.echo(
        f"{hook.id} {'now runs' if runs else 'is to run'} on {event}{matched}."
        f" Added to {file.shown}. Remove it: hookd hook remove {hook.id}"
    )


@click.command(
    epilog="""\b
    Examples:
      hookd hook remove lint
      hookd hook remove lint --scope project
    """
)
@click.argument("name", metavar="ID")
@scope_option("Remove it from this file only.", default=None, former=("--to",))
@project_dir_option(former="--project")
@json_option()
@for_person
def remove(name: str, scope: Scope | None, project_dir: Path | None, as_json: bool) -> None:
    """Remove a hook from hookd's settings."""
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    root = own_files.project(project_dir)
    file, hook = owned(name, root, (scope,) if scope else SCOPES)
    write_trusted.write(file, edit.remove_entry(file.document.value, hook.source.key))
    sentence = f"{name}: no longer runs on {hook.event}; removed from {file.shown}."
    facts = {"id": name, "event": hook.event, "path": file.path}
    output.show_done(sentence, facts, as_json=as_json)


@click.command(
    epilog="""\b
    Examples:
      hookd hook disable lint
      hookd hook disable lint --scope local    in this project only
    """
)
@click.argument("name", metavar="ID")
@scope_option(
    "Whose list names it.  [default: the widest that applies]",
    scopes=("user", "local"),
    default=None,
    former=("--to",),
)
@project_dir_option(former="--project")
@json_option()
@for_person
def disable(name: str, scope: Scope | None, project_dir: Path | None, as_json: bool) -> None:
    """Switch a hook off, and keep it in its file.

    A file can switch off hooks of weaker layers; a hook of its own layer in the hook's entry.
    """
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    root = own_files.project(project_dir)
    hook, why = any_layer(name, root)
    if problem := left_to_claude(hook, why):
        raise problem
    layer = hook.source.layer
    own, own_name = own_file(hook, root), id_in_file(hook)
    if own is not None and (scope or _DEFAULT.get(layer)) == layer:
        file = own
        value = edit.set_enabled(file.document.value, hook.source.key, on=False)
    else:
        file = own_files.read(_reaching_scope(hook, scope), root)
        _expect_unique(hook, own_name, file.scope, root)
        try:
            value = edit.set_listed_as_disabled(file.document.value, own_name, on=False)
        except edit.SettingsShapeError as error:
            raise unfit(file, error) from None
    changed = write_trusted.write(file, value).changed
    state = f"is off, by {file.shown}" if changed else f"was off already, by {file.shown}"
    sentence = f"{hook.id}: {state}. On again: hookd hook enable {own_name}"
    facts = {"id": hook.id, "path": file.path, "changed": changed}
    output.show_done(sentence, facts, as_json=as_json)


@click.command(
    epilog="""\b
    Examples:
      hookd hook enable lint
    """
)
@click.argument("name", metavar="ID")
@project_dir_option(former="--project")
@json_option()
@for_person
def enable(name: str, project_dir: Path | None, as_json: bool) -> None:
    """Switch a hook on again."""
    root = own_files.project(project_dir)
    readable, unread = files(root, SCOPES)
    changed = [file for file in readable if _enabled(file, name)]
    facts = {"id": name, "paths": [file.path for file in changed], "changed": bool(changed)}
    if changed:
        sentence = f"{name}: is on again, by {' and '.join(file.shown for file in changed)}."
        output.show_done(sentence, facts, as_json=as_json)
        return
    hook, _ = any_layer(name, root)
    globs = {
        pattern: f"{output.cell(pattern)} in {file.shown}"
        for file in readable
        for pattern in file.parsed.disabled_ids
        if pattern != name and fnmatchcase(name, pattern)
    }
    if globs:
        steps = " and ".join(typed("hookd", "hook", "enable", pattern) for pattern in globs)
        sentence = f"{name} is switched off by {', '.join(globs.values())}."
        raise Problem(sentence, f"{steps}, for every hook that matches")
    if unread:
        raise unread[0]
    where = output.cell(hook.source.path)
    sentence = f"{name}: nothing in hookd's own settings switches it off ({where})."
    output.show_done(sentence, facts, as_json=as_json)


def _ask_on_failure(event: str) -> str | None:
    """Ask what happens if a hook that may block a call fails; None if the call is to run."""
    deny = click.confirm(f"Deny the call if the hook fails, or gives no answer in time ({event})?")
    return "block" if deny else None


def _entry(event: str, command: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the entry that the options describe, as a hook file has it."""
    optional = {
        "if": options["rule"],
        "timeout": _whole(options["timeout"]),
        "statusMessage": options["status"],
        "on_failure": options["on_failure"],
        # A timeout is no reason to run the call, either.
        "on_error": options["on_failure"] if event in _FAIL_OPEN_EVENTS else None,
        "async": options["background"],
    }
    named = {"id": options["name"]} if options["name"] is not None else {}
    # By identity: 0 == False, and a timeout of 0 has to be refused.
    fields = {
        key: value for key, value in optional.items() if value is not None and value is not False
    }
    return named | {"type": "command", "command": command} | fields


def _expect_readable(event: str, matcher: str | None) -> None:
    """Raise Problem for a matcher that can never match."""
    from hookd.events.matcher import matcher_error  # noqa: PLC0415 - it reads expressions

    if why := matcher_error(event, matcher):
        raise Problem(f"matcher: {why}.", _HELP)


def _whole(seconds: float | None) -> float | None:
    if seconds is None:
        return None
    if not isfinite(seconds):
        raise Problem("timeout: must be a number of seconds above 0.", _HELP)
    return int(seconds) if seconds == int(seconds) else seconds


def _accepted(file: OwnFile, value: dict[str, Any], key: str) -> "Hook":
    """Return the new entry as a hook. Raise Problem if it is invalid or exists already."""
    from hookd.core.hook_rules.model import entry_key  # noqa: PLC0415
    from hookd.core.hook_rules.parse import parse_hooks  # noqa: PLC0415
    from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415

    parsed = parse_hooks(plain(value), HookFileLocation(file.scope, file.source))
    group = key.rpartition(".hooks[")[0]
    about = [row for row in parsed.problems if row.key.startswith(key) or row.key == group]
    about += [row for row in parsed.problems if row.key == f"{group}.matcher"]
    if fatal := next((row for row in about if row.fatal), None):
        raise Problem(f"{fatal.key.removeprefix(key).lstrip('.')}: {fatal.sentence}.", _HELP)
    hook = next((hook for hook in parsed.hooks if hook.source.key == key), None)
    if hook is not None and hook.id.startswith("-"):
        raise Problem(f"id: {hook.id} would be read as an option of commands.", _HELP)
    if hook is None:
        raise Problem("hookd's own shim cannot be a user hook: it would call itself.", _HELP)
    for other in (*parsed.hooks, *parsed.disabled_hooks):
        if other.source.key != key and entry_key(other) == entry_key(hook):
            raise _duplicate(other, file)
        if other.source.key != key and other.id == hook.id:
            raise Problem(f"The id {hook.id} is taken, by {other.source.key} in {file.path}.", LIST)
    for note in about:
        click.echo(f"hookd: note: {note.sentence}", err=True)
    return hook


def _duplicate(hook: "Hook", file: OwnFile) -> Problem:
    """Return the error for a hook that exists already: how to change it."""
    where = f"change {hook.source.key} in {own_files.in_home(file.path)}"
    remove = typed("hookd", "hook", "remove", hook.id)
    step = f"{where}, or remove it and add it again: {remove} --scope {file.scope}"
    return Problem(f"The same hook exists already: {hook.id}.", step)


def _reaching_scope(hook: "Hook", scope: Scope | None) -> Scope:
    """Return the scope whose file switches a hook off. Raise Problem if none can."""
    layer = hook.source.layer
    reaching = _REACHED.get(layer, ())
    if not reaching:
        sentence = f"{hook.id} is of the {layer} layer, which no settings of yours switch off."
        raise Problem(sentence, f"see {hook.source.path}")
    if scope is not None and scope not in reaching:
        sentence = f"The {scope} settings do not switch off hooks of the {layer} layer."
        raise Problem(sentence, f"hookd hook disable {hook.id} --scope {reaching[0]}")
    return scope or reaching[0]


def _expect_unique(hook: "Hook", name: str, scope: Scope, root: str) -> None:
    """Raise Problem if a file that names a hook would switch off another one of that id, too."""
    if name == hook.id:
        return
    other, _ = any_layer(name, root)
    if scope in _REACHED.get(other.source.layer, ()):
        sentence = f"{name} is also the id of a hook in {other.source.path}: both would be off."
        raise Problem(sentence, f"edit {hook.source.path}: give its hook another id")


def _enabled(file: OwnFile, name: str) -> bool:
    """Remove from a file what switches a hook off; return whether that changed it."""
    from hookd.core.hook_rules import edit  # noqa: PLC0415 - it imports a parser

    try:
        value = edit.set_listed_as_disabled(file.document.value, name, on=True)
    except edit.SettingsShapeError as error:
        raise unfit(file, error) from None
    for hook in file.parsed.disabled_hooks:
        if hook.id == name:
            value = edit.set_enabled(value, hook.source.key, on=True)
    return write_trusted.write(file, value).changed
