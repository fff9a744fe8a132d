"""Wrapper programs: their arguments contain, after some flags, a command (`sudo`)."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import by_program, with_trait
from hookd.programs.model import Options
from hookd.shell.quoting import names, program_name
from hookd.shell.words import Word


class Inner(NamedTuple):
    """A nested command.

    `command`: these words. `script`: these words, joined by blanks, read as text by another shell;
    `here`: by the shell itself. `input`: the text on standard input, `recipe`: the commands of the
    makefile there. `blind`: a text that cannot be known in advance. `guess`: it may not be shell
    text.
    """

    kind: Literal["command", "script", "here", "input", "recipe", "blind"]
    words: tuple[Word, ...] = ()
    assigned: bool = False
    guess: bool = False


_WRAPPERS = by_program(lambda program: program.wraps)

_LOOSE = with_trait("wraps")
"""Wrappers whose flags are not modelled: a command may begin at any of their words."""

_HANDING = with_trait("passes-words")
"""Wrappers that pass words unchanged: no shell reads them, unless one is named there."""

_CALLED = names("-c --call --shell-mode --command")
_LEADING = _CALLED | names("exec dlx run -y --yes -q --quiet -s --silent")
_INPUT = with_trait("runs-input")
_BARE = names(
    "--preserve-env --non-interactive --login --background --stdin --set-home --shell --null"
    " --reset-timestamp --ignore-environment --debug --foreground --preserve-status --verbose"
    " --fork --wait --ctty --ignore --no-run-if-empty --interactive --exit --open-tty --replace"
    " --eof --show-limits --remove-timestamp --list --validate"
)
_LIST = lazy_compile(r"\$[@*]|\$\{[@*!]|\[[@*]\]|\s")
_TYPING = names("send-keys send")
"""Subcommands of tmux that type their words: for a shell, or for any other program."""

_TAILS = 64
_ASSIGNMENT = lazy_compile(r"[A-Za-z_]\w*\+?=")


def program_of(words: Sequence[Word]) -> str:
    """Return the name of the program without its folder; empty if it is unknown."""
    name = words[0].text if words and words[0].known else ""
    # In lower case, since some file systems ignore case.
    return program_name(name).lower()


def is_wrapper(program: str) -> bool:
    """Return whether a program runs the command after its own words."""
    return program in _WRAPPERS or program in _LOOSE


def wrapped_commands(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield the nested commands of a wrapper; nothing if the program is none."""
    program = program_of(words)
    if program in _WRAPPERS:
        yield from _after_flags(words, _WRAPPERS[program])
    elif program in _LOOSE:
        yield from _suffixes(words, 1)
        yield from _quoted(words, program)
        if program in _INPUT:
            yield Inner("input")


def _quoted(words: tuple[Word, ...], program: str) -> Iterator[Inner]:
    """Yield the words that may each be a text: they contain blanks, so they were quoted."""
    begins = next(
        (at for at, word_before in enumerate(words) if at and word_before.text not in _LEADING), 0
    )
    for at, word in enumerate(words[1:], 1):
        if re.search(r"\s", word.text):
            is_text = at == begins and at > 1 and words[at - 1].text in _CALLED
            typed = any(verb.text in _TYPING for verb in words[1:at])
            guess = program in _HANDING or (program == "tmux" and typed)
            yield Inner("script", (word,), guess=guess and not is_text)


def _after_flags(words: tuple[Word, ...], options: Options) -> Iterator[Inner]:
    at, assigned = skip(words, 1, options)
    if at < 0:
        yield from _suffixes(words, 1)
        return
    for _ in range(options.operands):
        if at < len(words) and not _is_list(words[at]):
            at += 1
    if at < len(words):
        yield Inner("command", words[at:], assigned)
    else:
        yield Inner("input")


def skip(words: Sequence[Word], at: int, options: Options) -> tuple[int, bool]:
    """Return where the command begins, and whether assignments precede it; -1: unclear."""
    assigned = False
    while at < len(words) and (words[at].known or _begins_known(words[at], options)):
        text = words[at].text if words[at].known else words[at].head
        if text == "--":
            return at + 1, assigned
        if options.assigns and "=" in text and text[0] != "-":
            assigned = True
            at += 1
        elif text[:1] != "-" or text == "-":
            break
        else:
            step = _width(text, options) if words[at].known else 1
            if step == 0 or any(map(_is_list, words[at + 1 : at + step])):
                return -1, assigned
            at += step
    return at, assigned


def _begins_known(word: Word, options: Options) -> bool:
    """Return whether only the value of a flag, or of an assignment, is unknown: `-P$N`, `A=$B`."""
    head = word.head
    if head[:2] == "--":
        return "=" in head
    if head[:1] == "-":
        return head[1:2] in options.values and head[1:2] != ""
    return options.assigns and _ASSIGNMENT.match(head) is not None


def _is_list(word: Word) -> bool:
    """Return whether an unknown word is probably several words, or none: `$@`, `${flags[@]}`.

    A value without quotes, as in `-i $KEY`, is probably one.
    """
    return word.spread == "split" and (not word.text or _LIST.search(word.text) is not None)


def _width(flag: str, options: Options) -> int:
    """Return how many words a flag takes; 0: the flag is unknown."""
    if flag.startswith("--"):
        if "=" not in flag and flag in options.names.split():
            return 2
        return 1 if options.lenient or "=" in flag or flag in _BARE else 0
    for at, letter in enumerate(flag[1:], 1):
        if letter in options.values:
            return 2 if at == len(flag) - 1 else 1
        if letter not in options.flags:
            return 0
    return 1


def tails(words: tuple[Word, ...], start: int) -> list[tuple[Word, ...]]:
    """Return every end of `words` from `start` on; none if there are too many of them."""
    return [words[at:] for at in range(start, len(words))] if len(words) <= _TAILS else []


def _suffixes(words: tuple[Word, ...], start: int) -> Iterator[Inner]:
    if len(words) > _TAILS:
        yield Inner("blind")
    for tail in tails(words, start):
        word = tail[0]
        flag = word.known and (word.text[:1] == "-" or not word.text)
        if not flag and not (word.spread == "home" and not word.tail) and not _is_data(word):
            yield Inner("command", tail)


def _is_data(word: Word) -> bool:
    return word.known and (_ASSIGNMENT.match(word.text) is not None or word.text in "{};!()")
