"""Arguments of a command, classified: flags, operands, words that may be either."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache

from hookd.lazy_dataclass import dataclass
from hookd.programs.catalogue import with_trait
from hookd.shell.quoting import program_name
from hookd.shell.words import UnknownText

_WORDY = with_trait("single-dash")
"""Programs whose long flags begin with a single dash."""

_GLOB = frozenset("*?[")
_NOT_SPELLED = frozenset("*?[=")
_PATTERNS = 1_024
"""Size of the caches about flags of patterns."""

_TREE = {"--recursive": "R"}
_SAME = {
    "rm": {"R": "r", "--recursive": "r", "--force": "f"},
    "cp": {"r": "R", **_TREE, "--force": "f"},
    "mv": {"--force": "f"},
    "ln": {"--force": "f"},
    "chmod": _TREE,
    "chown": _TREE,
    "chgrp": _TREE,
    "git": {"--force": "f"},
    "git push": {"--delete": "d"},
    "git branch": {"--delete": "d", "D": "df", "--move": "m", "M": "mf", "C": "cf"},
    "git commit": {"--no-verify": "n"},
}
"""By program or subcommand: the letters that each flag is another spelling of.

`git push origin +main` forces, too, but by a word that is no flag: it needs its own pattern.
"""

_VALUED = {
    "git branch": "u",
    "git checkout": "bB",
    "git clean": "e",
    "git commit": "mFCctuS",
    "git fetch": "jo",
    "git merge": "mFsXS",
    "git pull": "josXS",
    "git push": "o",
    "git rebase": "sXxCS",
    "git restore": "sU",
    "git stash": "m",
    "git switch": "cC",
    "git tag": "mFu",
    "git worktree": "bB",
}
"""By subcommand: flag letters after which the rest of the word is a value."""


@dataclass(frozen=True)
class Item:
    """A word that is no flag. `optional`: it may be a flag, or the value of the one before it."""

    text: str
    place: int
    hole: UnknownText | None = None
    optional: bool = False

    @property
    def unknown(self) -> bool:
        """Whether the text does not say which word it will be."""
        return self.hole is not None

    @property
    def fixed(self) -> bool:
        """Whether the word is known, apart from the path of the user's home."""
        return self.hole is None or self.hole.spread == "home"

    @property
    def many(self) -> bool:
        """Whether it may become several words, or none."""
        return self.hole is not None and self.hole.spread in ("split", "glob")

    def may_match(self, glob: str) -> bool:
        """Return whether the glob may match the word."""
        if self.hole is None:
            return fnmatchcase(self.text, glob)
        if self.hole.any:
            return True
        head, tail = _fixed_ends(glob)
        starts = self.hole.head.startswith(head) or head.startswith(self.hole.head)
        return starts and (self.hole.tail.endswith(tail) or tail.endswith(self.hole.tail))

    def suggests(self, glob: str) -> bool:
        """Return whether the glob may match the word, and the known part of the word says so."""
        if self.hole is None or glob == "*":
            return self.may_match(glob)
        head, tail = _fixed_ends(glob)
        shown = bool(self.hole.head or not head) and bool(self.hole.tail or not tail)
        return shown and bool(head or tail) and self.may_match(glob)


def _fixed_ends(glob: str) -> tuple[str, str]:
    """Return what every match of a glob begins with, and ends with."""
    return re.split(r"[*?\[]", glob)[0], re.split(r"[*?\]]", glob)[-1]


