"""Commands that a text keeps in a variable and runs by its name: `C="rm -rf $HOME/x"; $C`.

A value that is partly unknown, or assigned in a loop or a condition, is no value that the reader
puts into a word; as a command it is judged anyway.
"""

from collections.abc import Iterator, Sequence

from hookd.lazy_pattern import lazy_compile
from hookd.shell.words import Word
from hookd.shell.wrappers import Inner

_NAME = lazy_compile(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})")
_PROGRAM = lazy_compile(r"\s*[\w./+-]+\s")
_MAX_VALUES = 4
"""Values of one variable that are kept."""


class KeptCommands:
    """The commands that variables of a text contain."""

    def __init__(self) -> None:
        self._values: dict[str, list[Word]] = {}

    def keep(self, name: str, value: Word) -> None:
        """Record an assigned value, if it begins with the name of a program."""
        if value.known or _PROGRAM.match(value.head):
            values = self._values.setdefault(name, [])
            if value.text.strip() and len(values) < _MAX_VALUES:
                values.append(value)

    def run_by(self, words: Sequence[Word]) -> Iterator[Inner]:
        """Yield the texts that a command runs whose program is a variable with a command."""
        match = _NAME.fullmatch(words[0].text) if words and not words[0].known else None
        for value in self._values.get(match[1] or match[2], ()) if match else ():
            yield Inner("script", (value, *words[1:]), guess=True)
