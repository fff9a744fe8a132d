"""Reads shell command lines: the simple commands that they run, or why unknown."""

from dataclasses import field
from functools import cached_property, lru_cache

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.shell.argv import Argv, argv_of
from hookd.shell.expand import Reading
from hookd.shell.model import CommandRun
from hookd.shell.success_dependencies import Reach
from hookd.shell.words import ANY_WORDS, UnknownText, Word

LIMIT = 65_536
"""Characters; a longer command is not parsed."""

_CACHE_SIZE = 16
"""Size of the cache of readings: several rules need the same one."""

_ODD = lazy_compile("[\0\ufffd\ud800-\udfff]")
_NEVER_RUN = lazy_compile(r"(?>(?:[ \t]*+(?:#[^\n]*+)?\n)*)[ \t]*+&[ \t]")
"""The beginning of a text that no shell runs: PowerShell's operator of calls."""

_ODDITIES = {"\0": "a NUL", "\ufffd": "an invalid UTF-8 sequence"}


@dataclass(frozen=True)
class Command:
    """One simple command.

    `words` are the program and its arguments without quotes; an unknown word keeps its source, and
    `holes` lists it. `exact` is False if a word is unknown, or if assignments precede the command.

    `unconditional`: the shell itself runs it, once, before everything after it. `wrappers` are the
    programs that run it, the outermost first: `sudo`, `xargs`, `sh`. `stdin` are the texts of its
    input, verbatim; `piped_input` is True if another program, or a partly unknown text, is its
    input. `reach` says which commands depend on its success; None within another text.
    """

    words: tuple[str, ...]
    exact: bool
    holes: tuple[UnknownText, ...] = field(default=(), compare=False)
    unconditional: bool = field(default=False, compare=False)
    wrappers: tuple[str, ...] = field(default=(), compare=False)
    stdin: tuple[str, ...] = field(default=(), compare=False)
    piped_input: bool = field(default=False, compare=False)
    reach: Reach | None = field(default=None, compare=False)

    @cached_property
    def argv(self) -> Argv:
        """Its words, classified as flags and others."""
        return argv_of(self.words, self.holes, exact=self.exact)

    @cached_property
    def line(self) -> str:
        """Its words as one line, for people."""
        return " ".join(self.words)


@dataclass(frozen=True)
class Redirect:
    """A file that is opened: `operator` is `>`, `>>`, `<`, `&>`, ...; `hole`: an unknown path.

    `text` is what is written to it, as far as known; "" empties it. `naming` are the words of the
    commands whose output empties the file, and that name the same file.
    """

    operator: str
    path: str
    hole: UnknownText | None = None
    text: str | None = field(default=None, compare=False)
    naming: tuple[tuple[str, ...], ...] = field(default=(), compare=False)

    @property
    def writes(self) -> bool:
        """Whether the file is written."""
        if self.operator == ">&" and self._copies:
            return False
        return self.operator[:1] in (">", "&") or self.operator == "<>"

    @property
    def _copies(self) -> bool:
        return self.path.isdigit() or self.path == "-"


@dataclass(frozen=True, eq=False)
class Shell:
    """The commands and redirections of a text; compared by identity, so that it is a cheap key.

    `commands` are all the simple commands that it may run, nested ones included. `single` is set if
    the whole text is one simple command of literal words, and nothing else. `side_effect_free` is
    False if the text does more than run its commands: assigns a variable, defines a function,
    writes a file. `redirects` are the files that are opened for its commands.
    """

    commands: tuple[Command, ...]
    unreadable: str | None
    single: Command | None
    side_effect_free: bool = True
    redirects: tuple[Redirect, ...] = ()


def read(text: str) -> Shell:
    """Read a bash command line. Never raises: `unreadable` says why a text cannot be read."""
    return _read(text) if len(text) <= LIMIT else _TOO_LONG


_TOO_LONG = Shell((), f"it is longer than {LIMIT} characters", None, side_effect_free=False)


@lru_cache(maxsize=_CACHE_SIZE)
def _read(text: str) -> Shell:
    if _NEVER_RUN.match(text):
        return Shell((), None, None)
    if odd := _ODD.search(text):
        return Shell(
            (),
            f"it contains {_ODDITIES.get(odd[0], 'a lone surrogate')}",
            None,
            side_effect_free=False,
        )
    reading = Reading(text)
    commands = tuple(map(_command, reading.runs))
    reason = reading.reasons[0] if reading.reasons else None
    single = reading.alone and reason is None and commands and commands[0].exact
    lone = commands[0] if single else None
    redirects = tuple(
        Redirect(
            redirect.operator,
            redirect.target.text,
            _hole(0, redirect.target),
            redirect.text,
            redirect.naming,
        )
        for redirect in reading.redirects
    )
    return Shell(commands, reason, lone, reading.plain and reason is None, redirects)


def _command(run: CommandRun) -> Command:
    unknown = (_hole(at, word) for at, word in enumerate(run.words))
    holes = tuple(hole for hole in unknown if hole is not None)
    words = tuple(word.text for word in run.words if word is not ANY_WORDS)
    return Command(
        words,
        not holes and not run.assigned,
        holes,
        run.unconditional,
        run.wrappers,
        stdin=tuple(word.text for word in run.stdin if word.known or word.text),
        piped_input=any(not word.known for word in run.stdin),
        reach=run.reach,
    )


def _hole(at: int, word: Word) -> UnknownText | None:
    return None if word.known else UnknownText(at, word.head, word.tail, word.spread)
