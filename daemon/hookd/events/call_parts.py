"""The parts of a call that does several things: each file of a patch, each call of a batch.

An added file is a Write, an updated one an Edit. A deleted file is an Edit and the command `rm`, a
moved one an Edit of the source, the command `mv` and a Write of the target. So every rule over
files, and every guard over deletions, judges a patch as it judges the same changes made one by one.
A call that a batch carries is judged as if it was made alone.
"""

import posixpath
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from hookd.events.patch import MAX_FILES, PatchedFile, file_names, parse_patch, readings

APPLY_PATCH = "ApplyPatch"
"""The tool whose `command` is a patch."""

BATCH = "Batch"
"""The tool whose `calls` are calls: `tool_name`, `tool_input`, and how a client names the tool."""

_FIELDS = ("command", "input", "patch", "patch_text", "patchText")


class CallPart(NamedTuple):
    """One part: the tool, its input, and the file that it is about, as the call names it.

    An Edit without a file is a part that cannot be read, and `file` says why.
    """

    tool: str
    input: dict[str, Any]
    file: str


def patch_text(tool_input: Mapping[str, object]) -> str | None:
    """Return the text of a patch that a tool is given, None without one, or if there are two."""
    texts = {text for name in _FIELDS if isinstance(text := tool_input.get(name), str)}
    return texts.pop() if len(texts) == 1 else None


def patched_names(tool_input: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the files of a patch as written, for people."""
    return tuple(file_names(parse_patch(patch_text(tool_input) or "")))


def written_names(tool_input: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the files that a patch writes, without those that it deletes."""
    files = parse_patch(patch_text(tool_input) or "").files
    return tuple(dict.fromkeys(one.target or one.path for one in files if one.kind != "delete"))


def parts_of_patch(text: str | None, folder: str) -> tuple[CallPart, ...]:
    """Return the parts of a patch whose relative paths begin in `folder`."""
    if text is None:
        return (unreadable_part("the patch cannot be read: it is no text"),)
    patch = parse_patch(text)
    if len(patch.files) > MAX_FILES:
        return (unreadable_part(f"the patch has more than {MAX_FILES} files"),)
    found = [part for file in patch.files for part in _parts(file, folder)]
    if patch.problem:
        found.append(unreadable_part(f"the patch cannot be read: {patch.problem}"))
    return tuple(found)


def unreadable_part(why: str) -> CallPart:
    """Return a part that no guard can judge; each asks about a file without a name."""
    return CallPart("Edit", {}, why)


def _parts(file: PatchedFile, folder: str) -> Iterator[CallPart]:
    for path in _located(file.path, folder):
        if file.kind == "add":
            yield _write(path, file.new, file.path)
            continue
        edit = {"file_path": path, "old_string": file.old, "new_string": file.new}
        yield CallPart("Edit", edit, file.path)
        if file.kind == "delete":
            yield _command(("rm", "--", path), file.path)
    if file.target:
        targets = _located(file.target, folder)
        for source in _located(file.path, folder):
            yield from (_command(("mv", "--", source, one), file.path) for one in targets)
        yield from (_write(one, file.new, file.target) for one in targets)


def _write(path: str, content: str, name: str) -> CallPart:
    return CallPart("Write", {"file_path": path, "content": content}, name)


def _command(words: tuple[str, ...], name: str) -> CallPart:
    # The shell would expand a leading ~ only unquoted.
    texts = (f"~/{shlex.quote(one[2:])}" if one[:2] == "~/" else shlex.quote(one) for one in words)
    return CallPart("Bash", {"command": " ".join(texts)}, name)


def _located(path: str, folder: str) -> tuple[str, ...]:
    """Return the paths that a name in a patch may lead to, absolute if the folder is known.

    A name with `~` is below the home folder for some versions of Codex, below the working folder
    for others; `link/..` is what the text says for some, and what the disk says for others; Codex
    keeps a blank before a name, opencode does not.
    """
    return tuple(
        dict.fromkeys(one for name in readings(path) if name for one in _paths(name, folder))
    )


def _paths(name: str, folder: str) -> Iterator[str]:
    raw = posixpath.join(folder, name) if folder else name
    flat = posixpath.normpath(raw)
    if name[:2] == "~/":
        yield name
    yield flat if flat[:2] != "//" else flat[1:]
    if ".." in name.lstrip("./").split("/"):
        yield raw
