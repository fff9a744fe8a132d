"""What tools other than Bash are given to run: commands in any field, programs, PowerShell."""

import shlex
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from hookd.lazy_pattern import lazy_compile

_QUIET = frozenset(
    {
        *(
            "ApplyPatch",
            "Read",
            "Write",
            "Edit",
            "MultiEdit",
            "NotebookEdit",
            "NotebookRead",
            "Glob",
            "Grep",
        ),
        *("LS", "WebFetch", "WebSearch", "Agent", "Task", "Skill", "TodoWrite", "AskUserQuestion"),
        *("TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "ExitPlanMode", "EnterPlanMode"),
    }
)
"""Tools of the client that run nothing of what they are given."""

_COMMANDS = lazy_compile(
    r"(?:shell|bash|sh|terminal|start|run|exec(?:ute)?|full)?_?(?:commands?|cmds?)"
    r"(?:_?(?:line|text))?|cmdline|scripts?|argv|shell|bash|exec|program|executable|keys?"
    r"|keystrokes?|input|stdin|run|line|invocation"
)
_CODE = lazy_compile(
    r"(?:\w+_)?(?:code|source|snippet|expression|program|cell|js|javascript|python)"
)
_TERMINALS = lazy_compile(
    r"(?:^|_)(?:type|term\w*|shell|tmux|console|pty|keyboard|iterm\w*)(?:_|$)"
)
_TYPED = lazy_compile(r"text|data|content|chars|value")
"""Fields of tools that type into a terminal."""

_PROGRAMS = lazy_compile(r"program|executable|binary|exe|file|path|tool|entrypoint")
"""Fields that name a program where a list of arguments is beside them."""

_ESCAPED = lazy_compile(r"(?m)^\s*[!%]+(?:sh|bash|system|sx)?\s*(.+)$")
"""A line of a notebook that a shell runs: `!ls`, `%sx ls`."""


_ARGUMENTS = ("args", "arguments", "argv", "params")
_HUMP = lazy_compile(r"(?<=[a-z0-9])(?=[A-Z])|-")
_MAX_TEXTS = 64

Kind = Literal["shell", "python", "js"]


class Given(NamedTuple):
    """A text that a tool may run, and the language that it is in."""

    kind: Kind
    text: str


def given(tool: str, tool_input: Mapping[str, object]) -> tuple[Given, ...]:
    """Return the texts that a call of a tool may run."""
    if tool in _QUIET:
        return ()
    if tool == "PowerShell":
        from hookd.risk.powershell import as_shell  # noqa: PLC0415 - slow, rarely needed

        text = tool_input.get("command")
        return (Given("shell", as_shell(text)),) if isinstance(text, str) else ()
    found = _fields(tool, tool_input)
    return tuple(one for _, one in zip(range(_MAX_TEXTS), found, strict=False))


_FOLDERS = lazy_compile(r"(?:\w+_)?(?:dir|directory|folder|parent|root|cwd|base|location|path)")
_NAMES = lazy_compile(r"(?:\w+_)?(?:name|file|filename|basename|path)")


def joined(tool_input: Mapping[str, object]) -> Iterator[str]:
    """Yield the paths that a folder and a name make, given in fields of their own."""
    named = [
        (_HUMP.sub("_", name).lower(), value)
        for name, value in tool_input.items()
        if isinstance(value, str) and 0 < len(value) < _MAX_PATH_CHARS and "\n" not in value
    ]
    folders = [value for name, value in named if _FOLDERS.fullmatch(name)][:_MAX_FIELDS]
    names = [value for name, value in named if _NAMES.fullmatch(name)][:_MAX_FIELDS]
    for folder in folders:
        for name in names:
            if name[:1] not in ("/", "~") and name != folder:
                yield f"{folder.rstrip('/')}/{name}"


_MAX_FIELDS, _MAX_PATH_CHARS = 8, 4_096


def _fields(tool: str, tool_input: Mapping[str, object]) -> Iterator[Given]:
    rest: list[Mapping[str, object]] = [tool_input]
    while rest:
        fields = rest.pop()
        for name, value in fields.items():
            low = _HUMP.sub("_", name).lower()
            if isinstance(value, Mapping):
                rest.append(value)
            elif isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
                rest += [one for one in value if isinstance(one, Mapping)]
            else:
                yield from _texts(tool, low, value, fields)


def _texts(tool: str, name: str, value: object, fields: Mapping[str, object]) -> Iterator[Given]:
    if _CODE.fullmatch(name) and isinstance(value, str):
        yield from (Given(kind, value) for kind in ("python", "js"))
        yield from (Given("shell", line) for line in _ESCAPED.findall(value))
    if name in _ARGUMENTS and isinstance(value, list):
        words = [one for one in value if isinstance(one, str)]
        yield from (Given("shell", shlex.join([*one, *words])) for one in _programs(fields))
        return
    typed = _TYPED.fullmatch(name) and _TERMINALS.search(_HUMP.sub("_", tool).lower())
    if not typed and not _COMMANDS.fullmatch(name):
        return
    words = [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
    if words:
        # One command in words, or several commands.
        yield Given("shell", shlex.join(words))
        yield Given("shell", "\n".join(words))
    elif isinstance(value, str) and value.strip():
        yield Given("shell", value)
        if more := _arguments(fields):
            yield Given("shell", f"{value} {shlex.join(more)}")
        if name.startswith("script"):
            yield from (Given(kind, value) for kind in ("python", "js"))


def _programs(fields: Mapping[str, object]) -> Iterator[tuple[str, ...]]:
    """Yield what may be run with the arguments beside it: nothing, or a program."""
    yield ()
    for name, value in fields.items():
        low = _HUMP.sub("_", name).lower()
        if _PROGRAMS.fullmatch(low) and isinstance(value, str) and value.strip():
            yield (value,)


def _arguments(fields: Mapping[str, object]) -> list[str]:
    found = next((fields[name] for name in _ARGUMENTS if name in fields), None)
    if isinstance(found, str):
        return found.split()
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
