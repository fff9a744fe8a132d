"""Event summary for variables: tool inputs and results as short JSON, without file contents.

Long texts inside the JSON are cut first, so that it stays valid if possible.
"""

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any

from hookd.events.call_parts import APPLY_PATCH, patch_text, patched_names
from hookd.events.model import HookInput
from hookd.lazy_pattern import lazy_compile

_FILE_TOOLS = frozenset({"Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "NotebookRead"})
_FILE_CONTENT_KEYS = frozenset(
    {
        *("content", "old_string", "new_string", "new_source", "old_source", "cells", "base64"),
        *("oldString", "newString", "originalFile", "structuredPatch", "gitDiff"),
        *("original_file", "updated_file"),
    }
)
"""Keys of file contents in the inputs and results of file tools."""

_DEPTH = 16
_LENGTHS = (2_048, 1_000, 400, 100, 20)  # of texts and lists, until the whole is short enough
_EXIT_CODE = lazy_compile(r"Exit code (\d{1,9})\b")


def truncate_bytes(text: str, limit: int) -> str:
    r"""Return the beginning of a text that is at most `limit` bytes: whole characters, and no NUL.

    >>> capped("a\0bcé", 4)
    'abc'
    """
    return text.replace("\0", "")[:limit].encode("utf-8", "replace")[:limit].decode(errors="ignore")


def summarize(tool: str, value: Any, limit: int) -> str:
    """Return the input or the result of a tool call: a text unchanged, other values as JSON.

    For tools that read or write files, the contents are left out; a patch is the list of its files.
    """
    if isinstance(value, str):
        return truncate_bytes(value, limit)
    if tool == APPLY_PATCH and isinstance(value, Mapping) and patch_text(value) is not None:
        value = {"files": patched_names(value)}
    left_out = _FILE_CONTENT_KEYS if tool in _FILE_TOOLS else frozenset[str]()
    text = ""
    for length in _LENGTHS:
        short = _shortened(value, length, left_out)
        text = json.dumps(short, ensure_ascii=False, separators=(",", ":"), default=str)
        if len(text.encode("utf-8", "replace")) <= limit:
            break
    return truncate_bytes(text, limit)


def exit_code(event: HookInput) -> str | None:
    """Return the exit code of an event's command, None if unknown."""
    error, result = getattr(event, "error", None), getattr(event, "tool_response", None)
    if isinstance(error, str):
        found = _EXIT_CODE.match(error)
        return found and found[1]
    if getattr(event, "tool_name", None) != "Bash" or not isinstance(result, Mapping):
        return None
    # The command still runs, was interrupted, or its exit code is not an error.
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
