"""The home of `hookd policies enable|disable|set`: what one's own settings say of a policy."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from hookd.cli import hook_files, hook_trust
from hookd.cli.hook_files import Owner, OwnFile
from hookd.cli.problem import Problem

_MEND = "mend the file, then run the command again"


@click.command(
    epilog="""\b
    Examples:
      hookd policies enable todo-continuation-enforcer
      hookd policies enable write-existing-file-guard --to project
    """
)
@click.argument("name")
@hook_files.owner_option
@hook_files.project_option
def enable(name: str, owner: Owner, folder: Path | None) -> None:
    """Switch a policy on."""
    from hookd.cli import policy_page  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.core import policy_writing  # noqa: PLC0415

    policy = policy_page.named(name)
    by_default = policy.options().mode != "off"
    file = hook_files.read(owner, hook_files.project(folder))
    on = partial(policy_writing.enabled, name=policy.name, by_default=by_default)
    _write(file, on, policy.name)


@click.command(
    epilog="""\b
    Examples:
      hookd policies disable keyword-detector
      hookd policies disable heartbeat --to local
    """
)
@click.argument("name")
@hook_files.owner_option
@hook_files.project_option
def disable(name: str, owner: Owner, folder: Path | None) -> None:
    """Switch a policy off. That wins over whoever else enables it, but managed settings."""
    from hookd.cli import policy_page  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.core import policy_writing  # noqa: PLC0415

    policy = policy_page.named(name)
    file = hook_files.read(owner, hook_files.project(folder))
    _write(file, partial(policy_writing.disabled, name=policy.name), policy.name)


@click.command(
    name="set",
    epilog="""\b
    Examples:
      hookd policies set heartbeat block_after 20
      hookd policies set destructive-guard mode warn --to local
      hookd policies set path-guard rules '[{"deny": ["infra/**"]}]' --to project
      hookd policies set heartbeat block_after --default
    """,
)
@click.argument("name")
@click.argument("option")
@click.argument("value", required=False)
@click.option("--default", "usual", is_flag=True, help="Take out what was set.")
@hook_files.owner_option
@hook_files.project_option
def set_(  # noqa: PLR0913, PLR0917 - the options of a command
    name: str, option: str, value: str | None, usual: bool, owner: Owner, folder: Path | None
) -> None:
    """Set an option of a policy: VALUE is JSON, or else a text."""
    from hookd.cli import policy_page  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.core import policy_writing  # noqa: PLC0415

    if usual == (value is not None):
        raise click.UsageError("Say VALUE, or --default.")
    policy = policy_page.named(name)
    if option not in policy.options.model_fields:
        known = ", ".join(policy.options.model_fields)
        sentence = f"{policy.name} has no option {option!r}; there are {known}."
        raise Problem(sentence, f"hookd policies show {policy.name}")
    file = hook_files.read(owner, hook_files.project(folder))
    change = partial(policy_writing.without_option, name=policy.name, key=option)
    if value is not None:
        given = _given(value)
        change = partial(policy_writing.with_option, name=policy.name, key=option, given=given)
    _write(file, change, policy.name)


def _given(value: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _write(file: OwnFile, change: Callable[[dict[str, Any]], dict[str, Any]], name: str) -> None:
    """Let a file say something else of a policy, and tell how that holds now."""
    from hookd.cli import policy_page  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.core import policy_writing  # noqa: PLC0415

    try:
        value = change(file.document.value)
    except policy_writing.UnfitError as error:
        raise Problem(f"{file.path}: {error}.", _MEND) from None
    _expect_sound(file, value)
    written = hook_trust.write(file, value)
    row = policy_page.read(file.root).row(policy_page.named(name))
    done = "" if written.changed else " (nothing was to change)"
    click.echo(f"{name} is now {row['mode']}, {row['why']}{done}. See: hookd policies show {name}")


def _expect_sound(file: OwnFile, value: dict[str, Any]) -> None:
    """Raise Problem where what is to be written would not hold."""
    from pydantic import ValidationError  # noqa: PLC0415 - it is slow to import

    from hookd.cli.settings_file import plain  # noqa: PLC0415
    from hookd.core.choosing import choose  # noqa: PLC0415
    from hookd.core.options import Policies, Section  # noqa: PLC0415
    from hookd.core.refusal import refusal  # noqa: PLC0415
    from hookd.policies import POLICIES  # noqa: PLC0415

    try:
        said = Policies.model_validate(plain(value.get("policies", {})))
        choose(POLICIES, [Section(said)])
    except ValidationError as error:
        key, why = refusal(error, "there is no such setting")
        raise Problem(f"{file.path}: policies.{key}: {why}.", _MEND) from None
    except ValueError as error:
        raise Problem(f"{error}.", "hookd policies show NAME tells what it takes") from None
