"""`hookd help`: explain a command, or list all commands."""

from typing import TYPE_CHECKING

import click

from hookd.cli import list_all

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _complete(ctx: click.Context, _param: click.Parameter, typed: str) -> "list[CompletionItem]":
    """Complete the commands of the group that was named last."""
    shown = ctx.find_root()
    for name in ctx.params.get("names") or ():
        if not isinstance(shown.command, click.Group):
            return []
        found, command, _ = shown.command.resolve_command(shown, [name])
        if command is None:
            return []
        shown = click.Context(command, info_name=found, parent=shown, resilient_parsing=True)
    return shown.command.shell_complete(shown, typed)


@click.command(
    epilog="""\b
    Examples:
      hookd help
      hookd help --all          all commands, by group
      hookd help guard add      the same as hookd guard add --help
    """
)
@click.argument("names", metavar="[COMMAND]...", nargs=-1, shell_complete=_complete)
@click.option("--all", "every", is_flag=True, help="List all commands.")
@click.pass_context
def help(ctx: click.Context, names: tuple[str, ...], every: bool) -> None:  # noqa: A001 - its name
    """Explain a command; with --all, list all commands."""
    if every:
        list_all(ctx)
    shown = ctx.find_root()
    for name in names:
        group = shown.command
        if not isinstance(group, click.Group):
            raise click.UsageError(f"{shown.command_path} has no subcommands.", shown)
        found, command, _ = group.resolve_command(shown, [name])
        if command is None:
            raise click.UsageError(f"No such command {name!r}.", shown)
        shown = click.Context(command, info_name=found, parent=shown)
    click.echo(shown.get_help())
