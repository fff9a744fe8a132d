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
    "start": ("lifecycle.daemon", "Start the daemon in the background; return when it answers."),
    "serve": ("lifecycle.serve", "Run the daemon in this process."),
    "stop": ("lifecycle.daemon", "Stop the daemon until hookd start."),
    "restart": ("lifecycle.daemon", "Restart the daemon, or start it."),
    "run": ("lifecycle.run", "Run the client in this terminal; restart it after a crash."),
    "status": ("lifecycle.status", "Show whether the daemon runs, and its files."),
    "daemon": ("lifecycle.daemon_group", "Control the daemon, and read its log."),
    "pause": ("lifecycle.pause", "Turn off all guards for DURATION: 30s, 10m, 2h."),
    "resume": ("lifecycle.pause", "End a pause early."),
    "doctor": ("doctor.doctor", "Check whether hookd guards in this folder."),
    "logs": ("lifecycle.logs", ""),
    "install": ("install.install", "Register hookd with Claude Code."),
    "uninstall": ("install.install", "Remove hookd from Claude Code's settings."),
    "service": ("service.service", "Run the daemon from login on; restart it after a failure."),
    "guard": ("guard.guard", "Add, list and remove guard rules: what tools may do."),
    "allow": ("guard.allow", "Allow a single call that guards blocked."),
    "deny": ("guard.deny", "Make a guard rule from the call of event N."),
    "hooks": ("hooks.hooks", "Run your own commands on events; without a subcommand, list them."),
    "trust": ("hooks.trust", "Trust a project's own hooks, policy settings and rules."),
    "policies": ("policies.policies", "Show and set the built-in policies."),
    "settings": ("settings.settings", "Check settings files, and print their JSON Schema."),
    "effort": ("work.effort", "Start, log, show and finish efforts: a skill at work on a task."),
    "log": ("work.effort", "Add TEXT to the log of your effort; - reads standard input."),
    "checkpoint": ("work.checkpoint", "Save and restore the files of a git working tree."),
    "task": ("work.task", "Show tasks: folders of work."),
    "skill": ("work.skill", "Show skills, as hookd has read their SKILL.md."),
    "session": ("work.session", "Show sessions: context windows and subagent runs."),
    "handover": ("work.handover", "Save, show and list handovers from one session to the next."),
    "loop": ("work.loop", "Repeat a task until the agent reports that it is done."),
    "fleet": ("fleet.fleet", "Show what every agent and open session is doing."),
    "agents": ("fleet.agents", "List agents, explain their status, register and remove them."),
    "events": ("history.events", "Show the last events, the newest at the bottom."),
    "why": ("history.why", "Show an event, the opinions on it, and the answer."),
    "stats": ("history.stats", "Show calls, denials, questions, costs and rules of a week."),
    "replay": ("history.replay", "Show what a change of rules would have said about past events."),
    "message": ("history.message", "List messages: prompts, answers, log entries."),
    "dialogue": (
        "history.dialogue",
        "Export conversations: prompts, answers, questions, log entries.",
    ),
    "redact": (
        "history.redact",
        "Test redaction: the removal of secrets before hookd stores a text.",
    ),
    "query": ("history.query", "Run one SQL statement on hookd's database, read-only."),
    "db": ("history.db", "Inspect and maintain the database: size, check, backup."),
    "rpc": ("lifecycle.rpc", "Call METHOD and print its result as JSON."),
    "demo": ("lifecycle.demo", "Play a recorded session, and show the decisions."),
}
"""Each command: its module below hookd.cli, which defines it under the command's name, and the
first sentence of its help, "" for a hidden one. So `hookd --help` imports no command."""


_MARGINS = 6
"""Columns of the spaces around a command's name in the help."""


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
        module = importlib.import_module(f"hookd.cli.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, name)
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = formatter.width - max(map(len, COMMANDS)) - _MARGINS
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, click.Command(name, help=sentence).get_short_help_str(width))
                    for name, (_, sentence) in COMMANDS.items()
                    if sentence
                ]
            )

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
