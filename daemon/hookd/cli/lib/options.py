"""Options that commands share: --json, --limit, --follow, --client, --session, --scope, ...

A former name is hidden, is accepted for its successor, and prints one line of deprecation.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Literal, get_args

import click
from click.core import ParameterSource

from hookd.cli.lib import completions
from hookd.core.model.client_names import CLIENTS

Scope = Literal["user", "project", "local"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

_SCOPE_HELP = "Apply to you everywhere, to the project, or to you in it."
_PROJECT_DIR_HELP = "The project's directory.  [default: the current one]"
_USED = "hookd.former_options"
"""Key in the context's `meta`: the former names that this call used, by parameter."""


def row_number(text: str) -> int:
    """Return the number of a mail, a work item or another row: a type of arguments.

    Raise BadParameter. Unlike those of IntRange, its limits are in no help text.
    """
    if text.isascii() and text.isdigit() and 0 < int(text[:20]) < 2**63:
        return int(text)
    raise click.BadParameter(f"{text!r} is no number: 1, 2, 3, ...")


def json_option(help_text: str = "Print one JSON object.") -> Decorator:
    """Add `--json`, passed as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=help_text)


def limit_option(
    default: int = 50, *, most: int = 100_000, least: int = 1, former: str | None = None
) -> Decorator:
    """Add `-n`, `--limit`, passed as `limit`; `former` is its former name."""
    count = click.IntRange(least, most)

    def add(command: Command) -> Command:
        if former:
            command = former_option(former, "--limit", "limit", type=count)(command)
        return click.option(
            "-n",
            "--limit",
            type=count,
            default=default,
            show_default=True,
            metavar="N",
            help=f"Show at most N; {most:,} at most.",
        )(command)

    return add


def follow_option(help_text: str = "Print new ones too, until Ctrl-C.") -> Decorator:
    """Add `-f`, `--follow`, passed as `follow`."""
    return click.option("-f", "--follow", is_flag=True, help=help_text)


def client_option(help_text: str) -> Decorator:
    """Add `--client`, passed as `client`."""
    return click.option("--client", type=click.Choice(list(CLIENTS)), help=help_text)


def session_option() -> Decorator:
    """Add `--session ID`, passed as `session`."""
    return click.option(
        "--session",
        metavar="ID",
        help="A number, a client's session id, or its beginning.",
        shell_complete=completions.sessions,
    )


def scope_option(
    help_text: str = _SCOPE_HELP,
    *,
    scopes: Sequence[str] = SCOPES,
    default: str | None = "user",
    former: Sequence[str] = (),
) -> Decorator:
    """Add `--scope`, passed as `scope`.

    `former` are its former names: `--to` takes a value, any other is a flag of its scope's name,
    such as `--project`.
    """

    def add(command: Command) -> Command:
        for name in former:
            if name == "--to":
                add_former = former_option(name, "--scope", "scope", type=click.Choice(scopes))
            else:
                value = name.removeprefix("--")
                add_former = former_option(name, f"--scope {value}", "scope", flag_value=value)
            command = add_former(command)
        return click.option(
            "--scope",
            type=click.Choice(scopes),
            default=default,
            show_default=default is not None,
            help=help_text,
        )(command)

    return add


def project_dir_option(
    help_text: str = _PROJECT_DIR_HELP, *, former: str | None = None
) -> Decorator:
    """Add `--project-dir DIR`, passed as `project_dir`; `former` is its former name."""
    directory = click.Path(exists=True, file_okay=False, path_type=Path)

    def add(command: Command) -> Command:
        if former:
            command = former_option(former, "--project-dir", "project_dir", type=directory)(command)
        return click.option("--project-dir", type=directory, metavar="DIR", help=help_text)(command)

    return add


def former_option(former: str, option: str, parameter: str, **attributes: Any) -> Decorator:
    """Accept `former`, hidden, as a former name of `option`, whose value is `parameter`.

    `attributes` are those of `click.option`; with `flag_value` it is a flag that means this value.
    """
    key = "former_" + former.lstrip("-").replace("-", "_")
    if "flag_value" in attributes:
        attributes = {"is_flag": True, "default": None, **attributes}

    def add(command: Command) -> Command:
        @wraps(command)
        def run(*args: Any, **options: Any) -> Any:
            value = options.pop(key)
            if value not in (None, ()):
                _expect_single(former, option, parameter)
                click.echo(f"hookd: {former} is deprecated; use {option}", err=True)
                options[parameter] = value
            return command(*args, **options)

        return click.option(former, key, hidden=True, **attributes)(run)

    return add


def _expect_single(former: str, option: str, parameter: str) -> None:
    """Raise UsageError if the value was also given by the option or another former name."""
    context = click.get_current_context()
    used: dict[str, str] = context.meta.setdefault(_USED, {})
    other = used.setdefault(parameter, former)
    if context.get_parameter_source(parameter) not in (None, ParameterSource.DEFAULT):
        other = option.partition(" ")[0]
    if other != former:
        raise click.UsageError(f"{former} and {other} exclude each other.")
