"""Programs that run commands in their own way: shells, find, git, ssh, npm, ..."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import dropwhile, pairwise

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import PROGRAMS, by_program, with_trait
from hookd.programs.model import Host, Options
from hookd.shell.command_flags import flag_commands
from hookd.shell.quoting import names
from hookd.shell.words import ANY_WORDS, Word
from hookd.shell.wrappers import (
    Inner,
    is_wrapper,
    program_of,
    skip,
    tails,
    wrapped_commands,
)

_TEXT_FLAGS = ("-c", "--call", "--command")
_LAUNCHES = {
    name: (names(launch.verbs), names(launch.valued))
    for name, launch in by_program(lambda program: program.launch).items()
}
"""By program: the subcommands that another program follows, and the flags with a value."""


def _launch(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield the command of a package manager: the words after its subcommand, or a text."""
    verbs, valued = _LAUNCHES[program_of(words)]
    at = _flags_end(words, 1, valued)
    if verbs and words[at:] and words[at].known and words[at].text not in verbs:
        return
    first = at + 1 if verbs else at
    start = _flags_end(words, first, valued)
    for word, after in pairwise(words[:start]):
        if word.text in _TEXT_FLAGS and word.text in valued:
            yield Inner("script", (after,))
    if words[start:]:
        yield Inner("command", words[start:])


def _flags_end(words: tuple[Word, ...], at: int, valued: frozenset[str]) -> int:
    """Return where the flags that begin at `at` end, with the values of those in `valued`."""
    while at < len(words) and words[at].known and words[at].text[:1] == "-":
        if words[at].text == "--":
            return at + 1
        at += 2 if words[at].text in valued else 1
    return at


