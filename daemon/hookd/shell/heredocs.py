"""Texts without the content of their heredocs, for searches by pattern."""

import re

from hookd.lazy_pattern import lazy_compile

_TOKEN = lazy_compile(
    r"\\.|(?<![^\s;&|()])\#[^\n]*|'[^']*'|\"(?:[^\"\\]|\\.)*\"|<<<|\n"
    r"|<<(?P<dash>-?)[ \t]*(?P<start>'[^'\n]+'|\"[^\"\n]+\"|\\?\w+)",
    re.DOTALL,
)
_CHANGING = lazy_compile(r"\b(?:eval|source)\b|(?:^|[\s;&|])\.[ \t]")
_QUOTES = "'\"\\"
_MOST = 32
"""Heredocs of one line."""


def without_heredocs(text: str) -> tuple[str, str] | None:
    """Return the text with blanks in the place of its heredocs, and what another shell may expand.

    The second text are the heredocs with quoted delimiters, or with escaped variables. None if the
    reading is not certain, or if a command may run a heredoc in the shell itself.
    """
    if _CHANGING.search(text):
        return None
    parts: list[str] = []
    foreign: list[str] = []
    opened: list[re.Match[str]] = []
    at = 0
    while match := _TOKEN.search(text, at):
        parts.append(text[at : match.end()])
        at = match.end()
        opened += [match] if match["start"] else []
        if match[0] != "\n":
            continue
        for start in opened[:_MOST]:
            end = _end_of(start, text, at)
            if end < 0:
                return None
            body, at = text[at:end], end
            parts.append(re.sub(r"[^\n]", " ", body))
            foreign += [body] if start["start"][0] in _QUOTES or "\\$" in body else []
        if len(opened) > _MOST:
            return None
        opened = []
    return None if opened else ("".join((*parts, text[at:])), "\n".join(foreign))


def _end_of(start: re.Match[str], text: str, at: int) -> int:
    """Return where the heredoc ends whose content begins at `at`; -1 if nowhere."""
    tabs = r"\t*" if start["dash"] else ""
    delimiter = re.escape(start["start"].strip(_QUOTES))
    end = re.compile(rf"^{tabs}{delimiter}$", re.MULTILINE).search(text, at)
    return end.end() if end else -1
