"""The `hookd` command: a table of subcommands, each imported when it is used.

Nothing here imports pydantic: a command starts in the time of a small Python program.
"""

import importlib
from errno import EPIPE
from typing import Any

import click

from hookd import __version__
from hookd.cli.lib import terminal
from hookd.cli.lib.errors import Problem

COMMANDS = {
    "start": "lifecycle.daemon",
    "serve": "lifecycle.daemon",
    "stop": "lifecycle.daemon",
    "restart": "lifecycle.daemon",
    "run": "lifecycle.run",
    "status": "lifecycle.status",
    "daemon": "lifecycle.daemon_group",
    "pause": "lifecycle.pause",
    "resume": "lifecycle.pause",
    "doctor": "doctor.doctor",
    "logs": "lifecycle.logs",
    "install": "install.install",
    "uninstall": "install.install",
    "service": "service.service",
    "guard": "guard.guard",
    "allow": "guard.allow",
    "hooks": "hooks.hooks",
    "trust": "hooks.trust",
    "policies": "policies.policies",
    "settings": "settings.settings",
    "effort": "work.effort",
    "log": "work.effort",
    "checkpoint": "work.checkpoint",
    "task": "work.task",
    "skill": "work.skill",
    "session": "work.session",
    "handover": "work.handover",
    "loop": "work.loop",
    "fleet": "fleet.fleet",
    "agents": "fleet.agents",
    "events": "history.events",
    "why": "history.why",
    "message": "history.message",
    "dialogue": "history.dialogue",
    "redact": "history.redact",
    "query": "history.query",
    "db": "history.db",
    "rpc": "lifecycle.rpc",
    "demo": "lifecycle.demo",
}
"""Each command and its module below hookd.cli, which defines it under the command's name."""


class _Commands(click.Group):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args[:1] == ["help"]:
            # One word alone: `hookd run PROGRAM --help` would run the program.
            args = [*(word for word in args[1:2] if not word.startswith("-")), "--help"]
        return super().parse_args(ctx, args)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"hookd.cli.{COMMANDS[name]}")
        command: click.Command = getattr(module, name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches  # noqa: PLC0415 - only for a wrong name

            near = " or ".join(get_close_matches(args[0], COMMANDS))
            hint = f" Did you mean {near}?" if near else ""
            raise click.UsageError(error.message + hint, ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        terminal.protect()
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            # Quiet, where click would print "Aborted!". 128 and the signal's number, as in shells.
            ctx.exit(130)
        except OSError as error:
            if error.errno == EPIPE:
                raise  # click ends quietly: the reader of the pipe has ended
            step = f"ls -ld {error.filename}" if error.filename else "send it to another file"
            sentence = f"{error.filename or 'The output'}: {error.strerror or error}."
            raise Problem(sentence, step) from None


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
    Examples:
      hookd start                        start the daemon
      hookd install                      register it with Claude Code
      hookd guard add no-force 'Bash(git push --force *)' --deny 'Open a pull request.'
      hookd fleet                        who is doing what
    """,
)
@click.version_option(__version__, message="hookd %(version)s")
def main() -> None:
    """One warm daemon for all Claude Code hooks."""
