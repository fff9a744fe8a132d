"""What could switch hookd's guards off is asked about: its settings, its daemon, its files.

A guard that an agent can take away by itself is none. So the user is asked before a command changes
which rules, policies and hooks hold, trusts files of hooks, ends or replaces the daemon, calls it
directly, or takes hookd out of Claude Code; and before anything changes hookd's settings, database,
socket, lock or shims, a project's `.hookd/settings*.json`, or settings of Claude Code, which can
switch all hooks off. Links are followed, and folders that hold such a file count as well.

What reads or reports is silent, and so is what is done every day: `hookd status`, `log`, `effort`,
`handover`, `session`, `loop`, `checkpoint` and their like, `list` and `show` of everything, and
`guard add` of a new rule that denies or asks. What would be written outside of the project, as by
`dialogue export`, is asked about.

Every command that a line of Bash runs is looked at, wrapped ones and texts for other shells too,
and what is visible of programs in other languages. What a script in a file does is not seen. A
command that cannot be read is asked about where `destructive-guard` is off, which does so
otherwise. `hookd allow` is denied: it is for a person.
"""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

from pydantic import Field, field_validator

from hookd.core import tool_pattern, wants
from hookd.core.danger import judged
from hookd.core.danger.entry import Call, Place
from hookd.core.danger.standpoint import place_of
from hookd.core.danger.tables import texts
from hookd.core.danger.walk import Found, found
from hookd.core.events import PreToolUse
from hookd.core.facts import Facts, Guard, Project, Session
from hookd.core.options import PolicyOptions
from hookd.core.outcome import Opinion
from hookd.core.own_commands import FOR_PERSON, Known, change
from hookd.core.own_files import Ground, ground
from hookd.core.own_mentions import exported, mentioned
from hookd.core.policy import Policy, PolicyExample
from hookd.core.shell import Shell, read
from hookd.core.shell.runners import SHELLS
from hookd.core.standing import Daemon
from hookd.core.written import Touched, touched

NAME = "self-guard"

_WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
_TELLS = ("read", "get", "list", "search", "find", "stat", "info", "view")
"""How the tools of a server are called that change nothing."""

_NESTED = 4
_MOST = 500
"""Files of one call that are looked at."""

_FOLDERS = 16
_TOLD = 3
_SHOWN = 160


class Options(PolicyOptions):
    """What is let through."""

    allow: tuple[str, ...] = Field(
        (), description="Patterns of calls that are let through, such as `Bash(hookd restart)`."
    )

    _patterns = field_validator("allow")(tool_pattern.parsable)


