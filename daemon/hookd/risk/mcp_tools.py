"""The home of what tools of other makers do: a command that they run, a file that they change.

Where such a tool works is not known from its call, so a path counts only if it can be none but one
of this machine. What it does with that is asked about.
"""

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hookd.risk.inline.sql import harms
from hookd.risk.model import CallContext, CommandCall, Risk
from hookd.risk.path_areas import area_of, home
from hookd.risk.rules.deletion import deletion
from hookd.risk.rules.writes import writing
from hookd.shell.argv import Item
from hookd.shell.commands import Command

_PREFIX = "mcp__"
_REMOVES = re.compile(r"(?i)(?:^|_)(?:delete|remove|rm|rmdir|unlink|trash|purge)(?:_|$)")
_WRITES = re.compile(
    r"(?i)(?:^|_)(?:write|edit|create|move|rename|copy|append|save|patch|replace|insert|mkdir)(?:_|$)"
)
_FIELDS = re.compile(
    r"(?i)(?:file_?|dir(?:ectory)?_?|folder_?|target_?|dest(?:ination)?_?|new_?|old_?|source_?)?"
    r"(?:paths?|file(?:name)?s?|uri|destination|target|source|directory|folder)"
)
_STATEMENTS = re.compile(r"(?i)(?:sql_?|raw_?)?(?:query|sql|statements?)")
_BEGINS = re.compile(
    r"(?is)(?:\s|;|\(|--[^\n]*\n|/\*(?>(?:[^*]|\*(?!/))*)\*/)*+(?:drop\s+(?:table|database|schema|view|index|column|user"
    r"|role|materialized|if|type|keyspace|tablespace|owned|warehouse)|delete\s+from|truncate"
    r"|alter\s+\w+|update\s+.{1,200}?\sset\s|with\s|begin|start\s|insert\s+into|create\s|select\s|set\s"
    r"|do\s|exec\w*\s|call\s|use\s)"
)
"""How a text begins that is SQL, and no search for words."""

_BACKUP = "A SELECT of what is concerned, or a backup, comes first."
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|-")
_MOST = 32
"""Paths of one call that are looked at."""


def command_of(tool: str, given: Mapping[str, object]) -> str | None:
    """Return the command that a call runs, where a tool other than Bash takes one.

    What PowerShell runs is said as a shell would say it.
    """
    said = given.get("command", given.get("cmd"))
    if tool == "PowerShell":
        from hookd.risk.powershell import as_shell  # noqa: PLC0415 - slow, rarely needed

        return as_shell(said) if isinstance(said, str) else None
    if isinstance(said, list) and said and all(isinstance(word, str) for word in said):
        return shlex.join(said)
    return said if isinstance(said, str) else None


def stated(tool: str, given: Mapping[str, object]) -> Iterator[Risk]:
    """Yield what the statements of a call of another tool do to a database; what a push forces."""
    if not tool.startswith(_PREFIX):
        return
    if re.search(r"(?i)push", tool.rpartition("__")[2]) and given.get("force") in (True, "true"):
        why = "overwrites the history of the remote repository"
        yield Risk("force-push", "ask", why, "An ordinary push keeps what others have.", True, tool)
    texts = (given[name] for name in given if _STATEMENTS.fullmatch(name))
    told = [text for value in texts for text in (value if isinstance(value, list) else [value])]
    for text in told[:_MOST]:
        if isinstance(text, str) and _BEGINS.match(text):
            for harm in harms(text):
                yield Risk("database", harm.weight, harm.why, _BACKUP, True, f"{tool} {text}")


def changed(tool: str, given: Mapping[str, object], place: CallContext) -> Iterator[Risk]:
    """Yield what it means to write, or to delete, the files that a call of another tool names."""
    verb = _CAMEL.sub("_", tool.rpartition("__")[2])
    removes = _REMOVES.search(verb) is not None
    if not tool.startswith(_PREFIX) or not (removes or _WRITES.search(verb)):
        return
    for path in (one for one in _paths(given) if _is_here(one, place)):
        item = Item(path, 0)
        call = CommandCall(Command((verb, path), exact=True), place)
        said = deletion(item, call, "deletes", tree=True) if removes else writing(item, place)
        if said is not None:
            way = said.alternative or "Its path can be one of the project."
            yield replace(said, severity="ask", alternative=way, command=f"{tool} {path}")


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


def _is_here(path: str, place: CallContext) -> bool:
    """Whether a path can hardly be one of a host, or a store, somewhere else."""
    if path.startswith("~"):
        return True
    whole = posixpath.normpath(path)
    known = (home(place), place.project or "")
    return path.startswith("/") and (
        any(root and whole.startswith(root) for root in known)
        or area_of(whole, place) in ("root", "system", "above", "home", "device")
    )
