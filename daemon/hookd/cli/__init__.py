"""The terminal half: one command a file, found by this table and imported when it is used.

Nothing here imports pydantic: a command starts in the time of a small Python program.
"""

import importlib

import click

COMMANDS = {
    "start": "daemon",
    "serve": "daemon",
    "stop": "daemon",
    "restart": "daemon",
    "status": "status",
    "logs": "logs",
    "install": "install",
    "uninstall": "install",
    "guard": "guard",
    "effort": "effort",
    "log": "log",
    "session": "session",
    "fleet": "fleet",
    "query": "query",
    "rpc": "rpc",
    "demo": "demo",
}
"""Each command and the file of this package that holds it; the function has the command's name."""


class _Commands(click.Group):
    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"hookd.cli.{COMMANDS[name]}")
        command: click.Command = getattr(module, name)
        return command


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="hookd", message="hookd %(version)s")
def main() -> None:
    """One warm daemon for all Claude Code hooks.

    \b
    Examples:
      hookd start                        start the daemon
      hookd install                      register it with Claude Code
      hookd guard add no-force 'Bash(git push --force *)' --deny 'Open a pull request.'
      hookd fleet                        who is doing what
    """
