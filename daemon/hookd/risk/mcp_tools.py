"""Risks of MCP tools' calls: a text that they run, a file that they change, their name.

The machine such a tool works on is not in its call, so a path counts only if it can hardly be
another machine's. Its risks are asked about.
"""

import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.sql import harms
from hookd.risk.model import CallContext, CommandCall, Risk
from hookd.risk.path_areas import area_of, home
from hookd.risk.rules.deletion import deletion_risk
from hookd.risk.rules.writes import write_risk
from hookd.risk.subcommands import DELETING_VERBS
from hookd.shell.argv import Item
from hookd.shell.commands import Command
from hookd.shell.quoting import names

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
    r"(?is)(?>(?:\s|;|\(|--[^\n]*\n|/\*(?>(?:[^*]|\*(?!/))*)\*/)*)(?:drop\s+(?:table|database|schema|view|index|column|user"
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


_SHELL_FIELDS = lazy_compile(r"(?i)(?:shell_?|cli_?|bash_?)?(?:command_?line|commands?|cmds?)")
_SCRIPT_FIELDS = lazy_compile(r"(?i)(?:shell_?|bash_?)?scripts?")
_CODE_FIELDS = lazy_compile(r"(?i)(?:source_?|python_?|js_?)?code|cell")
_LANGUAGE_FIELDS = ("language", "lang", "runtime", "kernel", "interpreter")
_LANGUAGES = {
    **dict.fromkeys(names("python python3 py ipython jupyter notebook ide cell"), "python3 -c"),
    **dict.fromkeys(
        names("javascript js node nodejs typescript ts browser playwright puppeteer chrome"),
        "node -e",
    ),
    **dict.fromkeys(names("bash sh shell zsh terminal ssh"), ""),
    **dict.fromkeys(names("ruby rb"), "ruby -e"),
    "php": "php -r",
    "perl": "perl -e",
    "applescript": "osascript -e",
    "osascript": "osascript -e",
}
"""By the name of a language, or a word in the name of a tool: what runs the code; "": a shell."""

_CLIENTS = {
    **{name: name for name in names("aws az docker gcloud gh git glab helm kubectl terraform")},
    **dict.fromkeys(names("kubernetes k8s"), "kubectl"),
    **dict.fromkeys(names("redis valkey"), "redis-cli"),
    **dict.fromkeys(names("mongo mongodb"), "mongosh --eval"),
}
"""By a word in the name of a server: the client whose words its tools may take."""

_MAX_LEVELS = 4
"""Maximum objects in an input that are judged."""

_MAX_TEXTS = 8
"""Maximum texts of one call that are judged, as each may be a program."""


class RunText(NamedTuple):
    """A text that a call runs; `certain` is False if it may be no shell text."""

    text: str
    certain: bool = True


def run_texts(tool: str, tool_input: Mapping[str, object]) -> tuple[RunText, ...]:
    """Return the shell texts that a call of another tool than Bash runs.

    PowerShell's commands, and code in other languages, are translated to shell commands.
    """
    command = command_of(tool, tool_input)
    found = [RunText(command)] if command is not None else []
    for given in _levels(tool_input) if tool.startswith(_PREFIX) else ():
        found += _run_by_server(tool, given, command_of(tool, given))
    return tuple(dict.fromkeys(found))[:_MAX_TEXTS]


