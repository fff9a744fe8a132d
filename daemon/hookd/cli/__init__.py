"""The `hookd` command: a table of subcommands, each imported when it is used.

Nothing here imports pydantic: a command starts in the time of a small Python program.
"""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EPIPE
from typing import TYPE_CHECKING, Any

import click
from click.exceptions import NoArgsIsHelpError

from hookd import __version__
from hookd.cli.lib import terminal
from hookd.cli.lib.errors import Misuse, Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.suggestions import INTENTS
from hookd.core.model.renamed_commands import current_command

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "guard": ("Guard", "guard.guard", "Add, list and remove guard rules: what tools may do."),
    "allow": ("Guard", "guard.allow", "Allow a single call that guards blocked."),
    "deny": ("Guard", "guard.deny", "Make a guard rule from the call of event N."),
    "approval": (
        "Guard",
        "fleet.approvals",
        "Show permission requests that wait, and answer them.",
    ),
    "policy": ("Guard", "policies.policies", "Show and set the built-in policies."),
    "trust": ("Guard", "hooks.trust", "Trust a project's own hooks, policy settings and rules."),
    "pause": ("Guard", "lifecycle.pause", "Turn off all guards for DURATION: 30s, 10m, 2h."),
    "resume": ("Guard", "lifecycle.pause", "End a pause early."),
    "redact": ("Guard", "history.redact", "Test the removal of secrets before a text is stored."),
    "board": ("Look", "board.board", "Watch all sessions and decisions, and answer requests."),
    "web": ("Look", "web.web", "Serve pages to a browser on this machine, until Ctrl-C."),
    "fleet": ("Look", "fleet.fleet", "Show what every agent and open session is doing."),
    "event": ("Look", "history.events", "Show the last events, the newest at the bottom."),
    "why": ("Look", "history.why", "Show an event, the opinions on it, and the answer."),
    "stats": (
        "Look",
        "history.stats",
        "Show calls, denials, questions, costs and rules of a week.",
    ),
    "session": ("Look", "work.session", "Show sessions: context windows and subagent runs."),
    "agent": ("Look", "fleet.agents", "List and register agents, and explain their status."),
    "message": ("Look", "history.message", "List messages: prompts, answers, log entries."),
    "dialogue": (
        "Look",
        "history.dialogue",
        "Export conversations: prompts, answers, log entries.",
    ),
    "replay": ("Look", "history.replay", "Show what other rules would have said of past events."),
    "run": ("Work", "lifecycle.run", "Run the client in this terminal; restart it after a crash."),
    "effort": ("Work", "work.effort", "Start, log and finish efforts: a skill at work on a task."),
    "log": ("Work", "work.effort", "Add TEXT to the log of your effort; - reads standard input."),
    "handover": (
        "Work",
        "work.handover",
        "Save, show and list handovers; resume one in any client.",
    ),
    "send": ("Work", "mail.exchange", "Write to AGENT, @task, @all or @person."),
    "inbox": (
        "Work",
        "mail.exchange",
        "Print the mail that waits for you, or the whole of mail ID.",
    ),
    "wait": ("Work", "mail.exchange", "Wait until mail has come, and print it."),
    "reply": ("Work", "mail.exchange", "Answer mail ID, in its thread."),
    "mail": ("Work", "mail.mail", "Show mail of agents, and decide on mail that is held."),
    "loop": ("Work", "work.loop", "Repeat a task until the agent reports that it is done."),
    "work": ("Work", "work.items", "Add, take and finish work items that agents share."),
    "task": ("Work", "work.task", "Show tasks: folders of work."),
    "claim": (
        "Work",
        "fleet.claims",
        "Claim files, so that other agents ask before changing them.",
    ),
    "release": ("Work", "fleet.claims", "End claims by number or pattern."),
    "skill": ("Work", "work.skill", "Show skills, as hookd has read their SKILL.md."),
    "checkpoint": ("Work", "work.checkpoint", "Save and restore the files of a git working tree."),
    "install": ("Set up", "install.install", "Register hookd with Claude Code, or other clients."),
    "plugin": ("Set up", "plugin.plugin", "Connect hookd with its Claude Code plugin."),
    "uninstall": ("Set up", "install.uninstall", "Remove hookd from the settings of its clients."),
    "start": (
        "Set up",
        "lifecycle.daemon",
        "Start the daemon in the background; return when it answers.",
    ),
    "stop": ("Set up", "lifecycle.daemon", "Stop the daemon until hookd start."),
    "restart": ("Set up", "lifecycle.daemon", "Restart the daemon, or start it."),
    "status": ("Set up", "lifecycle.status", "Show whether the daemon runs, and its files."),
    "upgrade": (
        "Set up",
        "lifecycle.upgrade",
        "Put the installed version to use, and say what is new.",
    ),
    "doctor": ("Set up", "doctor.doctor", "Check whether hookd guards in this folder."),
    "hook": ("Set up", "hooks.hooks", "Run your own commands on events; list, add and test them."),
    "settings": (
        "Set up",
        "settings.settings",
        "Check settings files, and print their JSON Schema.",
    ),
    "service": (
        "Set up",
        "service.service",
        "Run the daemon from login on; restart it after a failure.",
    ),
    "completion": (
        "Set up",
        "about.completion",
        "Print the script that completes hookd in bash, zsh or fish.",
    ),
    "demo": ("Set up", "lifecycle.demo", "Play a recorded session, and show the decisions."),
    "help": ("Plumbing", "about.help", "Explain a command; with --all, list all commands."),
    "version": (
        "Plumbing",
        "about.version",
        "Show the versions of hookd, Python, database and shim.",
    ),
    "daemon": ("Plumbing", "lifecycle.daemon_group", "Control the daemon, and read its log."),
    "serve": ("Plumbing", "lifecycle.serve", "Run the daemon in this process."),
    "db": ("Plumbing", "history.db", "Inspect and maintain the database: size, check, backup."),
    "mcp": ("Plumbing", "mcp.mcp", "Serve hookd's tools to a client by MCP, on stdin and stdout."),
    "metrics": ("Plumbing", "history.metrics", "Print the metrics of hookd as Prometheus text."),
    "query": ("Plumbing", "history.query", "Run one SQL statement on hookd's database, read-only."),
    "rpc": ("Plumbing", "lifecycle.rpc", "Call METHOD and print its result as JSON."),
    "logs": ("", "lifecycle.logs", ""),
}
"""Each command: its group in the help, its module below hookd.cli, which defines it under the
command's name, and the first sentence of its help, at most 60 characters. A hidden one has neither
group nor sentence. So `hookd --help` imports no command."""

