"""Source of inline code: after a flag (`-c`, `-e`), on standard input, or unknown."""

import re
from collections.abc import Iterator

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
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
    "tcl": ("c", ("-c",)),
    "other": (
        "",
        ("-e", "-E", "-c", "--eval", "-eval", "--execute", "-execute", "eval", "-batch", "-r"),
    ),
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


EDITORS = with_trait("runs-ex-commands")
"""Programs that run commands of the editor ex."""

_CODED = with_trait("runs-code")
_SHELLS = {
    "manage.py": ("python", ("shell", "shell_plus")),
    "django-admin": ("python", ("shell", "shell_plus")),
    "flask": ("python", ("shell",)),
    "rails": ("ruby", ("runner", "r", "console", "c")),
    "artisan": ("php", ("tinker",)),
    "mix": ("other", ("run", "eval")),
}
"""By the name of a framework's program: its language, and the subcommands that run code."""

_CODE_FLAGS = ("-c", "--command", "-e", "--eval", "--execute")
_MODULES = frozenset({"timeit", "pdb", "cProfile", "profile", "trace"})
"""Modules of Python that run code among their words."""

_MAGIC = lazy_compile(r"(?m)^[ \t]*+(?:!!?|%%?(?:sx|system|bash|sh|script)\b)[ \t]*+(.*)$")

_EVALUATES_INPUT = lazy_compile(r"\b(?:exec|eval)\b[^\n;]{0,80}(?:stdin|STDIN|/dev/fd/0)")

RUNS_CODE = frozenset({*LANGUAGES, *EDITORS, *_CODED, *_SHELLS})
"""Names of programs that may run inline code."""


def runs_code(command: Command) -> bool:
    """Return whether a command's program may run inline code."""
    return command.argv.name in RUNS_CODE or bool(language_of(command))


def programs(call: CommandCall) -> Iterator[Program]:
    """Yield the inline programs that a call runs, without those in files."""
    language = language_of(call.command) or ("other" if call.program in _CODED else "")
    if language == "awk":
        yield from _awk(call)
        return
    if call.program in EDITORS:
        yield from _ex_commands(call)
        return
    yield from _framework(call, language)
    if language == "python" and not _MODULES.isdisjoint(call.command.words):
        words = (word for word in call.command.words[1:] if re.search(r"[\s(]", word))
        yield from (Program(language, word.lstrip("!")) for word in words)
    texts = list(_given(call, language)) if language else []
    yield from texts
    if texts and any(_EVALUATES_INPUT.search(code.source) for code in texts):
        yield from (Program(language, text) for text in call.command.stdin)
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
            known = hole is None or bool(hole.head or hole.tail)
            yield Program(language, _plain(words[at + 1], call.program), known)
            if language in ("python", "js"):
                return
        elif (glued := _glued(text, language)) is not None:
            yield Program(language, glued)
        elif text[:1] != "-" and not _value(words[at - 1], language):
            return  # a script file; its arguments follow


def _plain(source: str, program: str) -> str:
    """Return a program of IPython with its lines for a shell as calls."""
    if program not in ("ipython", "ipython3"):
        return source
    return _MAGIC.sub(lambda match: f"os.system({match[1]!r})", source)


def _ends(language: str, flag: str) -> bool:
    """Return whether a cluster of letters ends in the flag of a program: `-ne`, `-Ic`."""
    return language != "python" or flag[1:2] not in ("W", "X", "m", "Q")


def _glued(text: str, language: str) -> str | None:
    if language == "js" and text.startswith(("--eval=", "--print=")):
        return text.partition("=")[2]
    if language == "other" and text.startswith(("--eval=", "--eval:", "--execute=")):
        return re.split("[=:]", text, maxsplit=1)[1]
    if language in ("python", "perl", "ruby") and len(text) > 2:
        letter = "c" if language == "python" else "e"
        if text[:2] == f"-{letter}":
            return text[2:]
    return None


def _value(before: str, language: str) -> bool:
    """Return whether the flag before takes a separate value."""
    valued = {
        "python": "WXQ",
        "ruby": "rICEF",
        "perl": "",
        "js": "rC",
        "php": "dcz",
        "lua": "l",
        "osa": "l",
    }
    long = {"js": ("--require", "--import", "--loader", "--conditions", "--input-type")}
    letters = valued.get(language, "")
    return before in long.get(language, ()) or (len(before) == 2 and before[1] in letters)


def _reads_input(call: CommandCall) -> bool:
    if call.has("-m") or (call.may_have(*_MODULE) and not call.words.holes):
        return False
    first = next((item.text for item in call.items if not item.optional), None)
    return first is None or first in _STDIN or (first == "run" and call.program == "deno")


def _framework(call: CommandCall, language: str) -> Iterator[Program]:
    """Yield the code for the shell of a framework: `manage.py shell -c`, `rails runner`."""
    if language not in ("", "python", "php") or (not language and call.program not in _SHELLS):
        return
    words = call.command.words
    for at, word in enumerate(words[:3]):
        inner, verbs = _SHELLS.get(word.rpartition("/")[2], ("", ()))
        if not inner or words[at + 1 : at + 2] == () or words[at + 1] not in verbs:
            continue
        rest = words[at + 2 :]
        yield from (Program(inner, text) for text in _code_words(rest, words[at + 1]))
        yield from (Program(inner, text) for text in call.command.stdin)
        return


def _code_words(rest: tuple[str, ...], verb: str) -> Iterator[str]:
    for before, word in zip(("", *rest), rest, strict=False):
        flag, equals, value = word.partition("=")
        if before in _CODE_FLAGS:
            yield word
        elif equals and flag in _CODE_FLAGS:
            yield value
        elif verb in ("runner", "r", "eval") and word[:1] != "-":
            yield word
            return


def _ex_commands(call: CommandCall) -> Iterator[Program]:
    """Yield the commands of an editor: after `-c` and `--cmd`, or joined to `+`."""
    for before, word in zip(call.command.words, call.command.words[1:], strict=False):
        if before in ("-c", "--cmd") or re.fullmatch(r"-[a-zA-Z]*c", before):
            yield Program("vim", word)
        elif word[:1] == "+" and word[1:]:
            yield Program("vim", word[1:])
    yield from (Program("vim", text) for text in call.command.stdin)


def _awk(call: CommandCall) -> Iterator[Program]:
    if not call.has("-f", "--file"):
        valued = {place + 1 for flag, place in call.words.flags if flag in ("-F", "-v")}
        first = next((item for item in call.items if item.place not in valued), None)
        if first is not None:
            yield Program("awk", first.text)
