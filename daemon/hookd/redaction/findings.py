"""Secret findings: the kind and position of every secret that `redact` would replace.

`hookd redact` shows them. The positions refer to the original text.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.redaction.patterns import MARK
from hookd.redaction.redact import redact, redact_text

_TOKEN = lazy_compile(r'"(?>(?:[^"\\]|\\.)*)"|[^\s"\[\]{}:,]++|[\[\]{}:,]', re.DOTALL)
_CHARACTER = lazy_compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)
_KIND = lazy_compile(re.escape(MARK) + r"([^\]]+)\]")
_WHOLE = lazy_compile(re.escape(MARK) + r"value\]")


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret from character `start` up to `end`; it has the kind, never the secret itself."""

    kind: str
    start: int
    end: int

    def place(self, text: str) -> tuple[int, int]:
        """Return the line and the column, both from 1."""
        line = text.rfind("\n", 0, self.start) + 1
        return text.count("\n", 0, self.start) + 1, self.start - line + 1


def findings(text: str, *, env_file: bool = False) -> list[Finding]:
    """Return the secrets that `redact` would replace, in text order."""
    if text.startswith(("{", "[")):
        pairs = _paired(text, redact(text, env_file=env_file))
        if pairs is not None:
            return [one for token, kept in pairs for one in _in_token(token, kept, env_file)]
    return _in_text(text, env_file)


def _in_text(text: str, env_file: bool) -> list[Finding]:
    traced = _Traced(len(text))
    redact_text(text, env_file=env_file, trail=traced)
    return sorted(traced.found, key=lambda one: one.start)


class _Traced:
    """Follows a text through its changes: `origin` maps each character to its original span."""

    def __init__(self, length: int) -> None:
        self.origin = [(at, at + 1) for at in range(length)]
        self.found: list[Finding] = []

    def __call__(self, places: list[tuple[int, int]], kind: str) -> None:
        fresh: list[tuple[int, int]] = []
        kept = 0
        for start, end in places:
            first = self.origin[start][0], self.origin[end - 1][1]
            fresh += self.origin[kept:start] + [first] * len(f"{MARK}{kind}]")
            kept = end
            self._note(Finding(kind, *first))
        self.origin = fresh + self.origin[kept:]

    def _note(self, one: Finding) -> None:
        """Add a finding; it replaces the findings that it overlaps."""
        apart = [two for two in self.found if two.end <= one.start or two.start >= one.end]
        self.found = [*apart, one]


def _paired(text: str, kept: str) -> list[tuple[re.Match[str], str]] | None:
    """Return each token of a JSON text with its redacted form; None if they do not correspond."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    before, after = list(_TOKEN.finditer(text)), _TOKEN.findall(kept)
    return list(zip(before, after, strict=True)) if len(before) == len(after) else None


def _in_token(token: re.Match[str], kept: str, env_file: bool) -> Iterator[Finding]:
    kinds = _KIND.findall(kept)
    if not kinds or kept == token[0]:
        return
    if token[0][0] != '"':
        yield Finding(kinds[0], *token.span())
        return
    raw = [token.start() + 1 + one.start() for one in _CHARACTER.finditer(token[0][1:-1])]
    raw.append(token.end() - 1)
    inner = findings(json.loads(token[0], strict=False), env_file=env_file)
    if _WHOLE.fullmatch(kept[1:-1]) or not inner:
        yield Finding(kinds[0], raw[0], raw[-1])
        return
    for one in inner:
        yield replace(one, start=raw[one.start], end=raw[one.end])
