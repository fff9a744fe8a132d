"""Prompt text: the user's own sentences, without code, quotations and texts added by hookd.

It is read in one pass, because a prompt may have a megabyte.
"""

from collections.abc import Iterator

from hookd.core.context_window.injections import has_tag
from hookd.lazy_pattern import lazy_compile

_FENCE = lazy_compile(r"[ \t]*(?P<mark>`{3,}(?=[^`]*\Z)|~{3,})(?P<rest>.*)")
# Each class excludes its own opener, so that many openers do not take quadratic time.
_QUOTED = lazy_compile(
    r"`+[^`\n]*`+|\"[^\"\n]*\"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|‘[^‘’\n]*’|「[^「」\n]*」|『[^『』\n]*』"
)
_END = lazy_compile(r"(?<=[.!?])\s+|(?<=[。！？؟])|\n+")


def prose(prompt: str) -> str:
    """Return a prompt without fenced code, lines that begin with `>`, and hookd's texts.

    A text of hookd extends to the next blank line.
    """
    return "\n".join(_lines(prompt))


def _lines(prompt: str) -> Iterator[str]:
    fence, ours = "", False
    for line in prompt.splitlines():
        mark = _FENCE.fullmatch(line)
        if fence:
            closes = mark and mark["mark"].startswith(fence) and not mark["rest"].strip()
            fence = "" if closes else fence
            continue
        ours = bool(line.strip()) and (ours or has_tag(line))
        if mark and not ours:
            fence = mark["mark"]
        elif not ours and not line.lstrip().startswith(">"):
            yield line


def unquoted_prose(prompt: str) -> str:
    """Return the prose of a prompt without inline code and quotations."""
    return _QUOTED.sub(" … ", prose(prompt))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with its closing mark.

    >>> sentences("Cut main.py. Why? Because。So")
    ['Cut main.py.', 'Why?', 'Because。', 'So']
    """
    return [said for one in _END.split(text) if (said := one.strip())]
