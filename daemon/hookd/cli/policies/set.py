"""The home of `hookd policies enable|disable|set`: what one's own settings say of a policy."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import click

from hookd.cli.hooks import format as hook_rows
from hookd.cli.hooks import own_files, write_trusted
from hookd.cli.hooks.own_files import OWNERS, Owner, OwnFile
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.person import for_person

if TYPE_CHECKING:
    from hookd.core.model.policy import Policy

Change = Callable[[dict[str, Any]], dict[str, Any]]

_MEND = "mend the file, then run the command again"
_OWNER = click.option(
    "--to",
    "owner",
    type=click.Choice(OWNERS),
    default="user",
    show_default=True,
    help="Whose settings say it: yours everywhere, the project's, or yours in this project.",
)


@click.command(
    epilog="""\b
    Examples:
      hookd policies enable todo-continuation-enforcer
      hookd policies enable write-existing-file-guard --to project
    """
)
@click.argument("name")
@_OWNER
@own_files.project_option
@for_person
def enable(name: str, owner: Owner, folder: Path | None) -> None:
    """Switch a policy on.

    Where a project has nothing of its own yet, or is trusted, what is written there by `--to
    project` or `--to local` is trusted with it: see hookd trust.
    """
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.config import policy_edit  # noqa: PLC0415
    from hookd.core.model.policy import BOTH  # noqa: PLC0415

    policy = effective.named(name)
    by_default = policy.profiles == BOTH
    file = own_files.read(owner, own_files.project(folder))
    on = partial(policy_edit.enable, name=policy.name, by_default=by_default)
    _switch(file, on, policy, to_on=True)


@click.command(
    epilog="""\b
    Examples:
      hookd policies disable keyword-detector
      hookd policies disable heartbeat --to local
    """
)
@click.argument("name")
@_OWNER
@own_files.project_option
@for_person
def disable(name: str, owner: Owner, folder: Path | None) -> None:
    """Switch a policy off. That wins over whoever else enables it, but managed settings."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.config import policy_edit  # noqa: PLC0415

    policy = effective.named(name)
    file = own_files.read(owner, own_files.project(folder))
    _switch(file, partial(policy_edit.disable, name=policy.name), policy, to_on=False)


@click.command(
    name="set",
    epilog="""\b
    Examples:
      hookd policies set heartbeat block_after 20
      hookd policies set destructive-guard mode warn --to local
      hookd policies set path-guard rules '[{"deny": ["infra/**"]}]' --to project
      hookd policies set path-guard rules --add '{"deny": ["certs/**"]}' --to project
      hookd policies set session-gate allow --remove 'Bash(npm test *)'
      hookd policies set heartbeat block_after --default
    """,
)
@click.argument("name")
@click.argument("option")
@click.argument("value", required=False)
@click.option("--add", "added", metavar="VALUE", help="Add one to a list.")
@click.option("--remove", "removed", metavar="VALUE", help="Take one out of a list.")
@click.option("--default", "usual", is_flag=True, help="Take out what was set.")
@_OWNER
@own_files.project_option
@for_person
def set_(  # noqa: PLR0913, PLR0917 - the options of a command
    name: str,
    option: str,
    value: str | None,
    added: str | None,
    removed: str | None,
    usual: bool,
    owner: Owner,
    folder: Path | None,
) -> None:
    """Set an option of a policy: VALUE is JSON, or else a text.

    `--add` and `--remove` begin with what the file says; where it says nothing, with what holds.
    """
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.config import policy_edit  # noqa: PLC0415

    if usual + sum(one is not None for one in (value, added, removed)) != 1:
        raise click.UsageError("Say one of VALUE, --add, --remove and --default.")
    policy = effective.named(name)
    if option not in policy.options.model_fields:
        known = ", ".join(policy.options.model_fields)
        sentence = f"{policy.name} has no option {option!r}; there are {known}."
        raise Problem(sentence, f"hookd policies show {policy.name}")
    file = own_files.read(owner, own_files.project(folder))
    change: Change = dict
    if usual:
        change = partial(policy_edit.without_option, name=policy.name, key=option)
    else:
        new = (
            _value(policy, option, value)
            if value is not None
            else _changed_list(policy, option, file, added=added, removed=removed)
        )
        if new is not None:
            change = partial(policy_edit.with_option, name=policy.name, key=option, given=new)
    _set(file, change, policy, option)


def _switch(file: OwnFile, change: Change, policy: "Policy", *, to_on: bool) -> None:
    """Let a file switch a policy, and tell how it holds now. Problem where it does not."""
    written, row = _written(file, change, policy)
    done = "" if written.changed else " (nothing was to change)"
    if written.runs and (row["mode"] != "off") != to_on:
        is_ = "off" if to_on else row["mode"]
        raise Problem(
            f"{policy.name} is still {is_}, {row['why']}.", _who(row, policy, file, to_on)
        )
    _tell(policy, f"{policy.name} is now {row['mode']}, {row['why']}{done}")


