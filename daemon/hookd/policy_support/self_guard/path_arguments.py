"""Commands that are given a protected path and may create, replace, link or remove it.

Programs that change files by name are in risk/written_files.py, programs that only read in
readers.py; every other program may change any path that it is given, and its working folder. A
container may change every folder that is mounted into it.
"""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from hookd.core.model.renamed_commands import current_command
from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.self_guard.protected_files import ProtectedFiles
from hookd.policy_support.self_guard.readers import (
    is_reader,
    only_queries,
    saved,
    works_here,
    written_by,
)
from hookd.programs.catalogue import flags_of, with_trait
from hookd.risk.inline.source import language_of
from hookd.risk.model import CommandCall
from hookd.risk.path_areas import area, paths
from hookd.risk.variable_values import with_values
from hookd.risk.written_files import PROGRAMS
from hookd.shell.argv import Item

_WHOLE = with_trait("changes-tree")
"""Programs that change a folder with what lies in it."""

_MOUNTS = with_trait("mounts")
_RENAMES = with_trait("renames")
"""Programs that rename or remove whatever their words match."""

_BLIND = _MOUNTS | _RENAMES
_RECURSIVE = ("-R", "--recursive")
_MODES = with_trait("sets-modes")
ANYWHERE = _BLIND | _MODES
"""Programs that may change a protected path that the text does not name."""

_MAKES = with_trait("makes-folders")
"""Programs that leave a folder as it is where there is one."""

_LINKS = with_trait("links")
"""Programs that put something else in the place of a folder, or give it a second name."""

_COPIES = with_trait("copies-files")
_LINKING = ("-l", "--link", "-s", "--symbolic-link")
"""Flags by which cp gives a file a second name."""

_EXPORTS = {
    "doctor": ("--report",),
    "dialogue": ("-o", "--output"),
    "event": ("-o", "--output"),
    "demo": ("--svg", "--home"),
    "checkpoint": ("--to",),
}
_OWN_PLACES = frozenset({"project", "inside", "rebuildable", "scratch"})
_PIECES = lazy_compile(r"[=:,]")
_WILD = lazy_compile(r"[*?\[]")
_PREFIXES = lazy_compile(r"(?:@|file:(?://)?|sqlite:(?://)?)+")
_PATHS = lazy_compile(r"(?:(?<=[\s'\"(=<>])|^)(?:~/|/|\$\{?HOME\}?/)[^\s'\"()<>;|]+")
"""What looks like a path in a text, such as a program for another language."""

_MAX_PATHS, _MAX_WORD_CHARS = 16, 4_096
_MAX_WORDS = 256


def mentioned(call: CommandCall, own: ProtectedFiles) -> str:
    """Return the protected path that a command may change; "" where there is none."""
    if call.program in PROGRAMS:
        return _of_writer(call, own)
    written = written_by(call)
    words = _all(call) if written is None else iter(written)
    near = [one for one in words if one.text and _may_be(one.text, call, own)]
    if len(near) > _MAX_WORDS:
        return "too many files to check"
    if found := next((one.text for one in near if is_own(one, call, own)), ""):
        return found
    folder = call.context.cwd
    if folder and folder != call.context.project and own.holder(folder) and works_here(call):
        return f"files in {folder}"
    return ""


def recorded(call: CommandCall, own: ProtectedFiles) -> str:
    """Return the protected path that a program writes which only starts another one."""
    given = call.values("-o", "--output", "--log-file", "--output-file")
    return next((item.text for item in given if is_own(item, call, own)), "")


def _of_writer(call: CommandCall, own: ProtectedFiles) -> str:
    """Return what a program changes besides the files that risk/written_files.py names."""
    given = (*saved(call), *call.values(*_VALUES.get(call.program, ())))
    linked = call.program in _LINKS or (call.program in _COPIES and call.has(*_LINKING))
    words = call.items if linked else ()
    if call.program in _COPIES and not linked:
        words = tuple(item for item in call.items if item.text.endswith("/bin/hookd"))
    return next((item.text for item in (*given, *words) if is_own(item, call, own)), "")


_VALUES = flags_of(lambda program: program.opens)
"""Flags whose values a program writes, or speaks to."""


def spoken_to(call: CommandCall, own: ProtectedFiles) -> bool:
    """Return whether any argument of a program has the path of the socket or the database."""
    if (
        is_reader(call)
        or call.program in PROGRAMS
        or (call.program == "sqlite3" and only_queries(call))
    ):
        return False
    runs = language_of(call.command) != ""
    words = (*call.command.words[1:], *(call.command.stdin if runs else ()))
    return any(path in word.lower() for path in own.reached for word in words)


def linked_above(call: CommandCall, own: ProtectedFiles) -> str:
    """Return the folder above protected paths that a command makes a link to."""
    if call.program not in ("ln", "gln") or len(call.items) != 2:
        return ""
    source = call.items[0]
    return source.text if any(map(own.above, paths(source, call.context))) else ""


def exported(call: CommandCall, own: ProtectedFiles) -> str:
    """Return the file that hookd itself would write, and that is none of the project's."""
    if call.program != "hookd":
        return ""
    items = call.values(*_EXPORTS.get(current_command(call.verb), ()))
    items = call.items[2:] if call.starts("db", "backup") else items
    return next((item.text for item in items if not _is_the_projects(item, call, own)), "")


