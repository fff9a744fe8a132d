"""Problems of a hook file: collected once per file and key, and the lines of JSON keys."""

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a file. If it is `fatal`, the value at `key` is ignored."""

    path: str
    key: str
    sentence: str
    fatal: bool = True

    def __str__(self) -> str:
        """Return `path: key: sentence`."""
        return ": ".join(filter(None, (self.path, self.key, self.sentence)))


_MAX_PROBLEMS = 200
"""Maximum problems of one file: a foreign file may contain nothing else."""


class Findings:
    """The first problems of one file, in order."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: dict[Problem, None] = {}

    def did_you_mean(self, name: str, known: Iterable[str]) -> str:
        """Return a suggestion for a name, "" if no more problems are listed."""
        return "" if len(self._found) > _MAX_PROBLEMS else did_you_mean(name, known)

    def _add(self, problem: Problem) -> None:
        if len(self._found) < _MAX_PROBLEMS:
            self._found[problem] = None
        elif len(self._found) == _MAX_PROBLEMS:
            text = "the file has further problems, which are not listed"
            self._found[Problem(self._path, "", text)] = None

    def add_error(self, key: str, sentence: str) -> None:
        """Add a problem because of which the value at `key` is ignored."""
        self._add(Problem(self._path, key, sentence))

    def add_warning(self, key: str, sentence: str) -> None:
        """Add a problem that has no effect on the value."""
        self._add(Problem(self._path, key, sentence, fatal=False))

    def problems(self) -> tuple[Problem, ...]:
        """Return all problems, each once."""
        return tuple(self._found)


def printable(name: str) -> str:
    """Return a name from a file in printable form: quoted, short, on one line."""
    return ascii(name if len(name) <= 60 else name[:57] + "...")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean ...?` with the most similar known name, "" without one."""
    lower = {name.lower(): name for name in known}
    near = get_close_matches(name[:60].lower(), lower, n=1)
    return f"; did you mean `{lower[near[0]]}`?" if near else ""


def json_kind(value: object) -> str:
    """Return the type of a JSON value as text."""
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


def text_problem(text: str) -> str | None:
    """Return why a text cannot be passed to a program, None if it can."""
    if "\0" in text:
        return "must not hold the character NUL"
    # JSON can contain a lone surrogate, which cannot be encoded.
    half = any("\ud800" <= one <= "\udfff" for one in text)
    return "holds one half of a character" if half else None


_TOKEN = lazy_compile(r'"(?>(?:[^"\\]|\\.)*)"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


@dataclass
class _OpenValue:
    """An open object or list: its key, and its next member."""

    key: str
    is_list: bool
    at: int = 0
    name: str | None = None

    @property
    def child(self) -> str:
        if self.is_list:
            return f"{self.key}[{self.at}]"
        return f"{self.key}.{self.name}" if self.key else f"{self.name}"


def key_lines(text: str) -> Mapping[str, int]:
    """Return the line of every key in a valid JSON text: `hooks.Stop[0].hooks[1]`."""
    found = {"": 1}
    opened: list[_OpenValue] = []
    line, before = 1, 0
    for token in _TOKEN.finditer(text):
        line, before = line + text.count("\n", before, token.start()), token.start()
        mark, top = token[0], opened[-1] if opened else None
        if mark in ("}", "]"):
            del opened[-1:]
        elif top is not None and mark == ",":
            top.at, top.name = top.at + 1, None
        elif top is not None and not top.is_list and top.name is None:
            top.name = json.loads(mark, strict=False)
            found.setdefault(top.child, line)
            # Problems name an unknown key in quotes.
            found.setdefault(f"{top.key}.{printable(top.name or '')}", line)
        elif mark != ":":
            key = top.child if top else ""
            found.setdefault(key, line)
            if mark in ("{", "["):
                opened.append(_OpenValue(key, is_list=mark == "["))
    return found


def line_of(found: Mapping[str, int], key: str) -> int:
    """Return the line of a key, else of its nearest existing parent."""
    while key not in found:
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return found[key]
