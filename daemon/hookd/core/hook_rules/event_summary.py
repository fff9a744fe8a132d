"""The home of an event in brief, to fit into variables: texts are cut, what files hold is left out.

JSON stays JSON as long as that can be had: long texts in it are cut before the whole is.
"""

import json
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from hookd.events.model import HookInput

_FILE_TOOLS = frozenset({"Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "NotebookRead"})
_FILE_CONTENT_KEYS = frozenset(
    {
        *("content", "old_string", "new_string", "new_source", "old_source", "cells", "base64"),
        *("oldString", "newString", "originalFile", "structuredPatch", "gitDiff"),
        *("original_file", "updated_file"),
    }
)
"""What is written in a file, as the file tools name it in their inputs and results."""

_DEPTH = 16
_LENGTHS = (2_048, 1_000, 400, 100, 20)  # of texts and lists, until the whole is short enough
_EXIT_CODE = re.compile(r"Exit code (\d{1,9})\b")


def truncate_bytes(text: str, limit: int) -> str:
    r"""Return the beginning of a text that is at most `limit` bytes: whole characters, and no NUL.

    >>> capped("a\0bcé", 4)
    'abc'
    """
    return text.replace("\0", "")[:limit].encode("utf-8", "replace")[:limit].decode(errors="ignore")


def summarize(tool: str, value: Any, limit: int) -> str:
    """Return the input or the result of a tool's call: a text as it is, all else as JSON.

    Of a tool that reads or writes files, what is written in them is left out.
    """
    if isinstance(value, str):
        return truncate_bytes(value, limit)
    left_out = _FILE_CONTENT_KEYS if tool in _FILE_TOOLS else frozenset[str]()
    text = ""
    for length in _LENGTHS:
        short = _shortened(value, length, left_out)
        text = json.dumps(short, ensure_ascii=False, separators=(",", ":"), default=str)
        if len(text.encode("utf-8", "replace")) <= limit:
            break
    return truncate_bytes(text, limit)


def exit_code(event: HookInput) -> str | None:
    """Return the code that an event's command ended with, where the event tells."""
    error, result = getattr(event, "error", None), getattr(event, "tool_response", None)
    if isinstance(error, str):
        found = _EXIT_CODE.match(error)
        return found and found[1]
    if getattr(event, "tool_name", None) != "Bash" or not isinstance(result, Mapping):
        return None
    # These say that it still runs, was broken off, or ended with a code that is no failure of it.
    unsure = ("backgroundTaskId", "interrupted", "returnCodeInterpretation")
    return None if any(result.get(key) for key in unsure) else "0"


def _shortened(value: Any, length: int, left_out: frozenset[str], depth: int = 0) -> Any:
    if isinstance(value, str):
        return value[:length]
    if not isinstance(value, Mapping | list | tuple):
        return value
    if depth == _DEPTH:
        return "..."
    if isinstance(value, Mapping):
        kept = ((key, one) for key, one in value.items() if key not in left_out)
        return {
            str(key)[:length]: _shortened(one, length, left_out, depth + 1)
            for key, one in islice(kept, length)
        }
    return [_shortened(one, length, left_out, depth + 1) for one in value[:length]]