def opine(event: PreToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Ask about what would change hookd itself, or what it goes by; deny `hookd allow`."""
    whys = tuple(dict.fromkeys(_whys(event, facts)))
    patterns = map(tool_pattern.parse, options.allow)
    if not whys or any(tool_pattern.covers(one, event.call, strictly=True) for one in patterns):
        return None
    reason = f"{NAME}: {'; '.join(whys[:_TOLD])}."
    if any(why.endswith(FOR_PERSON) for why in whys):
        return Opinion("deny", reason, lasting=True)
    return Opinion("ask", reason)


def _whys(event: PreToolUse, facts: Facts) -> Iterator[str]:
    place = place_of(event, facts)
    own = ground(facts.daemon, place.project, place.home, _claude(event))
    if event.tool_name == "Bash":
        yield from _bash(event, facts, place, own)
    elif event.tool_name in _WRITERS:
        path = event.call.primary or ""
        written = Touched(path, "writes", _led(path, place))
        yield from _files((written,), _At(place.home), own, facts)
    elif event.tool_name.startswith("mcp__"):
        tool = event.tool_name.rpartition("__")[2].lower()
        if not tool.startswith(_TELLS):
            yield from _given(event.tool_input, place, own)


def _claude(event: PreToolUse) -> str:
    """Return the folder of Claude Code that the window uses."""
    folder, found, _ = (event.transcript_path or "").partition("/projects/")
    return folder if found else ""


def _led(path: str, place: Place) -> tuple[str, ...]:
    whole = f"{place.home}{path[1:]}" if path[:2] == "~/" else path
    return (posixpath.join(place.cwd or "/", whole),)


def _bash(event: PreToolUse, facts: Facts, place: Place, own: Ground) -> Iterator[str]:
    text = event.call.primary
    if text is None:
        return
    known = Known(facts.daemon.pid, frozenset(one.rule_id for one in facts.guards), text)
    files: list[Touched] = []
    folders = dict.fromkeys((place.cwd,))
    for one in _texts(event.call.shell, place, text):
        files += (each for each in touched(one.shell, one.place, one.text) if each.how != "reads")
        folders |= dict.fromkeys(folder for each in one.runs for folder in each.folders)
        yield from _commands(one, known, own)
    at = _At(place.home, tuple(one for one in folders if one)[:_FOLDERS])
    yield from _files(tuple(dict.fromkeys(files)), at, own, facts)
    if _alone(facts) and any(one.kind == "unreadable" for one in judged(text, place)):
        yield "the command cannot be read, and may change hookd"


def _alone(facts: Facts) -> bool:
    """Whether no other guard asks about commands that cannot be read."""
    other = facts.options.get("destructive-guard")
    return other is not None and other.mode == "off"


class _Text(NamedTuple):
    """A text at its place, and the commands that it runs there."""

    text: str
    shell: Shell
    place: Place
    runs: tuple[Found, ...]


def _texts(shell: Shell, place: Place, text: str, depth: int = 0) -> Iterator[_Text]:
    """Yield a text with those that its commands are given to run, each at its place."""
    runs = found(shell, place)
    yield _Text(text, shell, place, runs)
    for one in runs if depth < _NESTED else ():
        name = one.command.told.name
        for inner in one.given if name in SHELLS else texts(one.command):
            where = replace(place, cwd=one.folders[-1])
            yield from _texts(read(inner), where, inner, depth + 1)


def _commands(text: _Text, known: Known, own: Ground) -> Iterator[str]:
    everything = tuple(one for one in text.runs if one.where in ("here", "remote"))
    for one, after in zip_longest(everything, everything[1:]):
        for folder in one.folders:
            call = Call(one.command, replace(text.place, cwd=folder))
            if why := change(call, known):
                yield f"`{_short(call.text)}` {why}"
            elif path := exported(call, own):
                yield f"`{_short(call.text)}` writes {path}, which is no file of the project's"
            elif not _wraps(one, after) and (path := mentioned(call, own)):
                yield f"`{_short(call.text)}` may change {path}, which hookd goes by"


def _wraps(one: Found, after: Found | None) -> bool:
    """Whether a command only starts the one behind it, which is looked at by itself."""
    return after is not None and len(after.command.through) > len(one.command.through)


class _At(NamedTuple):
    """From where a word that is not known in full may begin."""

    home: str
    folders: tuple[str, ...] = ()


def _files(files: tuple[Touched, ...], at: _At, own: Ground, facts: Facts) -> Iterator[str]:
    """Yield which of the files that are changed hookd goes by, links followed."""
    if len(files) > _MOST:
        yield "the call changes more files than can be looked at"
        return
    real = _Real(facts, own, tuple(path for file in files for path in file.paths))
    for file in files:
        removes = file.how == "removes"
        unknown = own.may_hold(file.text, at.folders, at.home, removes=removes)
        if (unknown and not file.named) or any(real.meets(path, file) for path in file.paths):
            does = "removes" if removes else "changes"
            yield f"the call {does} {_short(file.text)}, which hookd goes by"


class _Real:
    """Where paths lead, links followed; nothing is looked up where no file is known."""

    def __init__(self, facts: Facts, own: Ground, files: tuple[str, ...]) -> None:
        self._facts, self._own = facts, own
        known = (own.files, own.folders, own.trees) if files else ((), (), ())
        facts.look(*(wants.RealPath(one) for some in (files, *known) for one in some))
        self._real = Ground(*(tuple(map(self._led, some)) for some in known))

    def _led(self, path: str) -> str:
        return self._facts.see(wants.RealPath(path)) or path

    def meets(self, path: str, file: Touched) -> bool:
        """Whether a path of a file is one that hookd goes by."""
        for one, own in ((path, self._own), (self._led(path), self._real)):
            if file.how == "removes":
                met = own.below(one, file.named)
            else:  # what is copied to `folder/.` is what lies in it then
                met = own.holds(one) if path.endswith(("/.", "/")) else own.has(one)
            if met:
                return True
        return False


def _given(tool_input: Mapping[str, object], place: Place, own: Ground) -> Iterator[str]:
    """Yield the files hookd goes by among all that a tool is given, however deep they lie."""
    rest: list[object] = [tool_input]
    while rest:
        one = rest.pop()
        if isinstance(one, Mapping):
            rest.extend(one.values())
        elif isinstance(one, list):
            rest.extend(one)
        elif isinstance(one, str) and "\n" not in one:
            path = one.removeprefix("file://")
            if path and any(map(own.has, _led(path, place))):
                yield f"the tool is given {_short(path)}, which hookd goes by"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _event(tool: str, **tool_input: object) -> PreToolUse:
    return PreToolUse(tool_name=tool, tool_input=tool_input, cwd="/home/me/shop")


def _bash_of(command: str) -> PreToolUse:
    return _event("Bash", command=command)


_DAEMON = Daemon(
    pid=4242,
    socket="/home/me/.local/state/hookd/run/hookd.sock",
    database="/home/me/.local/state/hookd/hookd.db",
    log="/home/me/.local/state/hookd/hookd.log",
    settings="/home/me/.config/hookd/settings.json",
    claude="/home/me/.claude",
)
_LOOKED = (
    *(f"/home/me/shop/{name}" for name in ("app.py", ".hookd/settings.json", "link")),
    *ground(_DAEMON, "/home/me/shop", "/home/me").files,
    *ground(_DAEMON, "/home/me/shop", "/home/me").folders,
)
_LINKS = {"/home/me/shop/link": "/home/me/.claude/settings.json"}
_FACTS = Facts(
    project=Project(1, "/home/me/shop"),
    session=Session(1, "s"),
    guards=(Guard(1, "no-force", "user", "{}"),),
    daemon=_DAEMON,
    seen={wants.RealPath(path): _LINKS.get(path, path) for path in _LOOKED},
)
_LETS = replace(_FACTS, options={NAME: Options(allow=("Bash(hookd restart)",))})

POLICY = Policy(
    name=NAME,
    priority=13,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="ask",
    allowable=True,
    opine=opine,
    examples=(
        PolicyExample(_bash_of("hookd policies disable destructive-guard"), _FACTS, says="ask"),
        PolicyExample(_bash_of("HOOKD_HOME=/x python3 -m hookd stop"), _FACTS, says="ask"),
        PolicyExample(_bash_of("hookd guard add no-force Bash --ask x"), _FACTS, says="ask"),
        PolicyExample(_bash_of("hookd guard add more Bash --ask x"), _FACTS, says=""),
        PolicyExample(_bash_of("hookd log 'hookd stop'"), _FACTS, says=""),
        PolicyExample(_bash_of("hookd allow 4711 --yes"), _FACTS, says="deny"),
        PolicyExample(_bash_of("hookd allow list"), _FACTS, says=""),
        PolicyExample(_bash_of("hookd restart"), _FACTS, says="ask"),
        PolicyExample(_bash_of("hookd restart"), _LETS, says=""),
        PolicyExample(_bash_of("echo '{}' > .hookd/settings.json"), _FACTS, says="ask"),
        PolicyExample(_bash_of("cat .hookd/settings.json"), _FACTS, says=""),
        PolicyExample(_event("Edit", file_path="/home/me/shop/link"), _FACTS, says="ask"),
        PolicyExample(_event("Edit", file_path="/home/me/shop/app.py"), _FACTS, says=""),
    ),
)