def _mise(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield the command of mise; its tools come first: `mise x node@22 -- npm ci`."""
    for inner in _launch(words):
        dashes = next((at for at, word in enumerate(inner.words) if word.text == "--"), -1)
        if inner.words[dashes + 1 :]:
            yield inner._replace(words=inner.words[dashes + 1 :])


def _corepack(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield the package manager that runs, without the version: `corepack npm@10 ci`."""
    for inner in _launch(words):
        named = Word(inner.words[0].text.partition("@")[0])
        yield inner._replace(words=(named, *inner.words[1:])) if inner.words[0].known else inner


LAUNCHERS: Mapping[str, Callable[[tuple[Word, ...]], Iterator[Inner]]] = {
    **dict.fromkeys(_LAUNCHES, _launch),
    "mise": _mise,
    "corepack": _corepack,
}
"""By program: the nested command."""


_HOSTS = {
    name: program.hosts for program in PROGRAMS for name in program.names.split() if program.hosts
}


def _hosted(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield the command that runs on another host."""
    for host in _HOSTS[program_of(words)]:
        verb = tuple(host.verb.split())
        begin = _host_flags_end(words, 1, host)
        if tuple(word.text for word in words[begin : begin + len(verb)]) == verb:
            yield from _behind(words[begin + len(verb) :], host)


def _behind(rest: tuple[Word, ...], host: Host) -> Iterator[Inner]:
    """Yield the command after the subcommand: the texts of flags, or the words themselves."""
    for word, after in pairwise(rest):
        if word.text in host.text.split():
            yield Inner("script", (after,))
    start = _start(rest, host)
    if rest[start:] and (host.operands or not host.text or not host.away):
        yield Inner("script" if host.away else "command", rest[start:])


def _start(rest: tuple[Word, ...], host: Host) -> int:
    """Return where the command begins: after `--`, else after the flags and the names."""
    start = _host_flags_end(rest, 0, host)
    dashes = next((at for at, word in enumerate(rest) if word.text == "--"), -1)
    if dashes >= 0 and (host.operands or dashes < start):
        return dashes + 1
    for _ in range(host.operands):
        start = _host_flags_end(rest, start + 1, host)
    return start


def _host_flags_end(words: tuple[Word, ...], at: int, host: Host) -> int:
    """Return where the flags that begin at `at` end, with their values."""
    valued = names(f"{host.valued} {host.text}")
    while at < len(words) and words[at].known and words[at].text[:1] == "-":
        if words[at].text == "--":
            return at + 1
        at += 2 if words[at].text in valued else 1
    return at


HOSTS: Mapping[str, Callable[[tuple[Word, ...]], Iterator[Inner]]] = dict.fromkeys(_HOSTS, _hosted)
"""By program: the nested command."""


SHELLS = with_trait("shell")

_GIT = Options(
    "Cc",
    "pPhv",
    "--git-dir --work-tree --namespace --super-prefix --config-env --attr-source",
    lenient=True,
)
_XARGS = Options(
    "aEIJLnPsdRS",
    "0prtxoie",
    "--arg-file --delimiter --max-lines --max-args --max-procs --max-chars --process-slot-var",
)
_WATCH = Options("nq", "bdegtcrwxpvh", "--interval --equexit")
_SSH = Options("BbcDEeFIiJLlmOoPpQRSWw", "46AaCfGgKkMNnqsTtVvXxYy")

_STDIN = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
_EXEC = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_REPLACED = lazy_compile(r"-[iIJ](.*)|--replace(?:=(.*))?", re.DOTALL)
_INSERTS = lazy_compile(r"-[iI]|--replace")
_APPENDS = lazy_compile(r"-[nLlJ]|--max-(?:args|lines)")
"""Flags of xargs: its input replaces a mark, or follows the words."""

_RUNS = lazy_compile(
    r"(?:-[co])?([\w.*-]*(?:command|editor|pager|cmd|askpass|helper|textconv|driver|program"
    r"|fsmonitor|process|clean|smudge|external|sshcommand)|alias\.[\w-]+)[= ]\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)
_SOCAT = lazy_compile(r"(?:exec|system|shell):", re.IGNORECASE)
_GIT_RUNS = lazy_compile(r"(?:-x|--exec|--extcmd|--[a-z]+-filter)(?:=(.*))?", re.DOTALL)


_OWN_SHELL = lazy_compile(r"\$(?:SHELL|BASH|\{(?:SHELL|BASH)(?::-[\w./]+)?\})")
"""Variables that name a shell, unless the text assigns them."""


def nested_commands(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield the nested commands of a command: rather too many than too few."""
    program = program_of(words)
    if program[:1] == "=" and len(program) > 1:  # zsh: the path of that program
        yield Inner("command", (Word(program[1:]), *words[1:]))
    elif program in SHELLS or (not program and words and _OWN_SHELL.fullmatch(words[0].text)):
        yield from _shell(words[1:])
    else:
        yield from _RUNNERS.get(program, wrapped_commands)(words)
        yield from flag_commands(words)


def has_known_commands(program: str) -> bool:
    """Return whether the nested commands of a program are known, by its name."""
    return program in SHELLS or program in _RUNNERS or is_wrapper(program)


def _shell(rest: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield what a shell runs: the text after -c, or its input; a script file is not read."""
    at, flags = 0, ""
    while at < len(rest) and rest[at].known and rest[at].text[:1] in ("-", "+"):
        text = rest[at].text
        if text in ("-", "--"):
            at += text == "--"
            break
        flags += "" if text.startswith("--") else text
        at += 1 + _values(text)
    operands = rest[at:]
    if only_checks_syntax(flags):
        return
    if "c" in flags:
        yield from (Inner("script", (word,)) for word in operands[:1])
    elif "s" in flags or not operands or operands[0].text in _STDIN:
        yield Inner("input")
    elif not operands[0].known:
        yield from _unknown_script(operands)


def only_checks_syntax(flags: str) -> bool:
    """Return whether a shell with these flags only checks the syntax of its text.

    An interactive shell ignores `-n`, and a further option may revert it.
    """
    return "n" in flags and not set(flags) & set("io+")


def _values(flag: str) -> int:
    if flag.startswith("--"):
        return int(flag in ("--rcfile", "--init-file"))
    return flag.count("o") + flag.count("O")


def _unknown_script(operands: tuple[Word, ...]) -> Iterator[Inner]:
    first = operands[0]
    if first.spread == "split" or first.text.startswith(("<(", "=(")):
        yield Inner("blind")
    elif first.head[:1] in ("", "-") and "/" not in first.tail:
        # The unknown word may be -c.
        yield from (Inner("script", (word,)) for word in operands[1:2])


def _find(words: tuple[Word, ...]) -> Iterator[Inner]:
    for at, word in enumerate(words):
        if word.text in _EXEC:
            rest = words[at + 1 :]
            end = next((n for n, w in enumerate(rest) if w.text in (";", "+")), len(rest))
            if end:
                yield Inner("command", tuple(_replaced(w, {"{}"}) for w in rest[:end]))


def _xargs(words: tuple[Word, ...]) -> Iterator[Inner]:
    at, _ = skip(words, 1, _XARGS)
    marks = {"{}"}
    for number, word in enumerate(words[1:], 1):
        if match := _REPLACED.fullmatch(word.text):
            after = words[number + 1].text if number + 1 < len(words) else ""
            marks.add(match[1] or match[2] or after or "{}")
    own = [word.text for word in words[1:at]] if at > 0 else []
    inserts = any(map(_INSERTS.match, own)) and not any(map(_APPENDS.match, own))
    for rest in _rests(words, at):
        if inserts:
            yield Inner("command", tuple(_inserted(word, marks) for word in rest))
        else:
            yield Inner("command", (*(_replaced(word, marks) for word in rest), ANY_WORDS))


def _inserted(word: Word, marks: set[str]) -> Word:
    """Return `word` with every mark unknown; a mark alone may also become a flag."""
    replaced = _replaced(word, marks)
    return replaced._replace(spread="split") if word.text in marks else replaced


def _rests(words: tuple[Word, ...], at: int) -> list[tuple[Word, ...]]:
    """Return the command that begins at `at`; if that is unknown, every possible one."""
    return tails(words, 1) if at < 0 else [words[at:]] if at < len(words) else []


def _replaced(word: Word, marks: set[str]) -> Word:
    """Return `word` with every mark in it unknown."""
    for mark in marks:
        if mark in word.text:
            start, end = (word.text, word.text) if word.known else (word.head, word.tail)
            spread = "" if word.known or word.spread == "home" else word.spread
            head, tail = start.partition(mark)[0], end.rpartition(mark)[2]
            word = Word(word.text, False, head, tail, spread)
    return word


def _git(words: tuple[Word, ...]) -> Iterator[Inner]:
    at = _git_flags_end(words)
    if at < 0:
        # A flag that is not known may take a value, so any word may be the subcommand.
        for tail in tails(words, 2):
            if tail[0].known and tail[0].text[:1] != "-":
                yield Inner("command", (words[0], *tail))
    elif 1 < at < len(words):
        yield Inner("command", (words[0], *words[at:]))
    yield from _git_settings(words)
    yield from _git_runs(words[max(at, 1) :])


def _git_flags_end(words: tuple[Word, ...]) -> int:
    """Return where the flags of git itself end, with their values; -1: unclear."""
    at = 1
    while True:
        at, _ = skip(words, at, _GIT)
        if not 0 < at < len(words) or words[at].known:
            return at
        word = words[at]
        if word.head[:1] == "-":  # its value is unknown: `--git-dir="$D"`, `-C$D`
            at += 1
        else:
            return at if word.head else -1  # `git $FLAGS reset --hard`


def _git_settings(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield the commands that `-c name=value` and `config name value` make git run."""
    config = any(word.text == "config" for word in words)
    for word, after in zip(words, (*words[1:], Word("")), strict=True):
        setting = f"{word.text}={after.text}" if config and "=" not in word.text else word.text
        if match := _RUNS.fullmatch(setting):
            script = match[2].removeprefix("!")
            if script == match[2] and "alias." in match[1]:
                script = f'git {script} "$@"'
            yield Inner("script", (Word(script),))


def _git_runs(rest: tuple[Word, ...]) -> Iterator[Inner]:
    texts = [word.text for word in rest]
    if texts[:2] == ["bisect", "run"]:
        yield Inner("command", rest[2:])
    elif texts[:2] == ["submodule", "foreach"]:
        yield Inner("script", tuple(dropwhile(lambda word: word.text[:1] == "-", rest[2:])))
    elif texts[:1] in (["rebase"], ["difftool"], ["filter-branch"]):
        for word, after in zip(rest, (*rest[1:], Word("")), strict=True):
            if match := _GIT_RUNS.fullmatch(word.text):
                yield Inner("script", (word._replace(text=match[1]) if match[1] else after,))


def _ssh(words: tuple[Word, ...]) -> Iterator[Inner]:
    for word in words[1:]:
        if match := _RUNS.fullmatch(word.text):
            yield Inner("script", (word._replace(text=match[2]),))
    at, _ = skip(words, 1, _SSH)
    if words[at : at + 1] and words[at].spread == "split" and words[at + 2 :]:
        yield Inner("script", words[at + 2 :])  # it may be flags, and the host follows
    at, _ = skip(words, at + 1, _SSH) if at > 0 else (2, False)
    yield Inner("script", words[at:]) if words[at:] else Inner("input")


def _watch(words: tuple[Word, ...]) -> Iterator[Inner]:
    at, _ = skip(words, 1, _WATCH)
    for rest in _rests(words, at):
        yield Inner("command", rest)
        yield Inner("script", rest)


def _command(words: tuple[Word, ...]) -> Iterator[Inner]:
    if not any(word.text in ("-v", "-V", "-pv", "-pV") for word in words[1:2]):
        yield from wrapped_commands(words)


def _env(words: tuple[Word, ...]) -> Iterator[Inner]:
    for at, word in enumerate(words[1:], 1):
        match = re.fullmatch(r"(?:-[i0v]*S|--split-string)(=?)(.*)", word.text, re.DOTALL)
        if match:
            yield Inner("script", (word._replace(text=match[2]), *words[at + 1 :]))
            return
    yield from wrapped_commands(words)


def _eval(words: tuple[Word, ...]) -> Iterator[Inner]:
    yield Inner("here", tuple(word for word in words[1:] if word.text != "--"))


def _trap(words: tuple[Word, ...]) -> Iterator[Inner]:
    texts = tuple(word for word in words[1:] if not word.known or word.text[:1] != "-")
    if len(texts) > 1:
        yield Inner("here", texts[:1])


def _alias(words: tuple[Word, ...]) -> Iterator[Inner]:
    for word in words[1:]:
        _, equals, text = word.text.partition("=")
        if equals:
            # Any words may follow where the alias is used.
            yield Inner("here", (word._replace(text=f'{text} "$@"'),))


def _source(words: tuple[Word, ...]) -> Iterator[Inner]:
    if words[1:] and words[1].text in _STDIN:
        yield Inner("input")
    elif words[1:] and words[1].text.startswith(("<(", "=(")) and not words[1].known:
        yield Inner("blind", words[1:2])


def _hash(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield that a name may change its meaning: `hash -p /bin/rm ls`, `enable -f lib ls`."""
    if any(word.text[:2] in ("-p", "-f") or not word.known for word in words[1:]):
        yield Inner("blind")


def _socat(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield the commands in addresses: `EXEC:"cat x",pty`."""
    for word in words[1:]:
        if match := _SOCAT.match(word.text):
            text = word.text[match.end() :].partition(",")[0]
            yield Inner("script", (word._replace(text=text),))


_RUNNERS: dict[str, Callable[[tuple[Word, ...]], Iterator[Inner]]] = {
    "find": _find,
    "gfind": _find,
    "xargs": _xargs,
    "gxargs": _xargs,
    "git": _git,
    "ssh": _ssh,
    "autossh": _ssh,
    "watch": _watch,
    "command": _command,
    "env": _env,
    "genv": _env,
    "eval": _eval,
    "trap": _trap,
    "alias": _alias,
    "hash": _hash,
    "enable": _hash,
    "socat": _socat,
    "source": _source,
    ".": _source,
    **LAUNCHERS,
    **HOSTS,
}