def _set(file: OwnFile, change: Change, policy: "Policy", option: str) -> None:
    """Let a file set an option, and tell what holds now. Problem where that is something else."""
    written, row = _written(file, change, policy)
    holds = row["options"].get(option, row["mode"])
    options = _file_options(change(file.document.value), policy.name)
    done = "" if written.changed else " (nothing was to change)"
    if written.runs and option in options and not _same(options[option], holds):
        sentence = f"{policy.name}: {option} is {_json(holds)} all the same"
        step = f"hookd policies show {policy.name}, hookd settings check"
        raise Problem(f"{sentence}: other settings than {file.path} say so.", step)
    now = f"{option} is now {_json(options.get(option, holds))}{done}"
    _tell(policy, f"{policy.name}: {now}; the policy is {row['mode']}, {row['why']}")


def _tell(policy: "Policy", sentence: str) -> None:
    click.echo(f"{output.cell(sentence)}. See: hookd policies show {policy.name}")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _same(said: Any, holds: Any) -> bool:
    """Whether what a file says is what holds: keys that it leaves out are at their defaults."""
    match said, holds:
        case Mapping(), Mapping():
            return all(key in holds and _same(one, holds[key]) for key, one in said.items())
        case [*some], [*others]:
            return len(some) == len(others) and all(map(_same, some, others))
        case _:
            return bool(said == holds)


def _who(row: Mapping[str, Any], policy: "Policy", file: OwnFile, to_on: bool) -> str:
    """Return the next step where other settings than those that were written decide."""
    verb = "enable" if to_on else "disable"
    for owner in OWNERS:
        path = hook_rows.short(str(own_files.place(owner, file.root)), file.root)
        if owner != file.owner and row["why"].endswith(f" in {path}"):
            return f"hookd policies {verb} {policy.name} --to {owner}"
    return "ask whoever manages these settings"


def _file_options(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return what a file of settings says of a policy's options, as far as it is an object."""
    found: Any = value
    for key in ("policies", "options", name):
        found = found.get(key, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def _written(
    file: OwnFile, change: Change, policy: "Policy"
) -> tuple[write_trusted.Written, dict[str, Any]]:
    """Let a file say something else of a policy; return that with how it holds now."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.config import policy_edit  # noqa: PLC0415

    try:
        value = change(file.document.value)
    except policy_edit.SettingsShapeError as error:
        raise Problem(f"{file.path}: {error}.", _MEND) from None
    _expect_sound(file, value, policy)
    written = write_trusted.write(file, value)
    page = effective.read(file.root)
    if page.fault:
        raise Problem(
            f"What the file says does not hold yet: {page.fault}.", "hookd settings check"
        )
    return written, page.row(policy)


def _expect_sound(file: OwnFile, value: dict[str, Any], policy: "Policy") -> None:
    """Raise Problem where what is to be written of this policy would not hold."""
    from pydantic import ValidationError  # noqa: PLC0415 - it is slow to import

    from hookd.cli.install.settings_file import plain  # noqa: PLC0415
    from hookd.config.deprecated_keys import current_settings  # noqa: PLC0415
    from hookd.config.models import Policies, Section  # noqa: PLC0415
    from hookd.config.refusal import first_error  # noqa: PLC0415
    from hookd.policy_support.layering import choose  # noqa: PLC0415

    try:
        policies = current_settings(plain(value), layer=True).value.get("policies", {})
        said = Policies.model_validate(policies)
    except ValidationError as error:
        key, why = first_error(error, "there is no such setting")
        raise Problem(f"{file.path}: policies.{key}: {why}.", _MEND) from None
    own = said.options.get(policy.name)
    try:
        choose([policy], [Section(Policies(options={} if own is None else {policy.name: own}))])
    except ValueError as error:
        step = f"hookd policies show {policy.name} tells what it takes"
        raise Problem(f"{file.path}: {error}.", step) from None


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
    step = f"hookd policies show {policy.name}"
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
    """Return the list to change: the file's own, else the one that it would replace."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - only a list needs all settings

    own = _file_options(file.document.plain, policy.name).get(option)
    if isinstance(own, list):
        return list(own)
    if file.owner == "user":  # project settings apply over the user's, and are not part of them
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
        step = f"hookd policies show {policy.name} lists the types"
        raise Problem(f"Invalid JSON: {broken}.", step)
    if broken:
        return text
    # A text that happens to be JSON, such as 5 or true, stays a text for an option of texts.
    return text if kind is str and not isinstance(value, str) else value
