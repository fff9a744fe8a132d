"""`hookd help`: explain a command, or list all commands."""

import click

from hookd.cli import list_all


@click.command(
    epilog="""\b
    Examples:
      hookd help
      hookd help --all          all commands, by group
      hookd help guard add      the same as hookd guard add --help
    """
)
@click.argument("names", metavar="[COMMAND]...", nargs=-1)
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
