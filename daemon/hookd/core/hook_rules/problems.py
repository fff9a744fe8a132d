"""The home of what is wrong with a file of hooks: said once, by file and key."""

import json
import re
from collections.abc import Iterable, Mapping
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


_MAX_PROBLEMS = 200
"""Problems of one file that are told: it may be a stranger's, and be made of nothing else."""


class Findings:
    """The problems of one file, in the order in which they are found: the first ones."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: dict[Problem, None] = {}

    def did_you_mean(self, name: str, known: Iterable[str]) -> str:
        """Return the words that name the most similar one, as long as anybody is told."""
        return "" if len(self._found) > _MAX_PROBLEMS else did_you_mean(name, known)

    def _add(self, problem: Problem) -> None:
        if len(self._found) < _MAX_PROBLEMS:
            self._found[problem] = None
        elif len(self._found) == _MAX_PROBLEMS:
            said = "more is wrong with the file than is told"
            self._found[Problem(self._path, "", said)] = None

    def add_error(self, key: str, sentence: str) -> None:
        """Add what keeps the thing at `key` from holding."""
        self._add(Problem(self._path, key, sentence))

    def add_warning(self, key: str, sentence: str) -> None:
        """Add what should be looked at, and does no harm."""
        self._add(Problem(self._path, key, sentence, fatal=False))

    def problems(self) -> tuple[Problem, ...]:
        """Return all of them, each once."""
        return tuple(self._found)


def printable(name: str) -> str:
    """Return a name that somebody wrote as it can be printed: short, and on one line."""
    return ascii(name if len(name) <= 60 else name[:57] + "...")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the words that name the most similar one that there is, or none."""
    lower = {one.lower(): one for one in known}
    near = get_close_matches(name[:60].lower(), lower, n=1)
    return f"; did you mean `{lower[near[0]]}`?" if near else ""


def json_kind(value: object) -> str:
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


def text_problem(text: str) -> str | None:
    """Return what is wrong with a text that no program could be given, None where all is well."""
    if "\0" in text:
        return "must not hold the character NUL"
    # JSON can name one half of a character, which no encoding can hold.
    half = any("\ud800" <= one <= "\udfff" for one in text)
    return "holds one half of a character" if half else None


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


@dataclass
class _OpenValue:
    """An object or a list that has begun: its key, and what of it comes next."""

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
            # What nobody knows is named in quotes where something is wrong with it.
            found.setdefault(f"{top.key}.{printable(top.name or '')}", line)
        elif mark != ":":
            key = top.child if top else ""
            found.setdefault(key, line)
            if mark in ("{", "["):
                opened.append(_OpenValue(key, is_list=mark == "["))
    return found


def line_of(found: Mapping[str, int], key: str) -> int:
    """Return the line of a key, or that of the nearest one above it which is there."""
    while key not in found:
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return found[key]
