"""Paths in tool calls: in their input, in globs, and among the words of readers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import unquote

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

LINKS = 64
"""Maximum paths of one call whose links are resolved."""

_PAIRS = 8
_NAME = 255
_PATH = re.compile(r"/|~/|\.\.?/|file:", re.IGNORECASE)
_ODD = frozenset("*?[{\0")


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
    """Return the project's files that are arguments of readers, and may be links."""
    if not place.project:
        return ()
    names = dict.fromkeys(_named(shell, place))
    root = f"{place.project.rstrip('/')}/"
    return tuple(name for name in names if name.startswith(root) and len(name) <= LONGEST)[:LINKS]


def _named(shell: Shell, place: CallContext) -> Iterator[str]:
    readers = SHOWING | MATCHING | COPYING
    if any(command.argv.name in readers for command in shell.commands):
        for entry in placed_commands(shell, place):
            call = CommandCall(entry.command, place)
            if entry.where == "here" and call.program in readers and not names_only(call):
                for folder in entry.folders:
                    yield from _led(_files(call), replace(place, cwd=folder))
    opened = [
        entry.path for entry in shell.redirects if entry.operator == "<" and entry.hole is None
    ]
    yield from (absolute(path, place) for path in opened if place.cwd)


def _files(call: CommandCall) -> tuple[Item, ...]:
    if call.program in MATCHING:
        return searched_files(call)
    return operands(call)[: -1 if call.program in COPYING else None]


def _led(items: tuple[Item, ...], place: CallContext) -> Iterator[str]:
    for item in items:
        named = not item.unknown and item.text not in ("", ".", "..")
        if named and place.cwd and _ODD.isdisjoint(item.text):
            yield absolute(item.text, place)
