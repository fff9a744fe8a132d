"""Flags whose value a program runs as a command: `tar --to-command`, `rsync -e`."""

import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import flags_of, with_trait
from hookd.shell.quoting import names
from hookd.shell.words import Word
from hookd.shell.wrappers import Inner, program_of

_FLAGS = {name: frozenset(flags) for name, flags in flags_of(lambda program: program.runs).items()}
_GIT = {
    "clone": names("-u --upload-pack"),
    **dict.fromkeys(names("fetch pull ls-remote fetch-pack"), names("--upload-pack --exec")),
    **dict.fromkeys(names("push send-pack"), names("--receive-pack --exec")),
    "archive": names("--exec"),
    "grep": names("-O --open-files-in-pager"),
}
_PROXY = lazy_compile(
    r"(?:-o)?\s*(?:Proxy|Local|KnownHosts)Command[= ]\s*(.+)", re.IGNORECASE | re.DOTALL
)
_ACTION = lazy_compile(r"(?:--checkpoint-action=)?exec=(.+)", re.DOTALL)
_SHELL_CALL = lazy_compile(r"\$\(shell\s+([^()]*)\)")
_RECIPE = lazy_compile(r"(?m)^\t[@+-]*(.*)$|^[^\s:#=]+:[^=\n;]*;(.*)$")
_VARIABLE = lazy_compile(r"[A-Za-z_]\w*[:+?]?=(.*\s.*)", re.DOTALL)
_BLANK = lazy_compile(r"(?<!%)\s+")

_ADDRESS = r"(?:^|[;{}])[ \t]*+(?>(?:(?:\d++|\$|/(?>(?:\\.|[^/\\\n])*)/)[I,~+!\d$ \t]*+)*)"
_SED_RUNS = lazy_compile(rf"{_ADDRESS}e(?:[ \t]+([^\n]+)|[ \t]*(?=\n|\Z))", re.MULTILINE)
_SED_RESULT = lazy_compile(
    rf"{_ADDRESS}s(?P<mark>[^\w\s\\])(?>(?:\\.|(?!(?P=mark)).)*)(?P=mark)"
    r"(?>(?:\\.|(?!(?P=mark)).)*)(?P=mark)[gpiIm\d]*e",
    re.MULTILINE | re.DOTALL,
)
_SED_VALUED = names("-e -f -E -s -l --expression --file --line-length")


def flag_commands(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield the texts that a program runs because of a flag, or in its own language."""
    program = program_of(words)
    flags = _FLAGS.get(program, frozenset())
    if program == "git":
        verb = next((word.text for word in words[1:] if word.text in _GIT), "")
        flags = _GIT.get(verb, frozenset())
    if flags:
        yield from (_text(value) for value in values(words, flags))
    if program in _SPECIAL:
        yield from _SPECIAL[program](words)


def values(words: Sequence[Word], flags: frozenset[str]) -> Iterator[Word]:
    """Yield the values of these flags, whether they are separate words or joined to the flag."""
    for word, after in zip(words, (*words[1:], None), strict=True):
        name, equals, value = word.text.partition("=")
        if word.text in flags:
            yield from () if after is None else (after,)
        elif equals and name in flags:
            yield word._replace(text=value)
        elif word.text[:2] in flags and word.text[:2] != "--":
            yield word._replace(text=word.text[2:])


def _text(word: Word) -> Inner:
    # Of `-e "ssh -i $KEY"` the known part is read; the unknown rest is not asked about.
    return Inner("script", (word,), guess=not word.known)


def _tar(words: tuple[Word, ...]) -> Iterator[Inner]:
    for word in words[1:]:
        if match := _ACTION.fullmatch(word.text):
            yield _text(word._replace(text=match[1]))


def _copies(words: tuple[Word, ...]) -> Iterator[Inner]:
    for word in words[1:]:
        if match := _PROXY.fullmatch(word.text):
            yield _text(word._replace(text=match[1]))


def _git(words: tuple[Word, ...]) -> Iterator[Inner]:
    for word in words[1:]:
        if word.text.startswith("ext::"):
            parts = (part.replace("% ", " ") for part in _BLANK.split(word.text[5:]))
            yield _text(word._replace(text=" ".join(map(shlex.quote, parts))))


def _make(words: tuple[Word, ...]) -> Iterator[Inner]:
    for word in words[1:]:
        yield from (Inner("script", (Word(text),)) for text in _SHELL_CALL.findall(word.text))
        if match := _VARIABLE.fullmatch(word.text):
            yield Inner("script", (word._replace(text=match[1]),), guess=True)
    if any(value.text in ("-", "/dev/stdin") for value in values(words, _MAKEFILES)):
        yield Inner("recipe")


_MAKEFILES = names("-f --file --makefile")


def recipe_of(makefile: str) -> str:
    """Return the commands that a makefile runs, as one text."""
    return "\n".join(groups or two for groups, two in _RECIPE.findall(makefile))


def _cmake(words: tuple[Word, ...]) -> Iterator[Inner]:
    at = next((at for at, word in enumerate(words) if word.text == "-E"), 0)
    rest = words[at + 1 :] if at else ()
    if rest and rest[0].text in ("rm", "remove", "remove_directory"):
        flags = (Word("-rf"),) if rest[0].text == "remove_directory" else ()
        yield Inner("command", (Word("rm"), *flags, *rest[1:]))
    elif rest and rest[0].text in ("env", "time", "chdir"):
        first = {"env": 1, "time": 1, "chdir": 2}[rest[0].text]
        while first < len(rest) and "=" in rest[first].text:
            first += 1
        yield Inner("command", rest[first:])


def sed_scripts(words: Sequence[Word]) -> Iterator[str]:
    """Yield the sed programs among the words."""
    scripts = [word.text for word in values(words, names("-e --expression"))]
    if not scripts:
        scripts = [
            word.text
            for before, word in pairwise(words)
            if word.text[:1] != "-" and before.text not in _SED_VALUED
        ][:1]
    yield from scripts


def _sed(words: tuple[Word, ...]) -> Iterator[Inner]:
    for script in sed_scripts(words):
        for match in _SED_RUNS.finditer(script):
            yield Inner("script", (Word(match[1]),)) if match[1] else Inner("blind")
        if _SED_RESULT.search(script):
            yield Inner("blind")


_SPECIAL = {
    **dict.fromkeys(with_trait("archives"), _tar),
    **dict.fromkeys(names("scp sftp rsync"), _copies),
    "git": _git,
    **dict.fromkeys(names("make gmake"), _make),
    "cmake": _cmake,
    **dict.fromkeys(names("sed gsed"), _sed),
}
