"""The home of what tools of other makers do: a command that they run, a file that they change.

Where such a tool works is not known from its call, so a path counts only if it can be none but one
of this machine. What it does with that is asked about.
"""

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hookd.core.danger.entry import Call, Danger, Place
from hookd.core.danger.files import deletion
from hookd.core.danger.paths import area_of, home
from hookd.core.danger.transfers import writing
from hookd.core.shell import Command
from hookd.core.shell.flags import Item

_PREFIX = "mcp__"
_REMOVES = re.compile(r"(?i)(?:^|_)(?:delete|remove|rm|rmdir|unlink|trash|purge)(?:_|$)")
_WRITES = re.compile(
    r"(?i)(?:^|_)(?:write|edit|create|move|rename|copy|append|save|patch|replace|insert|mkdir)(?:_|$)"
)
_FIELDS = re.compile(
    r"(?i)(?:file_?|dir(?:ectory)?_?|folder_?|target_?|dest(?:ination)?_?|new_?|old_?|source_?)?"
    r"(?:paths?|file(?:name)?s?|uri|destination|target|source|directory|folder)"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|-")
_MOST = 32
"""Paths of one call that are looked at."""


def command_of(tool: str, given: Mapping[str, object]) -> str | None:
    """Return the command that a call runs, where a tool other than Bash takes one.

    What PowerShell runs is said as a shell would say it.
    """
    said = given.get("command", given.get("cmd"))
    if tool == "PowerShell":
        from hookd.core.danger.powershell import as_shell  # noqa: PLC0415 - slow, rarely needed

        return as_shell(said) if isinstance(said, str) else None
    if isinstance(said, list) and said and all(isinstance(word, str) for word in said):
        return shlex.join(said)
    return said if isinstance(said, str) else None


def changed(tool: str, given: Mapping[str, object], place: Place) -> Iterator[Danger]:
    """Yield what it means to write, or to delete, the files that a call of another tool names."""
    verb = _CAMEL.sub("_", tool.rpartition("__")[2])
    removes = _REMOVES.search(verb) is not None
    if not tool.startswith(_PREFIX) or not (removes or _WRITES.search(verb)):
        return
    for path in (one for one in _paths(given) if _is_here(one, place)):
        item = Item(path, 0)
        call = Call(Command((verb, path), exact=True), place)
        said = deletion(item, call, "deletes", tree=True) if removes else writing(item, place)
        if said is not None:
            way = said.instead or "Its path can be one of the project."
            yield replace(said, weight="ask", instead=way, command=f"{tool} {path}")


def _paths(given: Mapping[str, object]) -> Iterator[str]:
    found = (
        one for name, value in given.items() if _FIELDS.fullmatch(name) for one in _each(value)
    )
    for _, path in zip(range(_MOST), found, strict=False):
        yield path


def _each(value: object) -> Iterator[str]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str):
            yield re.sub(r"(?i)^file://(?:localhost)?(?=/)", "", one)


def _is_here(path: str, place: Place) -> bool:
    """Whether a path can hardly be one of a host, or a store, somewhere else."""
    if path.startswith("~"):
        return True
    whole = posixpath.normpath(path)
    known = (home(place), place.project or "")
    return path.startswith("/") and (
        any(root and whole.startswith(root) for root in known)
        or area_of(whole, place) in ("root", "system", "above", "home", "device")
    )
