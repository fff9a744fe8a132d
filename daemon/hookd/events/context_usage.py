"""Context usage: the size of a model's window, and the used tokens as a transcript reports them.

A transcript lags behind the conversation, so its number is a lower bound.
"""

from collections.abc import Mapping
from typing import Literal, Protocol, get_args, runtime_checkable

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

_USUAL, _LARGE = 200_000, 1_000_000
_MODEL = lazy_compile(
    r"claude-(?P<family>[a-z]+)-(?P<major>\d{1,2})(?!\d)(?:-(?P<minor>\d{1,2})(?!\d))?"
)
_LARGE_FROM: Mapping[str, tuple[int, int]] = {
    "fable": (5, 0),
    "haiku": (5, 5),
    "mythos": (5, 0),
    "opus": (4, 7),
    "sonnet": (5, 0),
}
"""The first version of each family with a large window by default."""
_TAG = "[1m]"
"""Suffix of a model with an enlarged window; its answers do not have it."""

_MAX_TOKENS = 100_000_000
"""A higher number is not a count of tokens."""

ESTIMATED_SOURCES = (None, "transcript", "event")
"""Sources of a share that hookd estimated; any other source reported it exactly."""

Level = Literal["notice", "warn", "overflow", "critical"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The levels of context usage, in ascending order."""


@dataclass(frozen=True, slots=True)
class Levels:
    """The used share at which each level begins."""

    notice: float = 0.70
    warn: float = 0.80
    overflow: float = 0.90
    critical: float = 0.95

    def at(self, level: Level) -> float:
        """The share at which a level begins."""
        found: float = getattr(self, level)
        return found


@runtime_checkable
class _SetsLevels(Protocol):
    @property
    def levels(self) -> Levels: ...


def levels(options: Mapping[str, object]) -> Levels:
    """Return the levels from the policies' options."""
    found = options.get("overflow")
    return found.levels if isinstance(found, _SetsLevels) else Levels()


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens in a window, and the model that counted them; `at` is the time, if known.

    `tokens` is None if the window was compacted since and the rest was not counted. `window` is its
    size, if the transcript has it. Without any known size, it follows from the model only if
    `by_model`: otherwise the share stays unknown.
    """

    tokens: int | None
    model: str | None = None
    at: str | None = None
    compacted: bool = False
    window: int | None = None
    by_model: bool = True


@dataclass(frozen=True, slots=True)
class Window:
    """A window: its start and source, its size in tokens, its usage and who reported it."""

    begun: str
    source: str
    model: str | None = None
    tokens: int | None = None
    usage: float | None = None
    told_by: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The used share, and the size of the window if the transcript has it; None: not known."""

    usage: float | None
    window: int | None = None


def window_size(
    model: str | None, *, told: int | None = None, chosen: int | None = None, used: int = 0
) -> int:
    """Return the size of a window in tokens: as chosen, else as reported, else by its model.

    A window with more used tokens than its model's usual size is a large one.

    >>> window_of("claude-sonnet-4-6"), window_of("claude-sonnet-4-6[1m]")
    (200000, 1000000)
    """
    if known := chosen or told:
        return known
    name = (model or "").lower()
    kind = _kind(name)
    large = kind is not None and kind[1] >= _LARGE_FROM.get(kind[0], (100, 0))
    return _LARGE if large or _TAG in name or used > _USUAL else _USUAL


def share(
    tokens: int, model: str | None, *, told: int | None = None, chosen: int | None = None
) -> float:
    """Return the share of a window that these tokens use, 1.0 at most."""
    return min(tokens / window_size(model, told=told, chosen=chosen, used=tokens), 1.0)


def token_count(value: object) -> int | None:
    """Return a number of tokens; None for any other value, or an absurd number."""
    sane = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_TOKENS
    return value if sane and isinstance(value, int) else None


def is_own(path: str, agent_id: str | None) -> bool:
    """Return whether a transcript is a subagent's own, not its parent session's.

    Its name ends with the subagent's id, in every client that has such files.
    """
    return bool(agent_id) and path.rpartition("/")[2].endswith(f"-{agent_id}.jsonl")


def read_usage(window: Window, usage: Usage, chosen: int | None) -> Reading | None:
    """Return the usage of a window by its transcript; None if the known value stays.

    A reported value stays. A count from before the window is used only if nothing is known, and not
    after a compaction, which removed the counted text.
    """
    if window.told_by not in ESTIMATED_SOURCES or not _counts(window, usage):
        return None
    model = _counting(window.model, usage.model)
    told = usage.window or window.tokens
    if not (usage.by_model or told or chosen):
        return None
    tokens = usage.tokens
    new = None if tokens is None else share(tokens, model, told=told, chosen=chosen)
    return None if new == window.usage else Reading(new, usage.window)


def _counts(window: Window, usage: Usage) -> bool:
    if usage.at is None or usage.at >= window.begun:
        return True
    return window.usage is None and (usage.compacted or window.source != "compact")


def _counting(own: str | None, answered: str | None) -> str | None:
    """Return the window's model: the model that answered, with the suffix of a large window."""
    if answered is None:
        return own
    same = own is not None and _kind(own.lower()) in (None, _kind(answered.lower()))
    return own if same and own is not None and _TAG in own.lower() else answered


def _kind(name: str) -> tuple[str, tuple[int, int]] | None:
    """Return the family and the version that a model's id names."""
    found = _MODEL.search(name)
    return (found["family"], (int(found["major"]), int(found["minor"] or 0))) if found else None
