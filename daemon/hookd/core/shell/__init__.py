"""Home of reading bash: the simple commands that a text really runs, or why that is not known."""

import re
from dataclasses import dataclass, field

from hookd.core.shell.walk import Reading, Run
from hookd.core.shell.words import MANY, Spread

LIMIT = 65_536
"""Characters; a longer command is not parsed."""

_ODD = re.compile("[\0\ufffd\ud800-\udfff]")
_ODDITIES = {"\0": "a NUL", "\ufffd": "a sign that was no UTF-8"}


@dataclass(frozen=True)
class Hole:
    """A word that is not known from the text.

    `at` is its place; behind the last word it means that any words may follow.
    `head` and `tail` are the known text around the unknown, `spread` says what it may become.
    """

    at: int
    head: str = ""
    tail: str = ""
    spread: Spread = ""

    @property
    def any(self) -> bool:
        """Whether it may be any number of any words."""
        return self.spread == "split"


@dataclass(frozen=True)
class Command:
    """One simple command.

    `words` are the program and its arguments without quotes; a word that is not known from the
    text keeps its source, and a hole tells of it. `exact` is False when there is a hole, or when
    assignments stand before the command.
    """

    words: tuple[str, ...]
    exact: bool
    holes: tuple[Hole, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Shell:
    """What a text runs.

    `commands` are all the simple commands that it may run, nested ones included. `lone` is set if
    the whole text is one simple command of literal words, and nothing else. `plain` is False if
    the text does more than to run its commands: assigns a variable, defines a function, writes a
    file.
    """

    commands: tuple[Command, ...]
    unreadable: str | None
    lone: Command | None
    plain: bool = True


def read(text: str) -> Shell:
    """Read a command line of bash. Never raises: what cannot be read has a reason."""
    if len(text) > LIMIT:
        return Shell((), f"it is longer than {LIMIT} characters", None, plain=False)
    if odd := _ODD.search(text):
        return Shell((), f"it holds {_ODDITIES.get(odd[0], 'a lone surrogate')}", None, plain=False)
    reading = Reading(text)
    commands = tuple(map(_command, reading.runs))
    reason = reading.reasons[0] if reading.reasons else None
    single = reading.alone and reason is None and commands and commands[0].exact
    lone = commands[0] if single else None
    return Shell(commands, reason, lone, reading.plain and reason is None)


def _command(run: Run) -> Command:
    holes = tuple(
        Hole(at, word.head, word.tail, word.spread)
        for at, word in enumerate(run.words)
        if not word.known
    )
    words = tuple(word.text for word in run.words if word is not MANY)
    return Command(words, not holes and not run.assigned, holes)
