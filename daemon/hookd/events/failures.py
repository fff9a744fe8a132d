"""Failure kinds: classify errors of the API and of tools by words in their texts.

The words are searched for literally, in the beginning of a text, ignoring case.
"""

from collections.abc import Mapping
from typing import Any

from hookd.lazy_pattern import lazy_compile

_READ = 20_000
"""Maximum characters of a text that are searched; the error is at the beginning."""

_LIMIT_WORDS = (
    "prompt is too long",
    "input is too long",
    "input length and `max_tokens` exceed context limit",
    "conversation is too long",
    "context_length_exceeded",
    "exceeds the context window",
    "exceed the context window",
    "exceeded the context window",
    "maximum context length",
    "context window is full",
)

_BY_TEXT: Mapping[str, tuple[str, ...]] = {
    "rate_limit": ("rate limit", "rate_limit", "too many requests", "(429)", "hit your limit"),
    "overloaded": ("overloaded", "(529)"),
    "authentication_failed": ("authentication_error", "invalid api key", "(401)"),
    "server_error": ("internal server error", "api_error", "(500)", "(502)", "(503)", "(504)"),
    "connection": ("connection error", "econnre", "enotfound", "etimedout", "fetch failed"),
    "timeout": ("timed out", "timeout"),
}
"""Words of API errors, by kind, for errors that the client did not classify."""

_TOOL_WORDS: Mapping[str, tuple[str, ...]] = {
    "rate_limit": ("rate limit", "rate_limit", "too many requests", "status code 429", "http 429"),
    "timeout": ("timed out", "timeout exceeded", "timeouterror", "deadline exceeded", "etimedout"),
    "missing_command": ("command not found", "exit code 127"),
    "network": (
        *("could not resolve host", "temporary failure in name resolution", "enotfound"),
        *("connection refused", "econnrefused", "connection reset", "econnreset"),
        *("network is unreachable", "fetch failed", "socket hang up", "connection error"),
        *("service unavailable", "bad gateway", "status code 503", "status code 502"),
    ),
    "permission": ("permission denied", "operation not permitted", "eacces", "eperm"),
    "no_space": ("no space left on device", "enospc", "disk quota exceeded"),
    "missing_file": ("no such file or directory", "enoent", "file does not exist"),
}
"""Words of tool errors, by kind, the most reliable first."""

_TOKENS = lazy_compile(r"([0-9][0-9,]{0,12}) tokens > ([0-9][0-9,]{0,12})")


def error_text(*texts: Any) -> str:
    """Return the searchable beginning of some texts, in lower case; other values are ignored."""
    return "\n".join(text[:_READ] for text in texts if isinstance(text, str)).lower()


def is_window_full(said: str) -> bool:
    """Return whether an error says that a request does not fit into the model's window."""
    return any(word in said for word in _LIMIT_WORDS)


def token_counts(said: str) -> tuple[int, int] | None:
    """Return the tokens of a request and the maximum, if an error has them.

    >>> tokens("prompt is too long: 205,000 tokens > 200000 maximum")
    (205000, 200000)
    """
    found = _TOKENS.search(said)
    if found is None:
        return None
    had, most = (int(number.replace(",", "")) for number in found.groups())
    return had, most


def api_kind(error: str, said: str) -> str:
    """Return the kind of an API error: the client's own word, else by its text.

    >>> api_kind("unknown", "api error: (529) overloaded"), api_kind("billing_error", "")
    ('overloaded', 'billing_error')
    """
    return error if error and error != "unknown" else _named(_BY_TEXT, said) or "unknown"


def tool_kind(said: str) -> str | None:
    """Return the kind of a tool's failure; None for the tool's own errors."""
    return _named(_TOOL_WORDS, said)


def _named(kinds: Mapping[str, tuple[str, ...]], said: str) -> str | None:
    return next(
        (kind for kind, words in kinds.items() if any(word in said for word in words)), None
    )