@dataclass(frozen=True)
class Argv:
    """The words of one command, classified.

    `program` is its name without a folder, `path` as it is written; both are empty if unknown.
    `holes` are unknown words that may be flags. `odd`: assignments precede it, or it is no simple
    command.
    """

    program: str
    path: str
    flags: tuple[tuple[str, int], ...]
    items: tuple[Item, ...]
    holes: tuple[UnknownText, ...] = ()
    odd: bool = False

    @cached_property
    def name(self) -> str:
        """The program's name in lower case, since some file systems ignore case."""
        return self.program.lower()

    @cached_property
    def certain(self) -> "Argv":
        """The same without the unknown words that may be flags."""
        return replace(self, holes=()) if self.holes else self

    def has(self, flag: str) -> bool:
        """Return whether a flag of a pattern is certainly given."""
        if not self.flags:
            return False
        plain = _GLOB.isdisjoint(flag)
        if flag in self._given if plain else any(_is(flag, given) for given, _ in self.flags):
            return True
        if flag.startswith("--") and "=" in flag:
            name, _, value = flag.partition("=")
            return any(True for _ in self.without(name, value))
        return self._spelled(flag, self._letters)

    def has_any(self, flags: tuple[str, ...]) -> bool:
        """Return whether `has` is true of one of the flags."""
        if not self.flags:
            return False
        plain, others = _plain_flags(flags)
        if not plain.isdisjoint(self._given) or any(map(self.has, others)):
            return True
        spellings = _spellings(flags, self._keys, self.program in _WORDY)
        return any(letters <= self._letters for letters in spellings)

    def may_have(self, flag: str) -> bool:
        """Return whether the flag may be given: by an unknown word, or abbreviated."""
        return bool(self.flags or self.holes) and (
            self.has(flag)
            or any(_may_be(hole, flag) for hole in self.holes)
            or any(_shortens(given, flag) for given, _ in self.flags)
            or self._spelled(flag, self._letters | self._shortened)
            or self._may_equal(flag)
        )

    def beyond(self, flags: tuple[str, ...]) -> bool:
        """Return whether flags other than these may be given."""
        letters = set("".join(flag[1:] for flag in flags if not flag.startswith("--")))
        return bool(self.holes) or any(
            given != "--"
            and not any(_is(flag, given) for flag in flags)
            and (given.startswith("--") or self.program in _WORDY or not set(given[1:]) <= letters)
            for given, _ in self.flags
        )

    def without(self, flag: str, value: str) -> Iterator["Argv"]:
        """Yield the words without a value of `flag`, be it separate or joined to the flag."""
        for given, place in self.flags:
            for item in self.items:
                beside = item.place == place + 1 and not item.unknown
                if beside and _ends(flag, given) and fnmatchcase(item.text, value):
                    yield replace(self, items=tuple(i for i in self.items if i is not item))
            if (glued := _glued(flag, given)) and fnmatchcase(glued, value):
                yield self

    @cached_property
    def _given(self) -> frozenset[str]:
        """The flags as they are given, and the long ones without their values."""
        names = (given.partition("=")[0] for given, _ in self.flags if given[:2] == "--")
        long = (name for name in names if len(name) > 2)
        return frozenset((*(given for given, _ in self.flags), *long))

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        """The keys of the tables of letters that apply: of the program, of its subcommand."""
        keys = self.name, f"{self.name} {self.items[0].text if self.items else ''}"
        return tuple(key for key in keys if key in _SAME or key in _VALUED)

    @cached_property
    def _letters(self) -> set[str]:
        wordy = self.program in _WORDY
        given_letters = (_letters_of(given, self._keys, wordy) for given, _ in self.flags)
        return {letter for letters in given_letters for letter in letters}

    @cached_property
    def _shortened(self) -> set[str]:
        """The letters that a given flag may be an abbreviation of."""
        return {
            letter
            for name, letters in _same_of(self._keys).items()
            if any(_shortens(given, name) for given, _ in self.flags)
            for letter in letters
        }

    def _spelled(self, flag: str, letters: set[str]) -> bool:
        """Return whether these letters are another spelling of the flag of a pattern."""
        if not _NOT_SPELLED.isdisjoint(flag):
            return False
        letters_of_flag = _letters_of_pattern(flag, self._keys, self.program in _WORDY)
        return bool(letters_of_flag) and letters_of_flag <= letters

    def _may_equal(self, flag: str) -> bool:
        """Return whether an unknown word may be the value in `--name=value`."""
        name, equals, _ = flag.partition("=")
        return bool(equals) and any(
            given == name and item.unknown and item.place == place + 1
            for given, place in self.flags
            for item in self.items
        )


@lru_cache(maxsize=64)
def _same_of(keys: tuple[str, ...]) -> Mapping[str, str]:
    return {name: to for key in keys for name, to in _SAME.get(key, {}).items()}


def _letters_of(flag: str, keys: tuple[str, ...], wordy: bool) -> frozenset[str]:
    """Return the letters that a flag means; `wordy`: long flags may begin with a single dash."""
    name = flag.partition("=")[0]
    if name.startswith("--"):
        return frozenset(_same_of(keys).get(name, ""))
    if wordy:
        return frozenset()
    valued = "".join(_VALUED.get(key, "") for key in keys)
    letters = re.split(f"(?<=[{valued}])", name[1:], maxsplit=1)[0] if valued else name[1:]
    same = _same_of(keys)
    return frozenset(to for letter in letters for to in same.get(letter, letter))


_letters_of_pattern = lru_cache(maxsize=_PATTERNS)(_letters_of)
"""The same for a flag of a pattern, of which there are few; a given flag may be any text."""


