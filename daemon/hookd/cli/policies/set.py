"""`hookd policy enable`, `disable` and `set`: edit a policy's settings."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import click

from hookd.cli.hooks import format as hook_rows
from hookd.cli.hooks import own_files, write_trusted
from hookd.cli.hooks.own_files import OwnFile
from hookd.cli.lib import completions, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import (
    SCOPES,
    Scope,
    json_option,
    project_dir_option,
    scope_option,
)
from hookd.cli.lib.person import for_person

if TYPE_CHECKING:
    from hookd.core.model.policy import Policy

Change = Callable[[dict[str, Any]], dict[str, Any]]

_FIX = "fix the file, then run the command again"
_UNCHANGED = " (unchanged)"


@click.command(
    epilog="""\b
    Examples:
      hookd policy enable todo-continuation-enforcer
      hookd policy enable write-existing-file-guard --scope project
    """
)
@click.argument("name", shell_complete=completions.policies)
@scope_option(former=("--to",))
@project_dir_option(former="--project")
@json_option()
@for_person
def enable(name: str, scope: Scope, project_dir: Path | None, as_json: bool) -> None:
    """Switch a policy on.

    If a project has no settings of its own yet, or is trusted, the settings that you write with
    `--scope project` or `--scope local` are trusted, too: see hookd trust.
    """
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.config import policy_edit  # noqa: PLC0415
    from hookd.core.model.policy import BOTH  # noqa: PLC0415

    policy = effective.named(name)
    by_default = policy.profiles == BOTH
    file = own_files.read(scope, own_files.project(project_dir))
    change = partial(policy_edit.enable, name=policy.name, by_default=by_default)
    _switch(file, change, policy, to_on=True, as_json=as_json)


@click.command(
    epilog="""\b
    Examples:
      hookd policy disable keyword-detector
      hookd policy disable heartbeat --scope local
    """
)
@click.argument("name", shell_complete=completions.policies)
@scope_option(former=("--to",))
@project_dir_option(former="--project")
@json_option()
@for_person
def disable(name: str, scope: Scope, project_dir: Path | None, as_json: bool) -> None:
    """Switch a policy off.

    That overrides every layer that enables it, except managed settings.
    """
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.config import policy_edit  # noqa: PLC0415

    policy = effective.named(name)
    file = own_files.read(scope, own_files.project(project_dir))
    _switch(
        file, partial(policy_edit.disable, name=policy.name), policy, to_on=False, as_json=as_json
    )


@click.command(
    name="set",
    epilog="""\b
    Examples:
      hookd policy set heartbeat block_after 20
      hookd policy set destructive-guard mode warn --scope local
      hookd policy set path-guard rules '[{"deny": ["infra/**"]}]' --scope project
      hookd policy set path-guard rules --add '{"deny": ["certs/**"]}'
      hookd policy set session-gate allow --remove 'Bash(npm test *)'
      hookd policy set heartbeat clients '["codex", "gemini"]'
      hookd policy set heartbeat block_after --default
    """,
)
@click.argument("name", shell_complete=completions.policies)
@click.argument("option")
@click.argument("value", required=False)
@click.option("--add", "added", metavar="VALUE", help="Add an item to a list.")
@click.option("--remove", "removed", metavar="VALUE", help="Remove an item from a list.")
@click.option("--default", "reset", is_flag=True, help="Remove the option from the file.")
@scope_option(former=("--to",))
@project_dir_option(former="--project")
@json_option()
@for_person
def set_(  # noqa: PLR0913, PLR0917 - the options of a command
    name: str,
    option: str,
    value: str | None,
    added: str | None,
    removed: str | None,
    reset: bool,
    scope: Scope,
    project_dir: Path | None,
    as_json: bool,
) -> None:
    """Set an option of a policy: VALUE is JSON, or else a text.

    `--add` and `--remove` change the list in the file; without one, the list in effect.
    """
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.config import policy_edit  # noqa: PLC0415

    if reset + sum(text is not None for text in (value, added, removed)) != 1:
        raise click.UsageError("Give one of VALUE, --add, --remove and --default.")
    policy = effective.named(name)
    if option not in policy.options.model_fields:
        known = ", ".join(policy.options.model_fields)
        sentence = f"{policy.name} has no option {option!r}; there are {known}."
        raise Problem(sentence, f"hookd policy show {policy.name}")
    file = own_files.read(scope, own_files.project(project_dir))
    change: Change = dict
    if reset:
        change = partial(policy_edit.without_option, name=policy.name, key=option)
    else:
        new = (
            _value(policy, option, value)
            if value is not None
            else _changed_list(policy, option, file, added=added, removed=removed)
        )
        if new is not None:
            change = partial(policy_edit.with_option, name=policy.name, key=option, given=new)
    _set(file, change, policy, option, as_json=as_json)


def _switch(file: OwnFile, change: Change, policy: "Policy", *, to_on: bool, as_json: bool) -> None:
    """Switch a policy in a file, and report its mode. Raise Problem if another layer wins."""
    written, row = _write(file, change, policy)
    done = "" if written.changed else _UNCHANGED
    if written.runs and (row["mode"] != "off") != to_on:
        mode = "off" if to_on else row["mode"]
        raise Problem(
            f"{policy.name} is still {mode}, {row['why']}.", _next_step(row, policy, file, to_on)
        )
    facts = {**row, "path": file.path, "changed": written.changed}
    _report(f"{policy.name} is now {row['mode']}, {row['why']}{done}", facts, as_json=as_json)


def _set(file: OwnFile, change: Change, policy: "Policy", option: str, *, as_json: bool) -> None:
    """Set an option in a file, and report its value. Raise Problem if another layer wins."""
    written, row = _write(file, change, policy)
    actual = row["options"].get(option, row["mode"])
    options = _file_options(change(file.document.value), policy.name)
    done = "" if written.changed else _UNCHANGED
    if written.runs and option in options and not _same(options[option], actual):
        sentence = f"{file.path} is written, but other settings override it"
        step = f"hookd policy show {policy.name}, hookd settings check"
        raise Problem(f"{sentence}: {option} of {policy.name} is {_json(actual)} here.", step)
    now = f"{option} is now {_json(options.get(option, actual))}{done}"
    sentence = f"{policy.name}: {now}; the policy is {row['mode']}, {row['why']}"
    facts = {**row, "path": file.path, "changed": written.changed}
    _report(sentence, facts, as_json=as_json)
    warn, block = row["options"].get("warn_after"), row["options"].get("block_after")
    if warn is not None and block is not None and warn > block:
        note = f"warn_after ({warn}) is above block_after ({block})"
        remind = f"the reminder comes after {block - 1} calls" if block else "no reminder comes"
        click.echo(f"hookd: note: {policy.name}: {note}: {remind}", err=True)


def _report(sentence: str, facts: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what applies now; the facts are the row of `hookd policy list` and the file."""
    see = f"See: hookd policy show {facts['policy']}"
    output.show_done(f"{output.cell(sentence)}. {see}", facts, as_json=as_json)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _same(written: Any, actual: Any) -> bool:
    """Return whether a written value is in effect; keys that it leaves out have defaults."""
    match written, actual:
        case Mapping(), Mapping():
            return all(key in actual and _same(item, actual[key]) for key, item in written.items())
        case [*items], [*others]:
            return len(items) == len(others) and all(map(_same, items, others))
        case _:
            return bool(written == actual)


