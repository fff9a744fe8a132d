"""Texts of hooks in a resumed conversation, by the transcript of Claude Code.

No other client writes such lines: there a text that was sent counts as not read.
"""

import json
import re
from collections.abc import Iterable

from hookd.lazy_pattern import lazy_compile

_MESSAGE = (b'"type":"user"', b'"type":"assistant"')
_VERSION = lazy_compile(r"\d{1,6}(?:\.\d{1,6}){2}", re.ASCII)
_KEEPS_END = (2, 1, 120)


def hook_contexts(lines: Iterable[bytes]) -> tuple[str, ...]:
    """Return the texts of hooks in a resumed conversation, from its transcript's lines.

    A client older than 2.1.120 resumes from the last message and drops the texts after it.
    """
    found: list[str] = []
    followed = 0
    version: tuple[int, ...] = _KEEPS_END
    for line in lines:
        if any(mark in line for mark in _MESSAGE):
            followed = len(found)
        if b'"hook_additional_context"' not in line:
            continue
        try:
            value = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            continue
        added = value.get("attachment") if isinstance(value, dict) else None
        if isinstance(added, dict) and added.get("type") == "hook_additional_context":
            content = added.get("content")
            texts = content if isinstance(content, list) else [content]
            found += [text for text in texts if isinstance(text, str)]
            version = _version(value.get("version"))
    return tuple(found if version >= _KEEPS_END else found[:followed])


def _version(value: object) -> tuple[int, ...]:
    """Return a client's version; a current one if it is unknown."""
    known = isinstance(value, str) and _VERSION.fullmatch(value)
    return tuple(map(int, value.split("."))) if known and isinstance(value, str) else _KEEPS_END
