"""Restart policy of `hookd run`: whether, when and with which command the client restarts.

Pure functions; no pydantic, since the command line imports it.
"""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from hookd.lazy_dataclass import dataclass

RESTART_DELAYS_S = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Delay before each restart in a series of crashes; the crash after the last one is final."""

STEADY = 60.0
"""Seconds after which a client counts as steady: a later crash begins a new series."""

AT_FIRST = 10.0
"""Seconds: a client that fails sooner at its first start has wrong arguments."""

LONGEST_PROMPT = 30_000
"""Characters of a prompt: Linux takes 128 KiB for one argument."""

RESTART_PROMPT = (
    "The client crashed, and hookd restarted it. "
    "Check what is done already, in your context and in the files, and continue from there."
)
"""Prompt after a crash; a requested restart has its own prompt."""

_WISHES = (0, 130, 131)
"""Exit codes of an intended end: success, and 128 with SIGINT or SIGQUIT, keys of a terminal."""

_CLIENT = "claude"
# Options of Claude Code that would resume the old conversation, by the values they take.
_ALONE = ("-c", "--continue", "--fork-session")
_WITH_VALUE = ("--session-id", "--resume-session-at")
_WITH_OR_WITHOUT = ("-r", "--resume", "--from-pr", "--teleport")


@dataclass(frozen=True, slots=True)
class Request:
    """The daemon's request for a restart."""

    prompt: str
    reason: str


@dataclass(frozen=True, slots=True)
class Ended:
    """One run of the client. `code` is as in shells: a signal is 128 and its number.

    `first` is the first start, `asked` a restart that the daemon requested, `told` the signal that
    ends the supervisor, 0 without one.
    """

    code: int
    seconds: float
    first: bool = False
    asked: bool = False
    told: int = 0

    @property
    def failed_first(self) -> bool:
        """Whether its arguments are probably wrong."""
        soon = self.first and self.seconds < AT_FIRST
        return soon and self.code not in _WISHES and not self.asked and not self.told


@dataclass(frozen=True, slots=True)
class Again:
    """Restart after a pause in seconds.

    `crashes` is the length of the series; a requested restart within STEADY seconds of a start
    counts, too.
    """

    pause: float
    crashes: int


@dataclass(frozen=True, slots=True)
class Over:
    """End with this code; `gave_up` is whether it ended too often in a series."""

    code: int
    gave_up: bool = False


def decide(ended: Ended, crashes: int) -> Again | Over:
    """Return what to do after the client ended; `crashes` are those of the series so far."""
    if ended.told:
        return Over(128 + ended.told)
    row = 0 if ended.seconds >= STEADY else crashes
    if ended.failed_first or (ended.code in _WISHES and not ended.asked):
        return Over(ended.code)
    if row == len(RESTART_DELAYS_S):
        return Over(ended.code, gave_up=True)
    if ended.asked:
        # Once is normal. Repeatedly, its context windows are full as soon as they begin.
        return Again(
            RESTART_DELAYS_S[row - 1] if row else 0.0, 0 if ended.seconds >= STEADY else row + 1
        )
    return Again(RESTART_DELAYS_S[row], row + 1)


def after_crash(first: str | None) -> str:
    """Return the prompt after a crash, with the first prompt if there was one."""
    return f"{RESTART_PROMPT} It began with:\n{first}" if first else RESTART_PROMPT


def parse(params: Any, run: str) -> Request | None:
    """Return the request of a `run.restart`; None if it is invalid or for another run."""
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

    A `--` precedes it if an option could take it as a further value, such as the client's
    --allowedTools and --add-dir, or if it begins with a dash.

    >>> with_prompt(["claude", "--add-dir", "lib"], "Next.")
    ['claude', '--add-dir', 'lib', '--', 'Next.']
    """
    arguments = list(command[1:])
    after = arguments[::-1].index("--") if "--" in arguments else len(arguments)
    open_ended = any(one.startswith("-") for one in arguments[len(arguments) - after :])
    bare_dash = prompt.startswith("-") and "--" not in arguments
    mark = ["--"] if open_ended or bare_dash else []
    return [*command, *mark, prompt]


def restart_command(command: Sequence[str], prompt: str) -> list[str]:
    """Return the command that begins a new conversation with this prompt.

    >>> restart_command(["claude", "--model", "opus", "--resume", "8f2c"], "Next.")
    ['claude', '--model', 'opus', '--', 'Next.']
    """
    named = (place for place, word in enumerate(command) if word.rpartition("/")[2] == _CLIENT)
    place = next(named, len(command))
    return with_prompt([*command[: place + 1], *_unbound(command[place + 1 :])], prompt)


def _unbound(arguments: Sequence[str]) -> list[str]:
    """Return the client's arguments without those that resume a conversation, and their values.

    `arguments` follow the client's own name: -c means something else to a program that starts it.
    """
    left, rest = [], deque(arguments)
    while rest:
        argument = rest.popleft()
        name, inline, _ = argument.partition("=")
        if name in (*_WITH_VALUE, *_WITH_OR_WITHOUT):
            # An optional value follows, unless the next word begins with a dash.
            takes = name in _WITH_VALUE or (rest and not rest[0].startswith("-"))
            if rest and takes and not inline:
                rest.popleft()
        elif name not in _ALONE and not argument.startswith("-r"):  # -r8f2c is -r 8f2c
            left.append(_without_continue(argument))
    return left


def _without_continue(argument: str) -> str:
    """Return short options in one word without -c: `-cp` is `-c -p`."""
    return argument.replace("c", "") if re.fullmatch("-[cp]+", argument) else argument
