"""The man page hookd(1), made from the help of all commands."""

import inspect
from collections.abc import Iterable, Iterator

import click

from hookd import __version__
from hookd.cli import COMMANDS, GROUPS, main

_DATE = "2026-01-31"
"""Date in the footer. It is fixed: the page of one source is the same on each day."""

_NOTE = '.\\" Made by docs/generate.py from the help of the commands: run `make docs`.'

_FILES = (
    ("~/.config/hookd/settings.json", "your settings"),
    (".hookd/settings.json, .hookd/settings.local.json", "settings of a project"),
    (".hookd/rules.yaml", "guard rules of a project"),
    ("~/.local/state/hookd/hookd.db", "the database"),
    ("~/.local/state/hookd/hookd.log", "the daemon's log"),
    ("~/.local/share/hookd/shims", "the programs that hooks start"),
)
_EXITS = (
    ("0", "The command did what it says."),
    ("1", "It failed: one sentence on standard error says why, and the next step."),
    ("2", "The arguments are wrong."),
    ("3", "hookd status: the daemon does not run."),
    ("130", "Ctrl-C ended it."),
)


def escaped(text: str) -> str:
    r"""Return a text as roff prints it: ASCII, with no request at the beginning of a line.

    >>> escaped(".hookd -n")
    '\\&.hookd \\-n'
    """
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    text = text.replace("~", "\\(ti").replace("^", "\\(ha").replace('"', "\\(dq")
    text = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in text)
    return "\n".join(f"\\&{line}" if line.startswith(".") else line for line in text.split("\n"))


def _section(macro: str, title: str, body: Iterable[str]) -> Iterator[str]:
    """Yield a section; a paragraph's macro directly after its title would be ignored."""
    yield f'{macro} "{escaped(title)}"'
    for number, line in enumerate(body):
        if number or line != ".PP":
            yield line


def page(environment: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of the page. `environment` has the variables and what they mean."""
    yield from (_NOTE, f'.TH HOOKD 1 "{_DATE}" "hookd {__version__}" "User Commands"')
    yield from (".SH NAME", "hookd \\- one warm daemon for the hooks of coding agents")
    yield from (".SH SYNOPSIS", ".B hookd", "COMMAND [ARGS]...")
    yield from _section(".SH", "DESCRIPTION", _paragraphs(_ABOUT))
    yield ".SH COMMANDS"
    for group in GROUPS:
        rows = [(name, sentence) for name, (of, _, sentence) in COMMANDS.items() if of == group]
        yield from _section(".SS", group, _terms(rows))
    for group in GROUPS:
        yield f'.SH "COMMANDS: {group.upper()}"'
        for name, (of, _, _) in COMMANDS.items():
            if of == group:
                yield from _command(_context(name))
    yield from _section(".SH", "ENVIRONMENT", _terms(environment))
    yield from _section(".SH", "FILES", _terms(_FILES))
    yield from _section(".SH", "EXIT STATUS", _terms(_EXITS))
    yield from (".SH SEE ALSO", "claude(1), tmux(1), sqlite3(1)")


_ABOUT = """hookd decides on the hooks of Claude Code: guards, your own rules, logging discipline,
handovers between sessions, and a board of all agents. `hookd help COMMAND` explains a command.

The former names events, hooks, policies and agents of commands keep working."""


def _context(name: str) -> click.Context:
    top = click.Context(main, info_name="hookd", **main.context_settings)
    command = main.get_command(top, name)  # type: ignore[attr-defined]
    return click.Context(command, info_name=name, parent=top)


def _command(context: click.Context) -> Iterator[str]:
    """Yield a command's usage, help, options and examples, and those of its subcommands."""
    command = context.command
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    yield from _section(".SS", usage, _paragraphs(command.help or ""))
    options = (one for one in command.params if isinstance(one, click.Option))
    yield from _terms(record for one in options if (record := one.get_help_record(context)))
    yield from _paragraphs(command.epilog or "")
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _command(click.Context(below, info_name=name, parent=context))


def _terms(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a list of terms, each with what it means."""
    for term, meaning in rows:
        yield from (".TP", f".B {escaped(term)}", escaped(" ".join(meaning.split())) or "\\&")


def _paragraphs(text: str) -> Iterator[str]:
    r"""Yield the paragraphs of a help; one after `\b` keeps its lines."""
    for paragraph in filter(None, inspect.cleandoc(text).split("\n\n")):
        lines = paragraph.split("\n")
        if lines[0].strip() != "\b":
            yield from (".PP", escaped(" ".join(paragraph.split())))
            continue
        title, *rest = inspect.cleandoc("\n".join(lines[1:])).split("\n")
        if not title.startswith(" ") and title.endswith(":"):
            yield from (".PP", escaped(title))
        else:
            rest = [title, *rest]
        yield from (".RS 4", ".nf", *map(escaped, rest), ".fi", ".RE")
