"""Effects of inline code, as shell commands: `python -c`, `perl -e`, `node -e`.

`shutil.rmtree("/srv")` is `rm -rf /srv` and is assessed like it, so there is one set of rules for
what may be deleted, written, read and sent. Code that cannot be translated is asked about. The
programs that interpreters start are here too: `python -m twine`, `php artisan`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from hookd.risk.inline.known_calls import (
    DECODED,
    DECODES,
    ENVIRONMENT,
    EVALUATES,
    FETCHES,
    HIDDEN,
    LANGUAGES,
    ONE_VARIABLE,
    SENDS,
    SHOWS,
    Mark,
    Row,
    rows,
)
from hookd.risk.inline.lowering import ACTIONS, quoted
from hookd.risk.inline.snippets import (
    CALLS,
    HOME,
    Snippet,
    arguments,
    calls,
    marked,
    receiver,
    script,
    snippet,
    word,
)
from hookd.risk.inline.source import language_of, programs
from hookd.risk.model import CallContext, CommandCall, Risk, RiskRule
from hookd.risk.subcommands import joined
from hookd.shell.commands import Command
from hookd.shell.quoting import names

_IMPORTS = re.compile(
    r"\bfrom\s+[\w.]+\s+import\s+[^;\n]+|\bimport\s+[^;\n]+|\{[^{}]*\}\s*=\s*require\([^()]*\)"
)
_CALLED = r"(?!\s*[(\x01$@\w:=])"
_DELETES = re.compile(
    r"\b(?:rmtree|rmSync|unlinkSync|rmdirSync|truncateSync|ftruncate|rm_rf|remove_tree)\b"
    rf"{_CALLED}|\b(?:os|fs|File|shutil|Path)\.(?:remove|unlink|rmdir|rm|truncate|delete)\b{_CALLED}"
    r"|\brimraf\b|\bsh\.rm\b|\bftruncate\b"
)
_RUNS = re.compile(
    rf"\.(?:system|popen|execSync|spawnSync|exec|spawn|Popen|check_call|check_output|run){_CALLED}"
)
_STARTS = re.compile(r"\b(?:run|call|Popen|spawn|spawnSync|check_call|execFile\w*|exec\w+)\s*\(")
_DELETERS = names("rm /bin/rm /usr/bin/rm shred rimraf unlink rmtree rmsync unlinksync remove_tree")
_RUNNERS = names("exec execsync system popen shell_exec passthru")
_GLOBBED = re.compile(r"(?:/[\w.@+*?-]+)+/?|/\*?")
_PATH = re.compile(r"(?:~|/|\.\./|\x03)[^\s:;|&<>()]*")
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_MOST = 16


def hints(found: Snippet, acts: Sequence[str]) -> tuple[str, ...]:
    """Return shell texts that a program may amount to; `acts` are its known effects."""
    code = _IMPORTS.sub(" ", found.code)
    said = [text.said for text in found.texts]
    lone = {text.lower() for text in said}
    made: list[str] = []
    unknown = any(re.fullmatch(r'rm -r?f "\$UNKNOWN"', text) for text in acts)
    listed = not _DELETERS.isdisjoint(lone) and (_STARTS.search(code) or "(" in code)
    if unknown or listed or _DELETES.search(code):
        made += islice(_deleted(said), _MOST)
    evaluates = next(marked(found, EVALUATES), None) is not None
    if evaluates or _RUNS.search(code) or not _RUNNERS.isdisjoint(lone):
        made += islice(_run(said), _MOST)
    return tuple(dict.fromkeys(made))


def _deleted(said: Sequence[str]) -> Iterator[str]:
    for text in said:
        if _PATH.fullmatch(text):
            path = text.replace(HOME, "~")
            plain = _GLOBBED.fullmatch(path) or path == "~"
            tail = path[2:] if path.startswith("~/") else ""
            yield f"rm -rf {path if plain else f'~/{quoted(tail)}' if tail else quoted(path)}"


def _run(said: Sequence[str]) -> Iterator[str]:
    for text in said:
        if " " in text:
            yield text
            yield from (one[1] or one[2] for one in _QUOTED.finditer(text) if " " in one[0])


_INSTEAD = "Write the program to a file of the project, so that it can be read, and run that."
_NOT_KNOWN = "runs a program that is not known from the text"
_CROWDED = "contains too many calls to analyze"
_NOWHERE = CallContext()
_TEXTS = 64
"""Maximum effects of one program; a program with more cannot be analyzed."""

_LONGEST = 32_768
"""Characters of a program; a longer one cannot be analyzed."""

_KEPT = 16
"""Size of the cache of effects, in programs."""

Acts = list[tuple[Row, list[re.Match[str]]]]


def texts(command: Command) -> tuple[str, ...]:
    """Return the effects of the inline programs of a command, as shell texts."""
    if not language_of(command):
        return ()
    call = CommandCall(command, _NOWHERE)
    made = tuple(text for one in programs(call) for text in told(one.source, one.language).texts)
    return tuple(dict.fromkeys((*made, *_edited(call))))


def may_mean(command: Command) -> tuple[str, ...]:
    """Return the possible effects of the inline programs of a command, as shell texts."""
    if language_of(command) in ("", "powershell"):
        return ()
    found = programs(CommandCall(command, _NOWHERE))
    return tuple(text for one in found for text in told(one.source, one.language).hints)


def _edited(call: CommandCall) -> Iterator[str]:
    """Yield the files that `perl -i` and `ruby -i` write."""
    if language_of(call.command) not in ("perl", "ruby"):
        return
    if any(re.match(r"-[a-zA-Z0]*?i", flag) for flag, _ in call.words.flags):
        valued = {p + 1 for flag, p in call.words.flags if re.fullmatch(r"-\w*[eE]", flag)}
        files = [item for item in call.items if item.place not in valued]
        for item in files[:64]:
            path = word(Snippet("", ()), "") if item.unknown else quoted(item.text)
            yield f"sed -i s/x/y/ {item.text if item.unknown and _safe(item.text) else path}"


def _safe(text: str) -> bool:
    return re.fullmatch(r"[\w./*?~${}\[\]-]+", text) is not None


class Told(NamedTuple):
    """The effects of a program, as shell texts; or why they are unknown.

    `hints` are further possible effects.
    """

    texts: tuple[str, ...]
    hidden: str = ""
    hints: tuple[str, ...] = ()


@lru_cache(maxsize=_KEPT)
def told(source: str, language: str) -> Told:
    """Return the effects of a program."""
    if len(source) > _LONGEST:
        return Told((), "is a program that is too long to analyze")
    found = snippet(source, language)
    acts = [(row, list(calls(found, row.pattern))) for row in rows(language)]
    if sum(len(its) for _, its in acts) > CALLS:
        return Told((), _CROWDED)
    made = tuple(dict.fromkeys(_said(found, acts, source, language)))
    hidden = _hidden(found, acts, source, crowded=len(made) > _TEXTS)
    return Told(made[:_TEXTS], hidden, hints(found, made))


def _said(found: Snippet, acts: Acts, source: str, language: str) -> Iterator[str]:
    made = [text for row, its in acts for text in _row(found, row, its, language)]
    if language == "awk":
        made += _piped(found)
    if language == "powershell":
        made += _removed(source)
    made += _ticked(found, language)
    if _is(found, SENDS):
        made += [f"curl -T {text[4:]} network" for text in made if text.startswith("cat ")]
    if _is(found, EVALUATES) and _is(found, FETCHES):
        made.append("curl network | sh")
    yield from made
    yield from _environment(found)


def _row(found: Snippet, row: Row, its: list[re.Match[str]], language: str) -> Iterator[str]:
    for one in its:
        if one[0].endswith("exec") and language == "js" and not _starts_processes(found):
            continue  # a regular expression's
        if row.method:
            given = [receiver(found.code, one.start())]
            given += arguments(found.code, one.end(), bare=False)[0]
        else:
            given, _ = arguments(found.code, one.end(), bare=row.bare)
        if text := ACTIONS[row.action](found, given, one[0]):
            yield text


def _starts_processes(found: Snippet) -> bool:
    return any(text.said.endswith("child_process") for text in found.texts)


def _piped(found: Snippet) -> Iterator[str]:
    """Yield the commands that awk starts by a pipe, and the files that it writes."""
    for one in re.finditer(r"\|&?\s*\x01(\d+)\x02|\x01(\d+)\x02\s*\|&?\s*getline", found.code):
        yield found.texts[int(one[1] or one[2])].said
    for one in re.finditer(r"\bprintf?\b[^;\n{}]{0,400}?>>?\s*\x01(\d+)\x02", found.code):
        yield f": > {quoted(found.texts[int(one[1])].said)}"
    for one in re.finditer(r"\bgetline\b[^;\n{}<]{0,40}<\s*\x01(\d+)\x02", found.code):
        yield f"cat {quoted(found.texts[int(one[1])].said)}"


_REMOVES = re.compile(r"(?i)(?<![\w-])(?:remove-item|ri|rd|rmdir|del|erase|rm)\s([^;|\n]{1,400})")


def _removed(source: str) -> Iterator[str]:
    """Yield the deletions of PowerShell; its words resemble those of a shell."""
    for one in _REMOVES.finditer(source):
        words = one[1].split()
        flags = "-rf" if any(re.match(r"(?i)-r|/s", word) for word in words) else "-f"
        files = (word.strip("'\",)}") for word in words if word[:1] not in "-/" or word[2:])
        yield " ".join(("rm", flags, *(quoted(file) for file in files if file[:1] != "-")))


def _ticked(found: Snippet, language: str) -> Iterator[str]:
    """Yield the commands in backticks, in languages that run them."""
    if language in ("perl", "ruby", "php"):
        for number, text in enumerate(found.texts):
            if text.ticks:
                yield script(found, f"\x01{number}\x02")
    elif language == "js":
        for one in re.finditer(r"\$\s*\x01(\d+)\x02", found.code):
            yield script(found, f"\x01{one[1]}\x02")


def _is(found: Snippet, mark: Mark) -> bool:
    return next(marked(found, mark), None) is not None


def _environment(found: Snippet) -> Iterator[str]:
    """Yield that a program prints the environment, or sends it."""
    shown, sends = SHOWS.search(found.code), _is(found, SENDS)
    alone = ENVIRONMENT.pattern.fullmatch(found.code.strip()) is not None
    if _is(found, ENVIRONMENT) and (shown or sends or alone):
        yield "curl -T /proc/self/environ network" if sends else "printenv"
    for one in marked(found, ONE_VARIABLE) if shown else ():
        name = found.texts[int(one[1])].said if one[1] else one[2] or one[3]
        if re.fullmatch(r"\w+", name):
            yield f"printenv {name}"


_ENCODED = re.compile(r"(?i)-e(?:c|nc?|nco[a-z]*)?")


def _unreadable(call: CommandCall) -> Iterator[Risk]:
    if language_of(call.command) == "powershell" and any(
        _ENCODED.fullmatch(word) for word in call.command.words[1:]
    ):
        yield Risk("unreadable", "ask", "runs an encoded text", _INSTEAD, command=call.text)
        return
    for one in programs(call):
        why = told(one.source, one.language).hidden if one.known else _NOT_KNOWN
        if why:
            yield Risk("unreadable", "ask", why, _INSTEAD, command=call.text)
            return


def _hidden(found: Snippet, acts: Acts, source: str, *, crowded: bool) -> str:
    """Return why the effects of a program are unknown; empty if they are known."""
    decoded = _is(found, DECODES) and _is(found, DECODED)
    if decoded or _is(found, HIDDEN):
        return "runs a text that is composed, or decoded, at run time"
    if crowded:
        return _CROWDED
    if found.odd and _dangerous(acts, source):
        return "contains an unclosed text, and calls that may be harmful"
    return ""


def _dangerous(acts: Acts, source: str) -> bool:
    """Return whether a program of unknown effects contains names of harmful calls."""
    acting = (row for row, _ in acts if row.action not in ("read", "open", "perl-open"))
    return any(row.pattern.search(source) for row in acting)


RULES: Mapping[str, RiskRule] = {
    f"{name}{version}": _unreadable
    for name in LANGUAGES
    for version in ("", "2", "3", *(f"3.{minor}" for minor in range(6, 20)))
}
"""By program: the rule for unreadable code. `texts` returns the effects of readable code."""


LAUNCHERS = names(
    "python python2 python3 py pypy pypy3 php ruby node deno"
    " python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 php8.1 php8.2"
    " php8.3 php8.4 nodejs"
)


_VERBS = names("run x exec tool")


def launched(table: Mapping[str, RiskRule]) -> RiskRule:
    """Return the rule of a launcher that starts one of the programs of the table."""

    def rule(call: CommandCall) -> Iterator[Risk]:
        for item in call.items:
            program = item.text.rpartition("/")[2].lower()
            if not item.unknown and program in table:
                yield from table[program](_from(call, item.place, program))
                return
            if not item.optional and item.text not in _VERBS:
                return

    return rule


def with_launchers(table: Mapping[str, RiskRule]) -> dict[str, RiskRule]:
    """Return the table, and the launchers that start its programs."""
    starts = launched(table)
    both = {name: joined(table[name], starts) for name in LAUNCHERS if name in table}
    return {**dict.fromkeys(LAUNCHERS, starts), **table, **both}


def _from(call: CommandCall, place: int, program: str) -> CommandCall:
    """Return the call of the program at this place among the words of the launcher."""
    command = call.command
    inner = Command(
        (program, *command.words[place + 1 :]),
        command.exact,
        tuple(replace(hole, at=hole.at - place) for hole in command.holes if hole.at > place),
        stdin=command.stdin,
        piped_input=command.piped_input,
    )
    return replace(call, command=inner)
