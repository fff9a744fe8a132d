"""Paths in tool calls: in their input, in globs, and among the words of readers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import unquote

from hookd.risk.execution import found
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.secrets.paths import LONGEST, absolute
from hookd.risk.secrets.readers import COPYING, MATCHING, SHOWING, names_only, operands, searched
from hookd.shell.argv import Item
from hookd.shell.commands import Shell

LINKS = 64
"""Maximum paths of one call whose links are resolved."""

_PAIRS = 8
_NAME = 255
_PATH = re.compile(r"/|~/|\.\.?/|file:", re.IGNORECASE)
_ODD = frozenset("*?[{\0")


def plain(text: str) -> str:
    r"""Return a path as a tool opens it: without surrounding blanks and without a URL's scheme.

    >>> plain("FILE://localhost/home/me/%2Essh/id "), plain(".env\n")
    ('/home/me/.ssh/id', '.env')
    """
    path = text.strip()
    if path[:5].lower() != "file:":
        return path.replace("\n", " ")
    host, slash, rest = path[5:].removeprefix("//").partition("/")
    return unquote(f"{slash}{rest}" if host in ("", "localhost") else f"{host}{slash}{rest}")


def given(tool_input: Mapping[str, object]) -> Iterator[str]:
    """Yield all texts that may be paths, at any depth; then folders joined with names."""
    rest: list[object] = [tool_input]
    fields: list[Mapping[object, object]] = []
    while rest:
        one = rest.pop()
        if isinstance(one, Mapping):
            rest.extend((*one.keys(), *one.values()))
            fields.append(one)
        elif isinstance(one, list):
            rest.extend(one)
        elif isinstance(one, str) and one and "\n" not in one.strip():
            yield plain(one)
    for each in fields:
        yield from _joined(each)


def _joined(fields: Mapping[object, object]) -> Iterator[str]:
    """Yield the paths whose folder and name are separate fields."""
    texts = [one.strip() for one in fields.values() if isinstance(one, str) and len(one) <= LONGEST]
    folders = [one for one in texts if is_path(one)][:_PAIRS]
    parts = [one for one in texts if 0 < len(one) <= _NAME and one[0] not in "/~"][:_PAIRS]
    for folder in folders:
        yield from (f"{plain(folder)}/{part}" for part in parts if part != folder)


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
        for one in found(shell, place):
            call = CommandCall(one.command, place)
            if one.where == "here" and call.program in readers and not names_only(call):
                for folder in one.folders:
                    yield from _led(_files(call), replace(place, cwd=folder))
    opened = [one.path for one in shell.redirects if one.operator == "<" and one.hole is None]
    yield from (absolute(path, place) for path in opened if place.cwd)


def _files(call: CommandCall) -> tuple[Item, ...]:
    if call.program in MATCHING:
        return searched(call)
    return operands(call)[: -1 if call.program in COPYING else None]


def _led(items: tuple[Item, ...], place: CallContext) -> Iterator[str]:
    for item in items:
        named = not item.unknown and item.text not in ("", ".", "..")
        if named and place.cwd and _ODD.isdisjoint(item.text):
            yield absolute(item.text, place)