def _levels(tool_input: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return the input of a call, and the objects in it: `{"arguments": {"cmd": "ls"}}`."""
    inner = [value for value in tool_input.values() if isinstance(value, Mapping)]
    return [tool_input, *inner[:_MAX_LEVELS]]


def _run_by_server(
    tool: str, tool_input: Mapping[str, object], known: str | None
) -> Iterator[RunText]:
    words = _name_words(tool)
    args = _joined(tool_input.get("args", tool_input.get("arguments")))
    if known is not None and args:
        yield RunText(f"{known} {args}")
    for field, value in tool_input.items():
        if _SHELL_FIELDS.fullmatch(field):
            listed = value if isinstance(value, list) and field.endswith("s") else [value]
            yield from (RunText(text) for text in listed if isinstance(text, str))
        elif not isinstance(value, str):
            continue
        elif _SCRIPT_FIELDS.fullmatch(field) or _CODE_FIELDS.fullmatch(field):
            yield from _code(value, _runners(words, tool_input), field)
    for client in dict.fromkeys(_CLIENTS[word] for word in words if word in _CLIENTS):
        for text in filter(None, (known, args)):
            quoted = shlex.quote(text) if client.endswith("--eval") else text
            yield RunText(f"{client} {quoted}", certain=False)
    if args and known is None:
        yield RunText(args, certain=False)


def _joined(value: object) -> str:
    """Return arguments as one line; a list is one word each."""
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return shlex.join(value)
    return value if isinstance(value, str) else ""


def _runners(words: Iterable[str], tool_input: Mapping[str, object]) -> tuple[str, ...]:
    """Return what may run the code of a call: by the language in it, or by the tool's name."""
    stated = [str(tool_input.get(field, "")).lower() for field in _LANGUAGE_FIELDS]
    for group in (stated, words):
        if runners := dict.fromkeys(_LANGUAGES[word] for word in group if word in _LANGUAGES):
            return tuple(runners)
    return ()


def _code(text: str, runners: tuple[str, ...], field: str) -> Iterator[RunText]:
    """Yield code as the shell text that runs it; in each likely language if none is known."""
    if not runners:
        runners = ("",) if _SCRIPT_FIELDS.fullmatch(field) else ("python3 -c", "node -e")
        certain = False
    else:
        certain = True
    for runner in runners:
        yield RunText(f"{runner} {shlex.quote(text)}" if runner else text, certain)
        if runner == "python3 -c":
            escapes = (match[1] or match[2] for match in _ESCAPES.finditer(text))
            yield from (RunText(escape) for escape in escapes)


_ESCAPES = lazy_compile(r"(?ms)^[ \t]*+!([^\n]+)|\A[ \t]*%%(?:bash|sh|!)[^\n]*\n(.*)")
"""A line of a notebook that a shell runs, or a whole cell."""


def _name_words(tool: str) -> tuple[str, ...]:
    """Return the words in the name of a tool and of its server, in lower case."""
    return tuple(re.split(r"[_\W]+", _CAMEL.sub("_", tool.removeprefix(_PREFIX)).lower()))


_DELETING = DELETING_VERBS | names("reset flush flushall flushdb truncate nuke")
_READING = names(
    "get list read search find describe show view query fetch check count preview explain"
    " validate plan status is has can inspect lookup"
)
_SEARCHING = names("search find docs documentation lookup")
"""Words in the names of tools that look for a text; they do not run it."""

_ACTIONS = names("action operation op method verb tool tool_name toolName")
"""Fields of an input that name what a tool does."""

_MAX_ACTION = 60
"""Characters of the name of an action; a longer text is none."""

_HARMLESS_FIELDS = ("dry_run", "dryRun", "preview", "validate_only")
_LOOK = "A tool of the same server that lists or reads shows what it is about."


def name_risks(tool: str, tool_input: Mapping[str, object], place: CallContext) -> Iterator[Risk]:
    """Yield that a tool deletes, resets or merges something, by its name or by its action."""
    if not tool.startswith(_PREFIX) or any(tool_input.get(field) for field in _HARMLESS_FIELDS):
        return
    actions = (
        value
        for given in _levels(tool_input)
        for field, value in given.items()
        if field in _ACTIONS and isinstance(value, str) and len(value) <= _MAX_ACTION
    )
    named = (_deleting_verb(text) for text in (tool.rpartition("__")[2], *actions))
    verb = next(filter(None, named), "")
    if not verb:
        return
    if verb == "merge":
        why = "merges something at a service, by its name"
        yield Risk("history", "ask", why, _LOOK, command=tool, rule="mcp.merge")
    elif not _names_own_files(tool_input, place):
        why = f"deletes or resets something at a service, by its name (`{verb}`)"
        yield Risk("cloud", "ask", why, _LOOK, command=tool, rule="mcp.delete")


def _deleting_verb(name: str) -> str:
    """Return the verb in the name of an action that deletes, resets or merges; else nothing."""
    words = _name_words(name)
    verb = next((word for word in words if word in _DELETING or word == "merge"), "")
    return verb if verb and _READING.isdisjoint(words[: words.index(verb)]) else ""


def _names_own_files(tool_input: Mapping[str, object], place: CallContext) -> bool:
    """Return whether a call names files of the project or of scratch space, which are judged."""
    given = list(_paths(tool_input))
    return bool(given) and all(
        path.startswith("/") and area_of(posixpath.normpath(path), place) in _NEAR for path in given
    )


_NEAR = ("scratch", "rebuildable", "inside")


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
    searches = not _SEARCHING.isdisjoint(_name_words(tool.rpartition("__")[2]))
    texts = (
        value
        for given in (() if searches else _levels(tool_input))
        for name, value in given.items()
        if _STATEMENTS.fullmatch(name) or _SHELL_FIELDS.fullmatch(name)
    )
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
