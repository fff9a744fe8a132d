"""Groups of commands: a list with whole sentences, and suggestions for a name that is none."""

from collections.abc import Mapping

import click

from hookd.cli.lib.suggestions import OF_GROUPS, suggestions

_WHOLE = 300
"""Characters: no first sentence of a help is longer."""


class Commands(click.Group):
    """A group that lists its commands with whole sentences, and suggests the right ones."""

    intents: Mapping[str, str] = OF_GROUPS

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with the first sentence of its help."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [
            (name, command.get_short_help_str(_WHOLE))
            for name, command in commands
            if command is not None and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command by its present name. Raise UsageError with suggestions if none is."""
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            if ctx.resilient_parsing:
                return None, None, args
            raise click.UsageError(self._unknown(ctx, args[0]), ctx)
        _, command, rest = super().resolve_command(ctx, args)
        return command.name if command else None, command, rest

    def _unknown(self, ctx: click.Context, name: str) -> str:
        commands = self.list_commands(ctx)
        found = suggestions(name, commands, self.intents)
        meant = " or ".join(f"{ctx.command_path} {one}" for one in found)
        return f"No such command {name!r}." + (f" Did you mean {meant}?" if meant else "")
