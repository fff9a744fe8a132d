"""Files that a tool call changes, whichever tool it is: an editor, Bash, a tool of MCP."""

from collections.abc import Iterator
from dataclasses import replace

from hookd.events.tool_pattern import ToolCall
from hookd.risk.execution import PlacedCommand, placed_commands
from hookd.risk.mcp_tools import changed_paths
from hookd.risk.model import CallContext
from hookd.risk.path_areas import is_stream
from hookd.risk.registry import effect_texts
from hookd.risk.written_files import TouchedFile, touched_files
from hookd.shell.commands import read

_EDITORS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
_MAX_TEXTS = 16
"""Maximum texts of inline code of one call that are looked at."""


def changed_files(call: ToolCall, place: CallContext) -> Iterator[TouchedFile]:
    """Yield the files that a call changes. A file without `paths` and `wild` is unknown.

    A command that cannot be parsed yields one unknown file.
    """
    for part in call.parts:
        yield from changed_files(part, place)
    if call.name == "Bash":
        yield from _by_command(call, place)
    elif call.name in _EDITORS:
        yield from _named(call.primary or "", place)
    elif call.name.startswith("mcp__"):
        found = (path for name in call.names for path in changed_paths(name, call.input))
        for path in dict.fromkeys(found):
            yield from _named(path, place)


def _named(path: str, place: CallContext) -> Iterator[TouchedFile]:
    whole = place.located(path)
    if whole is None or not is_stream(whole):
        yield TouchedFile(path, "writes", () if whole is None else (whole,))


def _by_command(call: ToolCall, place: CallContext) -> Iterator[TouchedFile]:
    shell = call.shell
    if shell.unreadable is not None:
        yield TouchedFile("", "writes", ())
    runs = placed_commands(shell, place)
    for one in touched_files(shell, place, call.primary or "", runs):
        if one.how != "reads":
            yield one
    for text, folder in _inline(runs):
        inner = read(text)
        if inner.unreadable is None:
            within = replace(place, cwd=folder)
            yield from (one for one in touched_files(inner, within, text) if one.how != "reads")


def _inline(runs: tuple[PlacedCommand, ...]) -> Iterator[tuple[str, str | None]]:
    """Yield what inline code of interpreters does, as shell texts with their folder."""
    left = _MAX_TEXTS
    for placed in runs:
        if placed.where == "here":
            for text in effect_texts(placed.command)[:left]:
                left -= 1
                yield text, placed.folders[-1]