def _next_step(row: Mapping[str, Any], policy: "Policy", file: OwnFile, to_on: bool) -> str:
    """Return the next step if other settings than the written ones win."""
    verb = "enable" if to_on else "disable"
    for scope in SCOPES:
        path = hook_rows.short(str(own_files.location(scope, file.root)), file.root)
        if scope != file.scope and row["why"].endswith(f" in {path}"):
            return f"hookd policy {verb} {policy.name} --scope {scope}"
    return "ask whoever manages these settings"


def _file_options(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a policy's options in the value of a settings file; empty if it is malformed."""
    options: Any = value
    for key in ("policies", "options", name):
        options = options.get(key, {}) if isinstance(options, dict) else {}
    return options if isinstance(options, dict) else {}


def _write(
    file: OwnFile, change: Change, policy: "Policy"
) -> tuple[write_trusted.Written, dict[str, Any]]:
    """Change a policy's settings in a file; return that with the policy's row in effect."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.config import policy_edit  # noqa: PLC0415

    try:
        value = change(file.document.value)
    except policy_edit.SettingsShapeError as error:
        raise Problem(f"{file.path}: {error}.", _FIX) from None
    _expect_valid(file, value, policy)
    written = write_trusted.write(file, value)
    page = effective.read(file.root)
    if page.fault:
        raise Problem(f"The change does not apply yet: {page.fault}.", "hookd settings check")
    return written, page.row(policy)


def _expect_valid(file: OwnFile, value: dict[str, Any], policy: "Policy") -> None:
    """Raise Problem if the new settings of this policy would be rejected."""
    from pydantic import ValidationError  # noqa: PLC0415 - it is slow to import

    from hookd.cli.install.settings_file import plain  # noqa: PLC0415
    from hookd.config.deprecated_keys import current_settings  # noqa: PLC0415
    from hookd.config.models import Policies, Section  # noqa: PLC0415
    from hookd.config.refusal import first_error  # noqa: PLC0415
    from hookd.policy_support.layering import choose  # noqa: PLC0415

    try:
        policies = current_settings(plain(value), layer=True).value.get("policies", {})
        section = Policies.model_validate(policies)
    except ValidationError as error:
        key, why = first_error(error, "there is no such setting")
        raise Problem(f"{file.path}: policies.{key}: {why}.", _FIX) from None
    own = section.options.get(policy.name)
    try:
        choose([policy], [Section(Policies(options={} if own is None else {policy.name: own}))])
    except ValueError as error:
        step = f"hookd policy show {policy.name} lists the options"
        end = "" if str(error).endswith("?") else "."
        raise Problem(f"{file.path}: {error}{end}", step) from None


def _value(policy: "Policy", option: str, text: str) -> Any:
    """Return an option's value as typed: JSON, or else the text itself."""
    return _parsed(policy, text, policy.options.model_fields[option].annotation)


def _changed_list(
    policy: "Policy", option: str, file: OwnFile, *, added: str | None, removed: str | None
) -> list[Any] | None:
    """Return a list option with one item added or removed; None if that changes nothing.

    Raise Problem if the option is not a list, or lacks the item to remove.
    """
    kind = policy.options.model_fields[option].annotation
    step = f"hookd policy show {policy.name}"
    if get_origin(kind) not in (tuple, list):
        raise Problem(f"{option} of {policy.name} is not a list: set its whole value.", step)
    before = _current_list(policy, option, file)
    if added is not None:
        item = _parsed(policy, added, get_args(kind)[0])
        return None if item in before else [*before, item]
    item = _parsed(policy, removed or "", get_args(kind)[0])
    if item not in before:
        sentence = f"{option} of {policy.name} does not hold {_json(item)}: it is {_json(before)}."
        raise Problem(sentence, step)
    return [kept for kept in before if kept != item]


def _current_list(policy: "Policy", option: str, file: OwnFile) -> list[Any]:
    """Return the list to change: the file's own, else the default or the list in effect."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - only a list needs all settings

    own = _file_options(file.document.plain, policy.name).get(option)
    if isinstance(own, list):
        return list(own)
    if file.scope == "user":  # project settings apply over the user's, and are not part of them
        options = policy.options().model_dump(mode="json", exclude_defaults=False)
    else:
        options = effective.read(file.root).row(policy)["options"]
    return list(options[option])


def _parsed(policy: "Policy", text: str, kind: Any) -> Any:
    """Return a text as a value of type `kind`. Raise Problem for broken JSON."""
    broken = ""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        broken = f"{error.msg}, column {error.colno}"
    except (ValueError, RecursionError):
        broken = "too deep"
    if broken and text.lstrip()[:1] in ("[", "{"):
        step = f"hookd policy show {policy.name} lists the types"
        raise Problem(f"Invalid JSON: {broken}.", step)
    if broken:
        return text
    # A text that happens to be JSON, such as 5 or true, stays a text for an option of texts.
    return text if kind is str and not isinstance(value, str) else value
