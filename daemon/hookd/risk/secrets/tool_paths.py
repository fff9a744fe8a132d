"""Paths in tool calls: in their input, in globs, and among the words of readers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from urllib.parse import unquote

from hookd.lazy_pattern import lazy_compile
from hookd.risk.execution import placed_commands
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.secrets.paths import LONGEST, absolute
from hookd.risk.secrets.readers import (
    COPYING,
    MATCHING,
    SHOWING,
    names_only,
    operands,
    searched_files,
)
from hookd.shell.argv import Item
from hookd.shell.commands import Shell
from hookd.shell.text_cache import SIZE

LINKS = 64
"""Maximum paths of one call whose links are resolved."""

_PAIRS = 8
_NAME = 255
_PATH = lazy_compile(r"/|~/|\.\.?/|file:", re.IGNORECASE)
_ODD = frozenset("*?[{\0")
_READERS = SHOWING | MATCHING | COPYING


def opened_path(text: str) -> str:
    r"""Return a path as a tool opens it: without surrounding blanks and without a URL's scheme.

    >>> plain("FILE://localhost/home/me/%2Essh/id "), plain(".env\n")
    ('/home/me/.ssh/id', '.env')
    """
    path = text.strip()
    if path[:5].lower() != "file:":
        return path.replace("\n", " ")
    host, slash, rest = path[5:].removeprefix("//").partition("/")
    return unquote(f"{slash}{rest}" if host in ("", "localhost") else f"{host}{slash}{rest}")


def path_texts(tool_input: Mapping[str, object]) -> Iterator[str]:
    """Yield all texts that may be paths, at any depth; then folders joined with names."""
    rest: list[object] = [tool_input]
    fields: list[Mapping[object, object]] = []
    while rest:
        value = rest.pop()
        if isinstance(value, Mapping):
            rest.extend((*value.keys(), *value.values()))
            fields.append(value)
        elif isinstance(value, list):
            rest.extend(value)
        elif isinstance(value, str) and value and "\n" not in value.strip():
            yield opened_path(value)
    for each in fields:
        yield from _joined(each)


def _joined(fields: Mapping[object, object]) -> Iterator[str]:
    """Yield the paths whose folder and name are separate fields."""
    texts = [
        text.strip() for text in fields.values() if isinstance(text, str) and len(text) <= LONGEST
    ]
    folders = [text for text in texts if is_path(text)][:_PAIRS]
    parts = [text for text in texts if 0 < len(text) <= _NAME and text[0] not in "/~"][:_PAIRS]
    for folder in folders:
        yield from (f"{opened_path(folder)}/{part}" for part in parts if part != folder)


def is_path(text: str) -> bool:
    """Return whether a text begins like a path."""
    return _PATH.match(text) is not None


def read_by_name(shell: Shell, place: CallContext) -> tuple[str, ...]:
    """Return the project's files that are arguments of readers, and may be links; cached."""
    # A context is compared without its values, and they matter here.
    return _read_by_name(shell, place, tuple(place.values.items()))


@lru_cache(maxsize=SIZE)
def _read_by_name(shell: Shell, place: CallContext, _values: tuple[object, ...]) -> tuple[str, ...]:
    if not place.project:
        return ()
    names = dict.fromkeys(_named(shell, place))
    root = f"{place.project.rstrip('/')}/"
    return tuple(name for name in names if name.startswith(root) and len(name) <= LONGEST)[:LINKS]


def _named(shell: Shell, place: CallContext) -> Iterator[str]:
    if any(command.argv.name in _READERS for command in shell.commands):
        for entry in placed_commands(shell, place):
            call = CommandCall(entry.command, place)
            if entry.where == "here" and call.program in _READERS and not names_only(call):
                paths = _fixed(_files(call))
                for folder in entry.folders if paths else ():
                    there = place if folder == place.cwd else replace(place, cwd=folder)
                    yield from (absolute(path, there) for path in paths if folder)
    opened = [
        entry.path for entry in shell.redirects if entry.operator == "<" and entry.hole is None
    ]
    yield from (absolute(path, place) for path in opened if place.cwd)


def _files(call: CommandCall) -> tuple[Item, ...]:
    if call.program in MATCHING:
        return searched_files(call)
    return operands(call)[: -1 if call.program in COPYING else None]


def _fixed(items: tuple[Item, ...]) -> list[str]:
    """Return the words that are certainly paths of one file each."""
    return [
        item.text
        for item in items
        if not item.unknown and item.text not in ("", ".", "..") and _ODD.isdisjoint(item.text)
    ]
