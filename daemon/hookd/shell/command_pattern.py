"""Patterns over one simple command: a program, its flags, its other words.

The first word is a glob for the program: for its name, or for its path if the glob has a slash.
Words that begin with `-` are flags, which must all be present, in any place and order: `-rf`
matches `-fr` and `-r -f`, `--force` matches `--force=x`, and for some programs other spellings,
such as `-f`. The other words are globs for the operands of the command, in their order; a `*` at
the end means any number of words, and `git push:*` is an older way to write `git push *`.
"""

import posixpath
import shlex
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.shell.argv import Argv, Item

_FOLDERS = frozenset({"", "/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin"})
"""Folders where a program is certainly what its name says; "": found by PATH."""

_OPERATORS = lazy_compile(r"\|\|?|&&?|\|&|[0-9&]*[<>].*")

_SIGNS = frozenset("+:-^~!@=")
"""Prefixes of words with a further meaning: `+main` forces a push."""


@dataclass(frozen=True)
class CommandPattern:
    """One reading of a pattern.

    `open`: any words may follow. `long`: the last glob ends in `*`, which a guard extends over
    further words too. `pairs` are flags and the words right after them: perhaps their values.
    """

    program: str
    flags: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    open: bool = False
    long: bool = False
    pairs: tuple[tuple[str, int], ...] = ()

    def hits(self, words: Argv) -> bool:
        """Return whether the command certainly matches."""
        return self._is_program(words, sure=True) and any(
            form._fits(rest) for form, rest in self._readings(words)
        )

    def may_hit(self, words: Argv) -> bool:
        """Return whether the command may match, but does not certainly.

        A pattern for any program would otherwise be in doubt about each command with a variable:
        of such a command, the known part of a word must suggest a match.
        """
        if not self._is_program(words, sure=False) or self.hits(words):
            return False
        if self.program == "*" and words.program:
            return all(map(words.has, self.flags)) and self._may_fit(words.items, suggested=True)
        return not words.program or (
            all(words.may_have(flag) for flag in self.flags) and self._may_fit(words.items)
        )

    def covers(self, words: Argv, *, strictly: bool = False) -> bool:
        """Return whether the command matches in every part: no flag or word is left over."""
        more = words.items[len(self.globs) :]
        return (
            not words.odd
            and ("/" in self.program or posixpath.dirname(words.path) in _FOLDERS)
            and self._is_program(words, sure=True)
            and all(words.has(flag) for flag in self.flags)
            and bool(words.path)
            and self._aligned(words.items, more=self.open)
            and not any(map(_climbs_through, words.items, self.globs))
            and ((self.open and not strictly) or not words.beyond(self.flags))
            and not (strictly and any(map(_is_more_than_a_name, more)))
        )

    def _is_program(self, words: Argv, *, sure: bool) -> bool:
        if not words.program or ("/" in self.program and not words.path):
            return not sure or self.program == "*"
        if "/" in self.program:
            return fnmatchcase(posixpath.normpath(words.path), self.program)
        # A file system that ignores case runs RM as rm.
        return fnmatchcase(words.program, self.program) or (
            not sure and fnmatchcase(words.program.lower(), self.program.lower())
        )

    def _fits(self, words: Argv) -> bool:
        return all(words.has(flag) for flag in self.flags) and self._aligned(
            words.items, more=self.open or self.long
        )

    def _aligned(self, items: tuple[Item, ...], *, more: bool) -> bool:
        if len(items) < len(self.globs) or (len(items) > len(self.globs) and not more):
            return False
        return all(
            glob == "*" if item.unknown else fnmatchcase(item.text, glob)
            for item, glob in zip(items, self.globs, strict=False)
        )

    def _may_fit(self, items: tuple[Item, ...], *, suggested: bool = False) -> bool:
        """Return whether some reading of the items fits: unknown words may be many, or flags.

        If it must be `suggested`, an unknown word is what its known part suggests, or no word.
        """
        end, reached = len(self.globs), {0}
        for item in items:
            after = set(reached) if item.optional or (suggested and item.unknown) else set()
            for at in reached:
                fits = item.suggests if suggested else item.may_match
                if at < end and fits(self.globs[at]):
                    after.add(at + 1)
                if at == end and (self.open or self.long):
                    after.add(at)
                if item.many and not suggested:
                    after |= set(range(at, end + 1))
            reached = after
        return end in reached

    def _readings(self, words: Argv) -> Iterator[tuple["CommandPattern", Argv]]:
        """Yield the pattern, and then without each flag whose value the command gives elsewhere."""
        yield self, words
        for flag, at in self.pairs:
            for rest in words.without(flag, self.globs[at]):
                globs = self.globs[:at] + self.globs[at + 1 :]
                flags = tuple(other for other in self.flags if other != flag)
                yield replace(self, flags=flags, globs=globs, pairs=()), rest


def _climbs_through(item: Item, glob: str) -> bool:
    """Return whether the path leaves, by `..`, the folder that a glob for it names."""
    return ".." in item.text.split("/") and ".." not in glob.split("/")


def _is_more_than_a_name(item: Item) -> bool:
    return item.unknown or item.text[:1] in _SIGNS or ".." in item.text.split("/")


def command_patterns(glob: str) -> tuple[CommandPattern, ...]:
    """Parse a pattern over commands into its readings. ValueError if it can match no command."""
    if not glob.endswith(":*"):
        return (_pattern(glob),)
    prefix = glob.removesuffix(":*")
    return (_pattern(f"{prefix} *"), *((_pattern(glob),) if " " in prefix else ()))


def _pattern(glob: str) -> CommandPattern:
    try:
        words = shlex.split(glob)
    except ValueError:
        raise ValueError(f"unclosed quote in the command pattern {glob!r}") from None
    if odd := next((word for word in words if _OPERATORS.fullmatch(word)), None):
        raise ValueError(f"{odd!r} in {glob!r}: a pattern is for one simple command")
    if not words or not words[0]:
        raise ValueError("a command pattern begins with a program, or with *")
    program, *rest = words
    last = words[-1]
    pattern = CommandPattern(program, open=last == "*", long=last.endswith("*"))
    return _with_words(pattern, rest[:-1] if last == "*" and rest else rest)


def _with_words(pattern: CommandPattern, words: list[str]) -> CommandPattern:
    flags: list[str] = []
    globs: list[str] = []
    pairs: list[tuple[str, int]] = []
    for at, word in enumerate(words):
        if word[:1] == "-" and len(word) > 1 and "--" not in flags:
            flags.append(word)
        else:
            if at and words[at - 1] == (flags[-1] if flags else ""):
                pairs.append((words[at - 1], len(globs)))
            globs.append(word)
    return replace(pattern, flags=tuple(flags), globs=tuple(globs), pairs=tuple(pairs))
