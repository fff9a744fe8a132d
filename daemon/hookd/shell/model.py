"""Home of what a reading of a shell text finds: simple commands, files opened, what is given."""

from typing import NamedTuple

from hookd.shell.success_dependencies import Reach
from hookd.shell.words import Word


class CommandRun(NamedTuple):
    """A simple command; `assigned`: assignments stand before it.

    `straight`: the shell itself runs it, once, before all that follows. `through` are the programs
    that run it, the outermost first. `stdin` is what it may read as its input, as far as known.
    `reach` is set for a command that stands in the text itself, not in a text inside it.
    """

    words: tuple[Word, ...]
    assigned: bool
    unconditional: bool = False
    wrappers: tuple[str, ...] = ()
    stdin: tuple[Word, ...] = ()
    reach: Reach | None = None


class Redirect(NamedTuple):
    """A file that is opened for a command: `>`, `>>`, `<`, `&>`, ... and where it leads.

    `text` is what the command writes there, where that is known.
    """

    operator: str
    target: Word
    text: str | None = None


class Given(NamedTuple):
    """What a text is read with: what it may find on its input, and which programs run it."""

    stdin: tuple[Word, ...] = ()
    through: tuple[str, ...] = ()
