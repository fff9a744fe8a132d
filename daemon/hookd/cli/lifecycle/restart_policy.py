"""Restart policy of `hookd run`: whether and when the client restarts, and with which prompt.

Pure functions; no pydantic, since the command line imports it.
"""

from collections.abc import Mapping
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
