"""Risks of MCP tools' calls: a command that they run, a file that they change.

The machine such a tool works on is not in its call, so a path counts only if it can hardly be
another machine's. Its risks are asked about.
"""

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.sql import harms
from hookd.risk.model import CallContext, CommandCall, Risk
from hookd.risk.path_areas import area_of, home
from hookd.risk.rules.deletion import deletion_risk
from hookd.risk.rules.writes import write_risk
from hookd.shell.argv import Item
from hookd.shell.commands import Command

_PREFIX = "mcp__"
_REMOVES = lazy_compile(r"(?i)(?:^|_)(?:delete|remove|rm|rmdir|unlink|trash|purge)(?:_|$)")
_WRITES = lazy_compile(
    r"(?i)(?:^|_)(?:write|edit|create|move|rename|copy|append|save|patch|replace|insert|mkdir)(?:_|$)"
)
_FIELDS = lazy_compile(
    r"(?i)(?:file_?|dir(?:ectory)?_?|folder_?|target_?|dest(?:ination)?_?|new_?|old_?|source_?)?"
    r"(?:paths?|file(?:name)?s?|uri|destination|target|source|directory|folder)"
)
_STATEMENTS = lazy_compile(r"(?i)(?:sql_?|raw_?)?(?:query|sql|statements?)")
_BEGINS = lazy_compile(
    r"(?is)(?:\s|;|\(|--[^\n]*\n|/\*(?>(?:[^*]|\*(?!/))*)\*/)*+(?:drop\s+(?:table|database|schema|view|index|column|user"
    r"|role|materialized|if|type|keyspace|tablespace|owned|warehouse)|delete\s+from|truncate"
    r"|alter\s+\w+|update\s+.{1,200}?\sset\s|with\s|begin|start\s|insert\s+into|create\s|select\s|set\s"
    r"|do\s|exec\w*\s|call\s|use\s)"
)
"""Beginnings of texts that are SQL, not words to search for."""

_BACKUP = "Run a SELECT of these rows, or a backup, first."
_CAMEL = lazy_compile(r"(?<=[a-z])(?=[A-Z])|-")
_MAX_PATHS = 32
"""Maximum paths of one call that are checked."""


def command_of(tool: str, tool_input: Mapping[str, object]) -> str | None:
    """Return the shell command of a call, if a tool other than Bash takes one.

    PowerShell's commands are translated to shell commands.
    """
    command = tool_input.get("command", tool_input.get("cmd"))
    if tool == "PowerShell":
        from hookd.risk.powershell import as_shell  # noqa: PLC0415 - slow, rarely needed

        return as_shell(command) if isinstance(command, str) else None
    if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
        return shlex.join(command)
    return command if isinstance(command, str) else None


def statement_risks(tool: str, tool_input: Mapping[str, object]) -> Iterator[Risk]:
    """Yield the risks of SQL statements in a call of another tool, and of forced pushes."""
    if not tool.startswith(_PREFIX):
        return
    if re.search(r"(?i)push", tool.rpartition("__")[2]) and tool_input.get("force") in (
        True,
        "true",
    ):
        why = "overwrites the history of the remote repository"
        yield Risk(
            "force-push",
            "ask",
            why,
            "Use an ordinary push.",
            True,
            tool,
            "git.push-force",
        )
    texts = (tool_input[name] for name in tool_input if _STATEMENTS.fullmatch(name))
    statements_given = [
        text for value in texts for text in (value if isinstance(value, list) else [value])
    ]
    for text in statements_given[:_MAX_PATHS]:
        if isinstance(text, str) and _BEGINS.match(text):
            for harm in harms(text):
                yield Risk(
                    "database",
                    harm.weight,
                    harm.why,
                    _BACKUP,
                    True,
                    f"{tool} {text}",
                    "sql.destroy",
                )


def file_risks(tool: str, tool_input: Mapping[str, object], place: CallContext) -> Iterator[Risk]:
    """Yield the risks of writing, or deleting, the files that a call of another tool names."""
    verb = _CAMEL.sub("_", tool.rpartition("__")[2])
    removes = _REMOVES.search(verb) is not None
    if not tool.startswith(_PREFIX) or not (removes or _WRITES.search(verb)):
        return
    for path in (one for one in _paths(tool_input) if _is_here(one, place)):
        item = Item(path, 0)
        call = CommandCall(Command((verb, path), exact=True), place)
        risk = (
            deletion_risk(item, call, "deletes", tree=True) if removes else write_risk(item, place)
        )
        if risk is not None:
            way = risk.alternative or "Use a path in the project."
            yield replace(
                risk,
                severity="ask",
                alternative=way,
                command=f"{tool} {path}",
                rule=risk.rule or "rm.recursive",
            )


def changed_paths(tool: str, tool_input: Mapping[str, object]) -> tuple[str, ...]:
    """Return the paths that a call of an MCP tool writes or deletes, as it names them."""
    verb = _CAMEL.sub("_", tool.rpartition("__")[2])
    if not tool.startswith(_PREFIX) or not (_REMOVES.search(verb) or _WRITES.search(verb)):
        return ()
    return tuple(_paths(tool_input))


def _paths(tool_input: Mapping[str, object]) -> Iterator[str]:
    candidates = (
        one for name, value in tool_input.items() if _FIELDS.fullmatch(name) for one in _each(value)
    )
    for _, path in zip(range(_MAX_PATHS), candidates, strict=False):
        yield path


def _each(value: object) -> Iterator[str]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str):
            yield re.sub(r"(?i)^file://(?:localhost)?(?=/)", "", item)


def _is_here(path: str, place: CallContext) -> bool:
    """Return whether a path can hardly be one of another host, or of a store."""
    if path.startswith("~"):
        return True
    whole = posixpath.normpath(path)
    local_roots = (home(place), place.project or "")
    return path.startswith("/") and (
        any(root and whole.startswith(root) for root in local_roots)
        or area_of(whole, place) in ("root", "system", "above", "home", "device")
    )
