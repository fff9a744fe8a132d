"""The files that a call reads or changes by name, for the guard of claims."""

import posixpath
from collections.abc import Iterator

from hookd.core.model.claim import FilePlace
from hookd.core.model.claim_requests import PlaceOfFile, StampOfFile
from hookd.core.model.facts import Facts
from hookd.events.model import HookInput, PreToolUse, ToolInput
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.call_context import context_of
from hookd.risk.path_areas import is_stream
from hookd.risk.secrets.tool_paths import read_by_name
from hookd.risk.written_files import touched_files
from hookd.shell.quoting import names

WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
READ = "Read"

_MAX_FILES = 64
_MAX_READ = 8
_MAX_PATH_CHARS = 4_096
_WILD = frozenset("*?[")
_MCP = "mcp__"
_WORD = lazy_compile(r"[A-Z]?[a-z]+")
_REMOVING = names("delete remove move rename")
_CHANGING = _REMOVING | names("write edit create append insert replace patch update modify save")
"""Words in names of tools of MCP servers that change files."""
_RELATIVE = "relative_path"
_FIELDS = ("path", "file_path", "filePath", "file", _RELATIVE, "source", "destination")


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that a call changes: `name` as the call says it, `path` its absolute path.

    `whole`: a folder with its content. `rest` is the glob below `path` of a word with wildcards.
    """

    name: str
    path: str
    whole: bool = False
    rest: str = ""


def changed_files(event: ToolInput, facts: Facts) -> tuple[ChangedFile, ...]:
    """Return the files that a call visibly changes; not those that a program chooses."""
    if event.tool_name in WRITERS:
        path = path_of(event, facts)
        return (ChangedFile(event.call.primary or path, path),) if path else ()
    if event.tool_name.startswith(_MCP):
        return tuple(dict.fromkeys(_by_server(event, facts)))[:_MAX_FILES]
    if event.tool_name != "Bash" or event.call.shell.unreadable:
        return ()
    return tuple(dict.fromkeys(_by_command(event, facts)))[:_MAX_FILES]


def read_files(event: ToolInput, facts: Facts) -> tuple[str, ...]:
    """Return the absolute paths of the files that a call shows the model."""
    if event.tool_name == READ:
        path = path_of(event, facts)
        return (path,) if path else ()
    if event.tool_name != "Bash" or event.call.shell.unreadable:
        return ()
    return read_by_name(event.call.shell, context_of(event, facts))[:_MAX_READ]


def path_of(event: ToolInput, facts: Facts) -> str:
    """Return the absolute path that a file tool is given, "" for a device or without one."""
    path = context_of(event, facts).located(event.call.primary or "")
    return "" if path is None or len(path) > _MAX_PATH_CHARS or is_stream(path) else path


def places(paths: tuple[str, ...], facts: Facts) -> tuple[FilePlace, ...]:
    """Return where files are; an unreadable path is its own real path."""
    facts.require_all(*map(PlaceOfFile, paths))
    return tuple(
        facts.require(PlaceOfFile(path)) or FilePlace(path, "/", path.lstrip("/")) for path in paths
    )


def foreseen_places(event: HookInput, facts: Facts) -> tuple[PlaceOfFile | StampOfFile, ...]:
    """Return what the guard of claims requests for a call of a file tool, if others are open."""
    if not isinstance(event, ToolInput) or not (path := path_of(event, facts)):
        return ()
    if event.tool_name == READ:
        return (StampOfFile(path),) if isinstance(event, PreToolUse) else ()
    return (PlaceOfFile(path),) if event.tool_name in WRITERS else ()


def _by_command(event: ToolInput, facts: Facts) -> Iterator[ChangedFile]:
    place = context_of(event, facts)
    for file in touched_files(event.call.shell, place, event.call.primary or ""):
        if file.how == "reads":
            continue
        for path in file.paths:
            if len(path) <= _MAX_PATH_CHARS and not is_stream(path):
                yield ChangedFile(file.text, posixpath.normpath(path), file.how == "removes")
        for path in file.wild:
            if len(path) <= _MAX_PATH_CHARS:
                yield _wild(file.text, posixpath.normpath(path))


def _by_server(event: ToolInput, facts: Facts) -> Iterator[ChangedFile]:
    """Yield the files in the input of a tool of an MCP server whose name says that it changes them.

    A relative path may be one on another machine, unless its field says what it is relative to.
    """
    words = {word.lower() for word in _WORD.findall(event.tool_name.rpartition("__")[2])}
    if words.isdisjoint(_CHANGING):
        return
    place = context_of(event, facts)
    for field in _FIELDS:
        text = event.tool_input.get(field)
        if not isinstance(text, str) or not (text.startswith(("/", "~/")) or field == _RELATIVE):
            continue
        path = place.located(text)
        if path and len(path) <= _MAX_PATH_CHARS and not is_stream(path):
            yield ChangedFile(text, posixpath.normpath(path), not words.isdisjoint(_REMOVING))


def _wild(name: str, path: str) -> ChangedFile:
    names = path.split("/")
    first = next((at for at, one in enumerate(names) if _WILD & set(one)), len(names))
    return ChangedFile(name, "/".join(names[:first]) or "/", True, "/".join(names[first:]))
