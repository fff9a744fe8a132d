"""Diff of a file tool's call: old and new text, as far as the tool's input has them."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from hookd.events.call_parts import APPLY_PATCH, patch_text
from hookd.redaction.redact import is_env, redact

_MAX_CHARS = 20_000
"""Characters of a diff."""

_MAX_TEXT = 100_000
"""Characters of an old or a new text that are read."""

_MARGIN = 8_192
"""Characters that are read past the end, so that a secret across it is removed, too."""

_MAX_LINES = 600
"""Lines of both texts that are compared: longer ones are shown as removed and added."""

_CUT = "... the diff is cut here"


def diff_of(tool: str, tool_input: Mapping[str, Any]) -> str | None:
    """Return what a call changes as a unified diff, redacted; None if it is no file tool's."""
    path = next(
        (tool_input[key] for key in ("file_path", "notebook_path") if key in tool_input), ""
    )
    path = path if isinstance(path, str) else ""
    if tool == APPLY_PATCH:
        return _of_patch(tool_input)
    changes = list(_changes(tool, tool_input))
    if not changes:
        return None
    name = redact(path)
    lines = [f"--- {name}", f"+++ {name}"]
    size = 0
    for old, new in changes:
        for line in _compared(_clean(old, path), _clean(new, path)):
            size += len(line) + 1
            if size > _MAX_CHARS:
                return "\n".join((*lines, _CUT))
            lines.append(line)
    return "\n".join(lines)


def _of_patch(given: Mapping[str, Any]) -> str | None:
    """Return the text of a patch, which is a diff already, without its secrets."""
    text = patch_text(given)
    if text is None:
        return None
    lines = _clean(text, text if is_env(text) else "")
    kept = "\n".join(lines)
    return kept if len(kept) <= _MAX_CHARS else f"{kept[:_MAX_CHARS]}\n{_CUT}"


def _changes(tool: str, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each old text of a file with the new one."""
    if tool == "Edit":
        yield _text(given, "old_string"), _text(given, "new_string")
    elif tool == "MultiEdit":
        edits = given.get("edits")
        for edit in edits if isinstance(edits, list) else ():
            if isinstance(edit, dict):
                yield _text(edit, "old_string"), _text(edit, "new_string")
    elif tool == "Write":
        yield "", _text(given, "content")
    elif tool == "NotebookEdit":
        yield "", _text(given, "new_source")


def _text(given: Mapping[str, Any], key: str) -> str:
    text = given.get(key)
    return text if isinstance(text, str) else ""


def _clean(text: str, path: str) -> list[str]:
    """Return the lines of a text without its secrets."""
    kept = redact(text[: _MAX_TEXT + _MARGIN], env_file=is_env(path))
    if len(text) <= _MAX_TEXT:
        return kept.splitlines()
    return [*kept[: max(len(kept) - _MARGIN, 0)].splitlines(), _CUT]


def _compared(old: list[str], new: list[str]) -> Iterator[str]:
    """Yield the lines of a unified diff, without its heading."""
    if len(old) + len(new) <= _MAX_LINES:
        yield from list(difflib.unified_diff(old, new, lineterm=""))[2:]
        return
    yield f"@@ -1,{len(old)} +1,{len(new)} @@"
    yield from (f"-{line}" for line in old)
    yield from (f"+{line}" for line in new)
