"""Context usage at the end of Claude Code's transcript.

The events of a turn do not report it. As in the client, the last answer of the model counts its
input. The file lags behind the conversation, so the number is a lower bound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hookd.events.context_usage import Usage, token_count
from hookd.events.transcript import line_object, line_time

_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def last_usage(lines: Sequence[bytes], *, own: bool = False) -> Usage | None:
    """Return the usage at the end of a transcript (oldest line first), None without one.

    A subagent's lines count only with `own`, in its own file. After a compaction the tokens
    are those that were left, None if the client did not report them.
    """
    compacted: Usage | None = None
    for line in reversed(lines):
        if b"usage" not in line and b"compact_boundary" not in line:
            continue
        value = line_object(line)
        if value.get("isSidechain") and not own:
            continue
        if answer := _answer(value):
            return replace(compacted, model=answer.model) if compacted else answer
        compacted = compacted or _boundary(value)
    return compacted


def _answer(value: Mapping[str, Any]) -> Usage | None:
    """Return the usage in one answer of the model."""
    message = value.get("message")
    if value.get("type") != "assistant" or value.get("isApiErrorMessage"):
        return None
    if not isinstance(message, dict) or message.get("model") == "<synthetic>":
        return None
    tokens, model = _tokens(message.get("usage")), message.get("model")
    if not tokens:
        return None
    return Usage(tokens, model if isinstance(model, str) else None, line_time(value))


def _tokens(usage: object) -> int:
    """Return the input tokens of an answer; 0 if unknown."""
    if not isinstance(usage, dict):
        return 0
    steps = usage.get("iterations")
    # If the server called tools, only the last step may have the numbers.
    return _sum(usage) or (_sum(steps[-1]) if isinstance(steps, list) and steps else 0)


def _sum(usage: object) -> int:
    return sum(token_count(usage.get(key)) or 0 for key in _INPUT) if isinstance(usage, dict) else 0


def _boundary(value: Mapping[str, Any]) -> Usage | None:
    """Return the usage after a compaction."""
    if (value.get("type"), value.get("subtype")) != ("system", "compact_boundary"):
        return None
    about = value.get("compactMetadata")
    left = token_count(about.get("postTokens")) if isinstance(about, dict) else None
    return Usage(left, at=line_time(value), compacted=True)
