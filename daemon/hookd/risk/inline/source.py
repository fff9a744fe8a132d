"""Source of inline code: after a flag (`-c`, `-e`), on standard input, or unknown."""

import re
from collections.abc import Iterator

from hookd.lazy_dataclass import dataclass
from hookd.risk.inline.known_calls import LANGUAGES
from hookd.risk.model import CommandCall
from hookd.shell.commands import Command

EVALUATES = {
    "python": ("c", ("-c",)),
    "js": ("ep", ("-e", "--eval", "-p", "--print", "eval")),
    "perl": ("eE", ("-e", "-E")),
    "ruby": ("e", ("-e",)),
    "php": ("rBRE", ("-r", "--run")),
    "lua": ("e", ("-e",)),
    "r": ("e", ("-e",)),
    "osa": ("e", ("-e",)),
    "powershell": ("", ("-c", "-command", "/c", "-encodedcommand", "-enc", "-ec", "-e")),
}
"""By language: the letters, and the flags, that a program follows."""

_VERSION = "0123456789."
_MODULE = ("-m", "-h", "--help", "--version", "-V", "-v", "--check", "--test")
_STDIN = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})


@dataclass(frozen=True, slots=True)
class Program:
    """An inline program; `known` is False if it runs but its source is not in the text."""

    language: str
    source: str
    known: bool = True


def language_of(command: Command) -> str:
    """Return the language that a command's program runs; empty if it is no interpreter."""
    return LANGUAGES.get(command.argv.name.rstrip(_VERSION), "")


def programs(call: CommandCall) -> Iterator[Program]:
    """Yield the inline programs that a call runs, without those in files."""
    language = language_of(call.command)
    if language == "awk":
        yield from _awk(call)
        return
    texts = list(_given(call, language)) if language else []
    yield from texts
    if language and not texts and _reads_input(call):
        yield from (Program(language, text) for text in call.command.stdin)
        if call.command.piped_input:
            yield Program(language, "", known=False)


def _given(call: CommandCall, language: str) -> Iterator[Program]:
    """Yield the texts after `-c`, `-e` and the like, be they separate or joined to the flag."""
    letters, flags = EVALUATES[language]
    words = call.command.words
    holes = {hole.at: hole for hole in call.command.holes}
    for at, text in enumerate(words[1:], 1):
        last = at + 1 < len(words)
        low = text.lower() if language == "powershell" else text
        cluster = re.fullmatch(rf"-[A-Za-z0-9.]*[{letters}]", text) if letters else None
        if last and (
            low in flags or (cluster and not text.startswith("--") and _ends(language, text))
        ):
            hole = holes.get(at + 1)
            yield Program(language, words[at + 1], hole is None or bool(hole.head or hole.tail))
            if language in ("python", "js"):
                return
        elif (glued := _glued(text, language)) is not None:
            yield Program(language, glued)
        elif text[:1] != "-" and not _value(words[at - 1], language):
            return  # a script file; its arguments follow


def _ends(language: str, flag: str) -> bool:
    """Return whether a cluster of letters ends in the flag of a program: `-ne`, `-Ic`."""
    return language != "python" or flag[1:2] not in ("W", "X", "m", "Q")


def _glued(text: str, language: str) -> str | None:
    if language == "js" and text.startswith(("--eval=", "--print=")):
        return text.partition("=")[2]
    if language in ("python", "perl", "ruby") and len(text) > 2:
        letter = "c" if language == "python" else "e"
        if text[:2] == f"-{letter}":
            return text[2:]
    return None


def _value(before: str, language: str) -> bool:
    """Return whether the flag before takes a separate value."""
    valued = {"python": "WXQ", "ruby": "rICEF", "perl": "", "js": "rC", "php": "dcz", "lua": "l"}
    long = {"js": ("--require", "--import", "--loader", "--conditions", "--input-type")}
    letters = valued.get(language, "")
    return before in long.get(language, ()) or (len(before) == 2 and before[1] in letters)


def _reads_input(call: CommandCall) -> bool:
    if call.has("-m") or (call.may_have(*_MODULE) and not call.words.holes):
        return False
    first = next((item.text for item in call.items if not item.optional), None)
    return first is None or first in _STDIN or (first == "run" and call.program == "deno")


def _awk(call: CommandCall) -> Iterator[Program]:
    if not call.has("-f", "--file"):
        valued = {place + 1 for flag, place in call.words.flags if flag in ("-F", "-v")}
        first = next((item for item in call.items if item.place not in valued), None)
        if first is not None:
            yield Program("awk", first.text)
