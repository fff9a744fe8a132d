"""The home of what `hookd run` does after its client ended, and of how it is started anew.

No pydantic here: the terminal half reads it.
"""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds before each new start in a row of crashes; the crash after the last one is the end."""

STEADY = 60.0
"""Seconds after which a client counts as well: what comes then begins a new row of crashes."""

AT_FIRST = 10.0
"""Seconds within which a client that fails at its very first start has wrong arguments."""

LONGEST_PROMPT = 30_000
"""Characters of a prompt: Linux takes 128 KiB for one argument."""

RESTART_PROMPT = (
    "The client ended unexpectedly, and hookd has started it anew. "
    "See what was done already, by what stands in your context and in the files; go on from there."
)
"""What a model is told after a crash; a restart that was asked for brings its own prompt."""

_WISHES = (0, 130, 131)
"""Codes of an end that a person wanted: 128 and SIGINT, SIGQUIT are keys of a terminal."""

_CLIENT = "claude"
# Options of Claude Code that would bring the old conversation back, by what follows their name.
_ALONE = ("-c", "--continue", "--fork-session")
_WITH_VALUE = ("--session-id", "--resume-session-at")
_WITH_OR_WITHOUT = ("-r", "--resume", "--from-pr", "--teleport")


@dataclass(frozen=True, slots=True)
class Request:
    """The daemon asks for a restart."""

    prompt: str
    reason: str


@dataclass(frozen=True, slots=True)
class Ended:
    """One life of the client. `code` is as shells count: a signal is 128 and its number.

    `first` is the very first start, `asked` a restart that the daemon asked for, `told` the signal
    that ends the supervisor, 0 where there was none.
    """

    code: int
    seconds: float
    first: bool = False
    asked: bool = False
    told: int = 0

    @property
    def failed_first(self) -> bool:
        """Whether its arguments must be wrong."""
        soon = self.first and self.seconds < AT_FIRST
        return soon and self.code not in _WISHES and not self.asked and not self.told


@dataclass(frozen=True, slots=True)
class Again:
    """Start it anew after a pause in seconds.

    `crashes` is how long the row of them is by now; a restart that was asked for within STEADY
    seconds of a start counts, too.
    """

    pause: float
    crashes: int


@dataclass(frozen=True, slots=True)
class Over:
    """End with this code; `gave_up` says that it ended too often in a row."""

    code: int
    gave_up: bool = False


def decide(ended: Ended, crashes: int) -> Again | Over:
    """Return what to do after the client ended, `crashes` of the row being answered already."""
    if ended.told:
        return Over(128 + ended.told)
    row = 0 if ended.seconds >= STEADY else crashes
    if ended.failed_first or (ended.code in _WISHES and not ended.asked):
        return Over(ended.code)
    if row == len(PAUSES):
        return Over(ended.code, gave_up=True)
    if ended.asked:
        # Once is as it should be. Again and again, its windows are full as soon as they begin.
        return Again(PAUSES[row - 1] if row else 0.0, 0 if ended.seconds >= STEADY else row + 1)
    return Again(PAUSES[row], row + 1)


def after_crash(first: str | None) -> str:
    """Return what a model is told after a crash, with the first prompt where there was one."""
    return f"{RESTART_PROMPT} It began with:\n{first}" if first else RESTART_PROMPT


def parse(params: Any, run: str) -> Request | None:
    """Return what a `run.restart` asks for, or None where it is none for this run."""
    if not isinstance(params, Mapping) or params.get("runId") != run:
        return None
    prompt, reason = params.get("prompt"), params.get("reason")
    if not isinstance(prompt, str):
        return None
    # No argument of a program can hold a NUL or half of a surrogate pair.
    text = prompt.replace("\0", "").encode("utf-8", "replace").decode()[:LONGEST_PROMPT]
    return Request(text, reason if isinstance(reason, str) else "the daemon asks for it")


def with_prompt(command: Sequence[str], prompt: str) -> list[str]:
    """Return the command with the prompt as its last argument.

    A `--` goes before it where an option could take it for one more of its values, as the client's
    --allowedTools and --add-dir do, or where it begins with a dash.

    >>> with_prompt(["claude", "--add-dir", "lib"], "Go on.")
    ['claude', '--add-dir', 'lib', '--', 'Go on.']
    """
    arguments = list(command[1:])
    after = arguments[::-1].index("--") if "--" in arguments else len(arguments)
    open_ended = any(one.startswith("-") for one in arguments[len(arguments) - after :])
    bare_dash = prompt.startswith("-") and "--" not in arguments
    mark = ["--"] if open_ended or bare_dash else []
    return [*command, *mark, prompt]


def anew(command: Sequence[str], prompt: str) -> list[str]:
    """Return the command that begins a new conversation with this prompt.

    >>> anew(["claude", "--model", "opus", "--resume", "8f2c"], "Go on.")
    ['claude', '--model', 'opus', '--', 'Go on.']
    """
    named = (place for place, word in enumerate(command) if word.rpartition("/")[2] == _CLIENT)
    place = next(named, len(command))
    return with_prompt([*command[: place + 1], *_unbound(command[place + 1 :])], prompt)


def _unbound(arguments: Sequence[str]) -> list[str]:
    """Return the client's arguments without those that name an old conversation, and their values.

    They are those behind the client's own name: -c means another thing to a program that starts it.
    """
    kept, rest = [], deque(arguments)
    while rest:
        argument = rest.popleft()
        name, inline, _ = argument.partition("=")
        if name in (*_WITH_VALUE, *_WITH_OR_WITHOUT):
            # An optional value is what follows, unless that begins with a dash.
            takes = name in _WITH_VALUE or (rest and not rest[0].startswith("-"))
            if rest and takes and not inline:
                rest.popleft()
        elif name not in _ALONE and not argument.startswith("-r"):  # -r8f2c is -r 8f2c
            kept.append(_without_continue(argument))
    return kept


def _without_continue(argument: str) -> str:
    """Return short options in one word without -c: `-cp` is `-c -p`."""
    return argument.replace("c", "") if re.fullmatch("-[cp]+", argument) else argument
