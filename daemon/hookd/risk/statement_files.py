"""Files of statements that a database's client runs: `psql -f x.sql`, `mysql app < x.sql`.

A file that the same text writes is read in the text. Of another one the guard reads the content on
the disk, as far as it is in the project.
"""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import flags_of, with_trait
from hookd.risk.execution import placed_commands
from hookd.risk.generated_files import files_written_by
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.path_areas import paths
from hookd.shell.argv import Item
from hookd.shell.commands import Command, Shell

CLIENTS = with_trait("runs-statements")
"""Programs whose input, or a file of which, is statements for a database."""

_FLAGS = flags_of(lambda program: program.scripts)
_STATED = flags_of(lambda program: program.statements)
_INCLUDED = lazy_compile(r"(?:^|[\s;])(?:\\ir?|\\\.|\.read|source|SOURCE|@@?)\s*([\w./~-]+)")
r"""A file that a command of the client itself reads: `\i x.sql`, `.read x.sql`, `source x.sql`."""

_SCRIPT = lazy_compile(r".+\.(?:js|cypher|cql)")
_MAX_FILES = 4
"""Maximum files of one text that are read."""


def statement_files(shell: Shell, place: CallContext) -> tuple[str, ...]:
    """Return the absolute paths of the files whose statements a text runs, as far as known."""
    if not any(command.argv.name in CLIENTS for command in shell.commands):
        return ()
    written = files_written_by(shell)
    found: dict[str, None] = {}
    for placed in placed_commands(shell, place):
        if placed.command.argv.name in CLIENTS:
            folder = placed.folders[0] if placed.where == "here" else None
            call = CommandCall(placed.command, replace(place, cwd=folder))
            for item in (*files_of(call), *_fed(shell, call)):
                if posixpath.basename(item.text) not in written:
                    found.update(dict.fromkeys(paths(item, call.context)))
    return tuple(found)[:_MAX_FILES]


def files_of(call: CommandCall) -> Iterator[Item]:
    """Yield the files that the words of a client name."""
    yield from call.values(*_FLAGS.get(call.program, ()))
    for item in call.items:
        if _SCRIPT.fullmatch(item.text):
            yield item
    for at, word in enumerate(call.command.words[1:], 1):
        yield from (Item(match[1], at) for match in _INCLUDED.finditer(word))


def _fed(shell: Shell, call: CommandCall) -> Iterator[Item]:
    """Yield the files that may be the input of a client: after `<`, or printed by cat."""
    if reads_input(call):
        for redirect in shell.redirects:
            if redirect.operator == "<":
                yield Item(redirect.path, 0, redirect.hole)
        for command in shell.commands if call.command.piped_input else ():
            if command.argv.name == "cat":
                yield from command.argv.items


def reads_input(call: CommandCall) -> bool:
    """Return whether a client may read statements from its input: it is given none in a flag."""
    return not call.has(*_STATED.get(call.program, ())) and not any(files_of(call))


_KEEPS = ("--skip-add-drop-table", "--no-create-info", "-t", "--no-data", "-d", "--skip-opt")


def _printed(command: Command) -> str:
    """Return a statement like those that a program prints; empty if it prints none of harm."""
    name, words = command.argv.name, command.words
    if "sqlflush" in words:
        return "TRUNCATE TABLE all_tables;"
    dumps = name in ("mysqldump", "mariadb-dump") and set(words).isdisjoint(_KEEPS)
    cleans = name in ("pg_dump", "pg_dumpall") and command.argv.has_any(("-c", "--clean"))
    return "CREATE OR REPLACE TABLE all_tables (id int);" if dumps or cleans else ""


def with_written_statements(shell: Shell) -> Shell:
    """Return a text whose clients have, as their input, the files that it writes before."""
    if not any(command.argv.name in CLIENTS for command in shell.commands):
        return shell
    written = files_written_by(shell)
    if not written and not any(map(_printed, shell.commands)):
        return shell
    return replace(
        shell, commands=tuple(_with_input(command, shell, written) for command in shell.commands)
    )


def _with_input(command: Command, shell: Shell, written: Mapping[str, tuple[str, ...]]) -> Command:
    if command.argv.name not in CLIENTS:
        return command
    call = CommandCall(command, CallContext())
    files = (posixpath.basename(item.text) for item in (*files_of(call), *_fed(shell, call)))
    texts = tuple(text for name in dict.fromkeys(files) for text in written.get(name, ()))
    if command.piped_input:
        texts += tuple(filter(None, map(_printed, shell.commands)))
    return replace(command, stdin=(*command.stdin, *texts)) if texts else command
