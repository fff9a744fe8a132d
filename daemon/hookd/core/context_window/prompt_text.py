"""What a user says in a prompt: without code, what is quoted, and what hookd itself has brought.

All of it is read in one pass: a prompt may be a megabyte.
"""

import re
from collections.abc import Iterator

from hookd.core.context_window.injections import has_tag

_FENCE = re.compile(r"[ \t]*(?P<mark>`{3,}(?=[^`]*\Z)|~{3,})(?P<rest>.*)")
# Each class leaves out its own opener, so that a thousand of them are not a thousand searches.
_QUOTED = re.compile(
    r"`+[^`\n]*`+|\"[^\"\n]*\"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|‘[^‘’\n]*’|「[^「」\n]*」|『[^『』\n]*』"
)
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？؟])|\n+")


def prose(prompt: str) -> str:
    """Return a prompt without fenced code, lines that begin with `>`, and what hookd has brought.

    A text of hookd's goes to the next blank line.
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
    """Return the prose of a prompt without inline code and what stands in quotation marks."""
    return _QUOTED.sub(" … ", prose(prompt))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with the mark that ends it.

    >>> sentences("Cut main.py. Why? Because。So")
    ['Cut main.py.', 'Why?', 'Because。', 'So']
    """
    return [said for one in _END.split(text) if (said := one.strip())]
