"""Commands in containers and on other hosts: `docker exec`, `fly ssh`, `npx`.

The shell reader guesses that a command may begin at any of their words; here the guess is checked:
a command follows `docker exec web`, none follows `docker rm`.
"""

import re
from collections.abc import Sequence
from typing import Literal

from hookd.programs.catalogue import with_trait
from hookd.shell.commands import Command
from hookd.shell.quoting import names

Where = Literal["here", "container", "vanishing", "remote"]
"""On this machine; in a container; in a container that is deleted afterwards; on another host."""

CONTAINERS = with_trait("container")
_REMOTE = with_trait("remote")
_BOXES: dict[str, Where] = {
    **dict.fromkeys(with_trait("new-machine"), "vanishing"),
    **dict.fromkeys(with_trait("other-machine"), "container"),
}
"""Programs that run a command on another machine."""
_PACKAGES = with_trait("runs-after-verb")
_DIRECT = with_trait("runs-first-word")
_ALONE = with_trait("has-no-verbs")
"""Programs without subcommands: the command is the first word."""

_RUNS = names("run exec dlx run-script")
_BEFORE_RUNS = ((), ("tool",), ("workspaces", "foreach"), ("workspace", ""))
"""Words before one of those; an empty string means any word."""

_OWN = names("rm unlink link install kill remove")
"""Package managers' subcommands with the name of a program that does something else."""

_NARROW = with_trait("narrow-wrapper")

_SWITCHES = names(
    "-d -i -t -it -ti -itd -dit -dt -di -P --rm --init --detach --interactive --tty --privileged"
    " --no-deps --publish-all --read-only --no-healthcheck --oom-kill-disable --sig-proxy -T -q"
    " --quiet --build --service-ports --no-TTY --stdin --remove-orphans --use-aliases"
)
_MOUNTS = ("-v", "--volume", "--mount", "--volumes-from")
_EXEC = frozenset({"exec", "run", "rsh"})


def runs(parent: Command, command: Command) -> Where | None:
    """Return where a command runs that is among the words of another; None if it is no command.

    `parent` is the command that runs it; words between them may have been mistaken for programs.
    """
    program = command.wrappers[len(parent.wrappers)]
    direct = len(command.wrappers) == len(parent.wrappers) + 1
    if program in CONTAINERS:
        return _contained(program, parent.words, command.words)
    if program in _REMOTE:
        return "remote" if direct else None
    if program in _BOXES:
        return _BOXES[program] if direct else None
    if program == "vagrant":
        return "remote" if direct and _by_ssh(parent.words, command.words) else None
    if program in _PACKAGES or program in _NARROW:
        start = _place(parent.words, command.words)
        real = direct if start is None else _leads(program, parent.words, start)
        return "here" if real else None
    return "here" if direct else None


def _place(words: Sequence[str], tail: Sequence[str]) -> int | None:
    """Return where the tail of a command begins; None if it is none, but a text of its own."""
    start = len(words) - len(tail)
    return start if start > 0 and tuple(words[start:]) == tuple(tail) else None


def _by_ssh(words: Sequence[str], tail: Sequence[str]) -> bool:
    """Return whether vagrant runs the tail of its words, or a text among them, by ssh."""
    start = _place(words, tail)
    if start is None:
        return "ssh" in words
    is_text = words[start - 1] in ("-c", "--command", "--") and not re.search(r"\s", words[start])
    return "ssh" in words[1:start] and is_text


def _leads(program: str, words: Sequence[str], start: int) -> bool:
    verb = _verb(words) if program in _PACKAGES - _ALONE else None
    if verb is not None:
        return start > verb and _flags(words[verb + 1 : start])
    direct = program in _DIRECT or program in _NARROW
    is_subcommand = program in ("pnpm", "yarn") and words[start] in _OWN
    return direct and not is_subcommand and _flags(words[1:start])


def _verb(words: Sequence[str]) -> int | None:
    """Return the place of the subcommand that runs the words after it; None if there is none.

    Only the first word that is no flag can be it, or the first after `tool` and the like.
    """
    for before in _BEFORE_RUNS:
        at = 0
        for expected in before:
            at = _first(words, at, names(expected)) or len(words)
        if (verb := _first(words, at, _RUNS)) is not None:
            return verb
    return None


def _first(words: Sequence[str], after: int, expected: frozenset[str]) -> int | None:
    """Return the place of one of these words, or of any if none: only flags precede it."""
    for at in range(after + 1, len(words)):
        if words[at] in expected or (not expected and words[at][:1] != "-"):
            return at
        if not _flags(words[after + 1 : at + 1]):
            return None
    return None


def _flags(words: Sequence[str]) -> bool:
    """Return whether all of these are flags, or may be values of flags."""
    before = ("", *words)
    return all(
        word[:1] == "-" or last[:1] == "-" for last, word in zip(before, words, strict=False)
    )


def _contained(program: str, words: Sequence[str], tail: Sequence[str]) -> Where | None:
    verb = next((at for at, word in enumerate(words) if at and word in _EXEC), None)
    start = _place(words, tail)
    if verb is None or start is None:
        return None
    flags = words[verb + 1 : start]
    if program in ("kubectl", "oc"):
        begins = flags[-1:] == ("--",) if "--" in words[verb:] else _operand(flags)
        return "container" if begins else None
    if not _operand(flags):
        return None
    stays = words[verb] == "exec" or any(word.startswith(_MOUNTS) for word in flags)
    return "container" if stays or "compose" in words[:verb] else "vanishing"


def _operand(words: Sequence[str]) -> bool:
    """Return whether these are flags, and after them the word that names the container or image."""
    at = 0
    while at < len(words) and words[at][:1] == "-":
        at += 1 if words[at] in _SWITCHES or "=" in words[at] else 2
    return at == len(words) - 1
