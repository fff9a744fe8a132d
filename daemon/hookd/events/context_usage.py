"""How full a context window is: its size by the model, and what a transcript's end says of it.

No event of a turn tells it. The client's own rule is followed here: the last answer of the model
counts what it was sent. The file lags behind the conversation, so the number is a lower bound.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, get_args, runtime_checkable

_USUAL, _LARGE = 200_000, 1_000_000
_MODEL = re.compile(
    r"claude-(?P<family>[a-z]+)-(?P<major>\d{1,2})(?!\d)(?:-(?P<minor>\d{1,2})(?!\d))?"
)
_LARGE_FROM: Mapping[str, tuple[int, int]] = {
    "fable": (5, 0),
    "haiku": (5, 5),
    "mythos": (5, 0),
    "opus": (4, 7),
    "sonnet": (5, 0),
}
"""The version of each family from which on its window is large by itself."""
_TAG = "[1m]"
"""What a model is called by whose window was made large; its answers do not have it."""

_MAX_TOKENS = 100_000_000
"""Tokens above which a number is no count of them."""
_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)

ESTIMATED_SOURCES = (None, "transcript", "event")
"""Sources of a share that hookd has found out by itself; any other was told, and is exact."""

Level = Literal["notice", "warn", "overflow", "critical"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The names of the levels that a window comes to, in this order."""


@dataclass(frozen=True, slots=True)
class Levels:
    """From which share of the window in use on each level begins."""

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
    """Return the levels as the user has set them, by the options of each policy."""
    found = options.get("overflow")
    return found.levels if isinstance(found, _SetsLevels) else Levels()


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens in a window, and the model that counted them; `at` is when, where that is known.

    `tokens` is None where the window was compacted since, and nobody has counted what is left.
    """

    tokens: int | None
    model: str | None = None
    at: str | None = None
    compacted: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """What is known of a window: when and by what it began, what it holds, who said how full."""

    begun: str
    source: str
    model: str | None = None
    tokens: int | None = None
    usage: float | None = None
    told_by: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The share in use; None: it is not known any more."""

    usage: float | None


def window_size(
    model: str | None, *, told: int | None = None, chosen: int | None = None, used: int = 0
) -> int:
    """Return how many tokens a window holds: as chosen, else as told, else by its model.

    One that holds more than its model's usual window is a large one.

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
    """Return the share of a window that so many tokens take, 1.0 at most."""
    return min(tokens / window_size(model, told=told, chosen=chosen, used=tokens), 1.0)


def token_count(value: object) -> int | None:
    """Return a number of tokens; None for what is none, or is out of all measure."""
    sane = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_TOKENS
    return value if sane and isinstance(value, int) else None


def is_own(path: str, agent_id: str | None) -> bool:
    """Whether a transcript is a subagent's own, and not that of the window it runs in."""
    return agent_id is not None and path.rpartition("/")[2] == f"agent-{agent_id}.jsonl"


def last_usage(lines: Sequence[bytes], *, sidechains: bool = False) -> Usage | None:
    """Return what the end of a transcript says, oldest line first; None where no line says it.

    A subagent's lines count where `sidechains` are asked for: in a file of its own. After a
    compaction the tokens are those that were left, and None where the client has not said so.
    """
    compacted: Usage | None = None
    for line in reversed(lines):
        if b"usage" not in line and b"compact_boundary" not in line:
            continue
        value = _object(line)
        if value.get("isSidechain") and not sidechains:
            continue
        if answer := _answer(value):
            return replace(compacted, model=answer.model) if compacted else answer
        compacted = compacted or _boundary(value)
    return compacted


def read_usage(window: Window, usage: Usage, chosen: int | None) -> Reading | None:
    """Return how full a window is by its transcript; None where what is known stays.

    What was told stays. What is older than the window itself is only taken where nothing is known:
    a window that begins by a compaction does not hold what was counted before.
    """
    if window.told_by not in ESTIMATED_SOURCES or not _counts(window, usage):
        return None
    model = _counting(window.model, usage.model)
    tokens = usage.tokens
    new = None if tokens is None else share(tokens, model, told=window.tokens, chosen=chosen)
    return None if new == window.usage else Reading(new)


def _counts(window: Window, usage: Usage) -> bool:
    if usage.at is None or usage.at >= window.begun:
        return True
    return window.usage is None and (usage.compacted or window.source != "compact")


def _counting(own: str | None, answered: str | None) -> str | None:
    """Return the model whose window it is: the one that answered, as large as its window's is."""
    if answered is None:
        return own
    same = own is not None and _kind(own.lower()) in (None, _kind(answered.lower()))
    return own if same and own is not None and _TAG in own.lower() else answered


def _kind(name: str) -> tuple[str, tuple[int, int]] | None:
    """Return the family and the version that a model's id names."""
    found = _MODEL.search(name)
    return (found["family"], (int(found["major"]), int(found["minor"] or 0))) if found else None


def _object(line: bytes) -> Mapping[str, Any]:
    try:
        # Not pydantic's: it refuses the half characters that a client leaves where it cut a text.
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _answer(value: Mapping[str, Any]) -> Usage | None:
    """Return what one answer of the model counts."""
    message = value.get("message")
    if value.get("type") != "assistant" or value.get("isApiErrorMessage"):
        return None
    if not isinstance(message, dict) or message.get("model") == "<synthetic>":
        return None
    tokens = _tokens(message.get("usage"))
    model = message.get("model")
    return Usage(tokens, model if isinstance(model, str) else None, _at(value)) if tokens else None


def _tokens(usage: object) -> int:
    """Return the tokens that an answer was made from; 0 where it does not say."""
    if not isinstance(usage, dict):
        return 0
    steps = usage.get("iterations")
    # Where the server has called tools by itself, the whole may say nothing, and its last step all.
    return _sum(usage) or (_sum(steps[-1]) if isinstance(steps, list) and steps else 0)


def _sum(usage: object) -> int:
    return sum(token_count(usage.get(key)) or 0 for key in _INPUT) if isinstance(usage, dict) else 0


def _boundary(value: Mapping[str, Any]) -> Usage | None:
    """Return what is left where the conversation was compacted."""
    if (value.get("type"), value.get("subtype")) != ("system", "compact_boundary"):
        return None
    about = value.get("compactMetadata")
    left = token_count(about.get("postTokens")) if isinstance(about, dict) else None
    return Usage(left, at=_at(value), compacted=True)


def _at(value: Mapping[str, Any]) -> str | None:
    time = value.get("timestamp")
    return time if isinstance(time, str) and _TIME.fullmatch(time) else None
