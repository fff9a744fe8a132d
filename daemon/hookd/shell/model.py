"""Intermediate results of reading a shell text: commands, redirections, input."""

from typing import NamedTuple

from hookd.shell.success_dependencies import Reach
from hookd.shell.words import Word


class CommandRun(NamedTuple):
    """A simple command; `assigned`: assignments precede it.

    `unconditional`: the shell itself runs it, once, before everything after it. `wrappers` are the
    programs that run it, the outermost first. `stdin` is its possible input, as far as known.
    `reach` is set for a command of the text itself, not for one of a text inside it.
    """

    words: tuple[Word, ...]
    assigned: bool
    unconditional: bool = False
    wrappers: tuple[str, ...] = ()
    stdin: tuple[Word, ...] = ()
    reach: Reach | None = None


class Redirect(NamedTuple):
    """A file that is opened for a command: `>`, `>>`, `<`, `&>`, ... and its path.

    `text` is what the command writes there, if known, `naming` are the words of the commands whose
    output it is and that name the same file.
    """

    operator: str
    target: Word
    text: str | None = None
    naming: tuple[tuple[str, ...], ...] = ()


class TextContext(NamedTuple):
    """The context of a text: its possible input, and the programs that run it."""

    stdin: tuple[Word, ...] = ()
    wrappers: tuple[str, ...] = ()