def _is_the_projects(item: Item, call: CommandCall, own: ProtectedFiles) -> bool:
    led = paths(item, call.context)
    return area(item, call.context) in _OWN_PLACES and not any(map(own.has, led))


def _all(call: CommandCall) -> Iterator[Item]:
    """Yield all words of a command, and the values in its flags."""
    yield from call.items
    for flag, place in call.words.flags:
        if "=" in flag or (flag[:2] != "--" and "/" in flag):
            yield Item(call.command.words[place], place)
    for text in call.command.stdin if "xargs" in call.command.wrappers else ():
        yield from (Item(word, 0) for word in text.split()[:64])


def is_own(item: Item, call: CommandCall, own: ProtectedFiles) -> bool:
    """Return whether an argument, or a part of it, may be a protected path."""
    text = item.text
    if not text or len(text) > _MAX_WORD_CHARS or not _may_be(text, call, own):
        return False
    return any(_leads(one, call, own) for one in _pieces(item))


def _may_be(text: str, call: CommandCall, own: ProtectedFiles) -> bool:
    """Return whether a word is worth resolving: its text, or the folder, is a telling one."""
    if own.telling.search(text.lower()):
        return True
    if call.program in _BLIND or (call.program in _MODES and call.has(*_RECURSIVE)):
        return True
    if "$" in text and any(map(own.telling.search, with_values(text.lower(), call.context.values))):
        return True
    folder = call.context.cwd
    if not folder:
        return False
    return own.holds(folder) or posixpath.basename(text) in own.names


def _pieces(item: Item) -> Iterator[Item]:
    """Yield the parts of a word that may be paths: `a=PATH`, `PATH:PATH`, `@PATH`, `-oPATH`."""
    text = item.text
    yield item
    if re.search(r"\s", text):
        yield from (_part(item, one) for one in _PATHS.findall(text)[:_MAX_PATHS])
        return
    if text[:1] == "-" and text[1:2] != "-":
        yield _part(item, text[2:])
    for part in _PIECES.split(text) if _PIECES.search(text) else (text,):
        bare = _PREFIXES.sub("", part, count=1) if _PREFIXES.match(part) else part
        if bare and bare != text:
            yield _part(item, bare)


def _part(item: Item, text: str) -> Item:
    hole = item.hole if re.search(r"[$`*?\[{]", text) else None
    return replace(item, text=text, hole=hole)


def _leads(item: Item, call: CommandCall, own: ProtectedFiles) -> bool:
    led = paths(item, call.context)
    if not led or item.unknown or _WILD.search(item.text):
        folders = (call.context.cwd,) if call.context.cwd else ()
        removes = call.program in _RENAMES
        if own.may_hold(item.text, folders, call.context.home, removes=removes):
            return True
        globs = (path for path in led if path != item.text and _WILD.search(path))
        if any(own.may_hold(path, ("/",), call.context.home, removes=removes) for path in globs):
            return True
    if not led and own.named(item.text):
        return True
    return any(_meets(path, call, own) for path in led)


def _meets(path: str, call: CommandCall, own: ProtectedFiles) -> bool:
    if call.program in _MAKES:
        return own.has(path)
    if call.program in _MOUNTS or (call.program in _MODES and call.has(*_RECURSIVE)):
        return own.holds(path) or own.above(path)
    return own.holds(path) if call.program in _WHOLE else own.holder(path)


_SOURCE = lazy_compile(r"(?:^|,)(?:source|src)=([^,]*)")
_READ_ONLY = lazy_compile(r"(?:^|[,:])(?:ro|readonly(?:=(?:true|1))?)(?:[,:]|$)")
_FLAGS = flags_of(lambda program: program.mounts)


def given_away(call: CommandCall, own: ProtectedFiles) -> str:
    """Return the folder with protected files that a container may change; "" where there is none.

    A project may be mounted: its own settings are in it, and that is done every day.
    """
    for item in _sources(call):
        for path in paths(item, call.context):
            if own.holder(path) or own.above(path):
                return item.text
    return ""


def _sources(call: CommandCall) -> Iterator[Item]:
    for item in call.values(*_FLAGS.get(call.program, ())):
        found = _SOURCE.search(item.text)
        text = found[1] if found else item.text.partition(":")[0]
        if not _READ_ONLY.search(item.text) and text[:1] in ("/", "~", ".", "$", "`"):
            yield _named(item, text)
    if call.program in ("lxc", "incus"):
        for item in call.items:
            if found := _SOURCE.search(item.text):
                yield _named(item, found[1])
    if call.program == "bwrap":
        yield from _bound(call)


def _bound(call: CommandCall) -> Iterator[Item]:
    """Yield what bubblewrap mounts to be written: `--bind FROM TO`."""
    for flag, place in call.words.flags:
        if flag in ("--bind", "--bind-try", "--dev-bind"):
            yield from (item for item in call.items if item.place == place + 1)


def _named(item: Item, text: str) -> Item:
    return replace(item, text=text, hole=item.hole if re.search(r"[$`*?]", text) else None)
