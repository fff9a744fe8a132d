"""The home of what is wrong with a file of hooks: said once, by file and key."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. Where it is `fatal`, what stands at `key` does not hold."""

    path: str
    key: str
    sentence: str
    fatal: bool = True

    def __str__(self) -> str:
        """Return it as a person reads it."""
        return ": ".join(filter(None, (self.path, self.key, self.sentence)))


_MOST = 200
"""Problems of one file that are told: it may be a stranger's, and be made of nothing else."""


class Findings:
    """The problems of one file, in the order in which they are found: the first ones."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: dict[Problem, None] = {}

    def near(self, name: str, known: Iterable[str]) -> str:
        """Return the words that name the most similar one, as long as anybody is told."""
        return "" if len(self._found) > _MOST else nearest(name, known)

    def _add(self, problem: Problem) -> None:
        if len(self._found) < _MOST:
            self._found[problem] = None
        elif len(self._found) == _MOST:
            said = "more is wrong with the file than is told"
            self._found[Problem(self._path, "", said)] = None

    def wrong(self, key: str, sentence: str) -> None:
        """Add what keeps the thing at `key` from holding."""
        self._add(Problem(self._path, key, sentence))

    def note(self, key: str, sentence: str) -> None:
        """Add what should be looked at, and does no harm."""
        self._add(Problem(self._path, key, sentence, fatal=False))

    def problems(self) -> tuple[Problem, ...]:
        """Return all of them, each once."""
        return tuple(self._found)


def shown(name: str) -> str:
    """Return a name that somebody wrote as it can be printed: short, and on one line."""
    return ascii(name if len(name) <= 60 else name[:57] + "...")


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the words that name the most similar one that there is, or none."""
    lower = {one.lower(): one for one in known}
    near = get_close_matches(name[:60].lower(), lower, n=1)
    return f"; did you mean `{lower[near[0]]}`?" if near else ""


def kind(value: object) -> str:
    """Return what a value of JSON is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    words: tuple[tuple[type, str], ...] = (
        (str, "text"),
        (list, "a list"),
        (dict, "an object"),
    )
    return next((word for one, word in words if isinstance(value, one)), "a number")


def unsound(text: str) -> str | None:
    """Return what is wrong with a text that no program could be given, None where all is well."""
    if "\0" in text:
        return "must not hold the character NUL"
    # JSON can name one half of a character, which no encoding can hold.
    half = any("\ud800" <= one <= "\udfff" for one in text)
    return "holds one half of a character" if half else None