GROUPS = ("Guard", "Look", "Work", "Set up", "Plumbing")

FIRST_PAGE = frozenset(
    {
        *("guard", "allow", "deny", "approval", "policy", "pause"),
        *("board", "web", "fleet", "event", "why", "stats"),
        *("run", "effort"),
        *("install", "start", "status", "doctor", "hook"),
        "help",
    }
)
"""The commands that `hookd --help` lists, at most 20; `hookd help --all` lists all."""

_ALL = "hookd.all_commands"
"""Key in the context's `meta`: the help is to list all commands."""


def _without_words() -> list[str]:
    """Return what `hookd` alone means: the board at a terminal with sessions, else the help."""
    from hookd.cli.board.board import should_open  # noqa: PLC0415 - only here

    return ["board"] if should_open() else []


class _Root(Commands):
    intents = INTENTS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            args = _without_words()
        if "--all" in args and {"--all", "-h", "--help"}.issuperset(args):
            list_all(ctx)
            args = ["--help"]
        return super().parse_args(ctx, args)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        name = current_command(name)
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"hookd.cli.{COMMANDS[name][1]}")
        command: click.Command = getattr(module, name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete commands from the table, so that no command is imported."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only a shell needs it

        options = click.Command.shell_complete(self, ctx, incomplete)
        return options + [
            CompletionItem(name, help=sentence)
            for name, (group, _, sentence) in COMMANDS.items()
            if group and name.startswith(incomplete)
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        every = ctx.meta.get(_ALL)
        shown = {name for name, entry in COMMANDS.items() if entry[0]}
        shown = shown if every else shown & FIRST_PAGE
        width = max(map(len, shown))
        for group in GROUPS:
            rows = [
                (f"{name:<{width}}", sentence)
                for name, (of, _, sentence) in COMMANDS.items()
                if of == group and name in shown
            ]
            if rows:
                with formatter.section(group):
                    formatter.write_dl(rows)
        if not every:
            from hookd.cli.lib import docs  # noqa: PLC0415 - only the help needs it

            formatter.write_paragraph()
            formatter.write_text("hookd help --all lists all commands.")
            formatter.write_text(f"This is hookd {__version__}; its guides: {docs.place()}.")

    def make_context(
        self, info_name: str | None, args: list[str], *rest: Any, **extra: Any
    ) -> click.Context:
        with _misuses():
            return super().make_context(info_name, args, *rest, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        terminal.protect()
        try:
            with _misuses():
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


@contextmanager
def _misuses() -> Iterator[None]:
    """Raise errors of wrong arguments as Misuse, which names the next step."""
    try:
        yield
    except (NoArgsIsHelpError, Misuse):
        raise
    except click.UsageError as error:
        raise Misuse.of(error) from None


def list_all(ctx: click.Context) -> None:
    """Let the help of `hookd` list all commands."""
    ctx.meta[_ALL] = True


@click.command(
    cls=_Root,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
    Examples:
      hookd start                        start the daemon
      hookd install                      register it with Claude Code
      hookd guard add no-force 'Bash(git push --force *)' --deny 'Open a PR.'
      hookd fleet                        who is doing what
    """,
)
@click.option("--all", is_flag=True, expose_value=False, help="With --help: list all commands.")
@click.version_option(__version__, message="hookd %(version)s")
def main() -> None:
    """One warm daemon for the hooks of coding agents."""