@lru_cache(maxsize=_PATTERNS)
def _plain_flags(flags: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the flags that are compared as texts, and those with a glob or a value."""
    others = tuple(
        flag for flag in flags if not _GLOB.isdisjoint(flag) or ("=" in flag and flag[:2] == "--")
    )
    return frozenset(flags) - frozenset(others), others


@lru_cache(maxsize=_PATTERNS)
def _spellings(
    flags: tuple[str, ...], keys: tuple[str, ...], wordy: bool
) -> tuple[frozenset[str], ...]:
    """Return the letters of each flag of a pattern that may be spelled by letters."""
    spelled = (flag for flag in flags if _NOT_SPELLED.isdisjoint(flag))
    return tuple(filter(None, (_letters_of(flag, keys, wordy) for flag in spelled)))


def argv_of(words: tuple[str, ...], unknown: Sequence[UnknownText], *, exact: bool) -> Argv:
    """Classify the words of a command; `unknown` are those that the text does not determine."""
    if not unknown:
        return _plain_argv(words, exact=exact)
    holes = {hole.at: hole for hole in unknown}
    flags: list[tuple[str, int]] = []
    items: list[Item] = []
    unsure: list[UnknownText] = []
    may_be: set[int] = set()
    ended = after = False
    for place in range(1, max([len(words), *(at + 1 for at in holes)])):
        text = words[place] if place < len(words) else ""
        hole = holes.get(place)
        start = text if hole is None else hole.head
        is_flag = not ended and start[:1] == "-" and len(start) > 1
        if hole is not None and not ended and (not start or start[0] == "-" or hole.any):
            unsure.append(hole)
            may_be.add(place)
        if is_flag:
            flags.append((start, place))
        else:
            items.append(Item(text, place, hole, optional=after or place in may_be))
        ended = ended or text == "--"
        after = is_flag and "=" not in start
    path = words[0] if words and 0 not in holes else ""
    odd = not exact and not holes
    return Argv(_program(words, holes.get(0)), path, tuple(flags), tuple(items), tuple(unsure), odd)


def _plain_argv(words: tuple[str, ...], *, exact: bool) -> Argv:
    """Classify the words of a command that are all known."""
    flags: list[tuple[str, int]] = []
    items: list[Item] = []
    ended = after = False
    for place, text in enumerate(words[1:], 1):
        is_flag = not ended and text[:1] == "-" and len(text) > 1
        if is_flag:
            flags.append((text, place))
        else:
            items.append(Item(text, place, None, after))
        ended = ended or text == "--"
        after = is_flag and "=" not in text
    path = words[0] if words else ""
    return Argv(_program(words, None), path, tuple(flags), tuple(items), (), not exact)


def _program(words: tuple[str, ...], hole: UnknownText | None) -> str:
    if hole is None and not words:
        return ""
    if hole is None:
        return program_name(words[0])
    # A path that ends in a name is sufficient, as long as it is one word.
    return hole.tail.rpartition("/")[2] if "/" in hole.tail and hole.spread in ("", "home") else ""


def _is(flag: str, given: str) -> bool:
    """Return whether `given` is the flag of a pattern, with or without a value."""
    if given == flag:
        return True
    long = flag.startswith("--") and len(flag) > 2
    name = given.partition("=")[0] if long else given
    if _GLOB.isdisjoint(flag):
        return name == flag
    return fnmatchcase(given, flag) or (long and fnmatchcase(name, flag))


def _glued(flag: str, given: str) -> str:
    """Return the value that `given` contains for `flag`: of `--name=value` or `-nvalue`."""
    if flag.startswith("--"):
        name, _, value = given.partition("=")
        return value if name == flag else ""
    return "" if given.startswith("--") else given[1:].partition(flag[1:])[2]


def _ends(flag: str, given: str) -> bool:
    """Return whether the word after `given` may be the value of `flag`."""
    if flag.startswith("--") or given.startswith("--"):
        return flag == given
    return set(flag[1:]) <= set(given[1:])


def _shortens(given: str, flag: str) -> bool:
    name = given.partition("=")[0]
    full = flag.partition("=")[0]
    return name.startswith("--") and len(name) > 2 and name != full and full.startswith(name)


def _may_be(hole: UnknownText, flag: str) -> bool:
    if hole.any:
        return True
    if flag.startswith("--"):
        return flag.startswith(hole.head) and flag.endswith(hole.tail)
    return (
        re.fullmatch(r"(?:-\w*)?", hole.head) is not None
        and re.fullmatch(r"\w*", hole.tail) is not None
    )
