"""Ask before a call changes hookd itself: its settings, its daemon, or its files.

The user is asked before a command changes which rules, policies and hooks apply, trusts hook files,
stops, pauses or replaces the daemon, calls it directly, accesses its process, or starts a client
without hookd: `claude --bare`, `HOME=/tmp/x codex`, a container that may change `~/.claude`.

Protected paths are hookd's own folders and its installed program, `.hookd/settings*.json` of any
project, and the files from which Claude Code reads its hooks: `.claude/settings*.json` of any
project and of the user, the user's `hooks` folder and `.claude.json`, managed settings. A command
is asked about if one of its words, its redirections or its working folder is such a path, unless
the program is known to only read it. Links are followed; a change of a path that cannot be
resolved, as on a disk that does not answer, is asked about.

A file whose name is not known from the text, as in `> $(...)` or `for f in .claude/*`, is asked
about if the call names a protected path anywhere. So are `disableAllHooks` and
`allowManagedHooksOnly` in text written to any file, a text with `hookd stop` that may run later,
and an installer that changes the Python environment from which hookd runs.

Commands that unpack, copy or download files are judged by the destination. An archive, a patch or
an existing folder is listed first, and passes if it has nothing protected. Others
are asked about in the home folder, in the root of a project and in a folder of settings, and
pass elsewhere: `tar xf x.tgz -C build`. Files that git changes by pull, merge or checkout pass;
single protected files that it restores are asked about.

Reading and reporting pass, and so do everyday commands: `hookd status`, `log`, `effort`,
`handover`, `session`, `loop`, `checkpoint` and others, `list` and `show` of everything, and
`guard add` of a new rule that denies or asks. Writing outside of the project, as by
`dialogue export`, is asked about.

Every command of a call is judged, including commands started by others, and the visible parts of
programs in other languages. So are PowerShell, Monitor, and MCP tools that take a command or a
program. Scripts in files are not read. A command that cannot be parsed is asked about only if
`destructive-guard` is off, which otherwise does. Denied are `hookd allow`, answers to permission
requests by `hookd approval`, `hookd board`, and `hookd web --allow-changes`: they are for a person.
So are `/hookd:allow` and `/hookd:pause` as a scheduled prompt, or as keys for a terminal.
Where permission requests wait for such answers (`approvals`), keys for another terminal are asked
about (`tmux send-keys`).
"""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from pydantic import Field, field_validator

from hookd.config.models import PolicyOptions
from hookd.core.evaluation.approvals import anywhere
from hookd.core.evaluation.typed_command import is_typed_command
from hookd.core.model import fact_requests
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.facts import Facts, Guard, Project, Session
from hookd.core.model.policy import Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events import tool_pattern
from hookd.events.model import PreToolUse
from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.call_context import context_of
from hookd.policy_support.self_guard import tools
from hookd.policy_support.self_guard.embedded_code import source_change
from hookd.policy_support.self_guard.hookd_commands import FOR_PERSON, RunningDaemon
from hookd.policy_support.self_guard.packages import has_source
from hookd.policy_support.self_guard.protected_files import (
    ProtectedFiles,
    client_folder,
    protected_files,
)
from hookd.policy_support.self_guard.text_changes import Installation, short, text_changes
from hookd.policy_support.self_guard.tools import Given
from hookd.policy_support.self_guard.unpacked_files import landed
from hookd.risk.analyze import assess_text
from hookd.risk.inline.interpreters import effects_of
from hookd.risk.model import CallContext
from hookd.risk.path_areas import is_stream
from hookd.risk.variable_values import values_in
from hookd.risk.written_files import TouchedFile
from hookd.shell.commands import LIMIT

NAME = "self-guard"

_WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
_READ_ONLY_PREFIXES = ("read", "get", "list", "search", "find", "stat", "info", "view")
"""Prefixes of the names of MCP tools that change nothing."""

_REPLACES = lazy_compile(r"move|rename|delete|remove|link|copy|trash|rmdir|unlink|purge")
"""Names of MCP tools that change a folder with its contents."""

_MOUNTED = lazy_compile(r"[/~][^:]*:/")
_FOLDER_FIELDS = ("cwd", "workdir", "working_directory", "workingDirectory")
_MAX_FILES = 500
"""Maximum files of one call that are checked."""

_MAX_FOLDERS = 16
_MAX_LISTED = 3
_UNRESOLVED = "its links could not be resolved"


class Options(PolicyOptions):
    """Exceptions."""

    allow: tuple[str, ...] = Field(
        (), description="Patterns of allowed calls, such as `Bash(hookd restart)`."
    )

    _patterns = field_validator("allow")(tool_pattern.validated)


def opine(event: PreToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Ask about changes of hookd or of a protected path; deny `hookd allow`."""
    whys = tuple(dict.fromkeys(_whys(event, facts)))
    patterns = map(tool_pattern.parse, options.allow)
    if not whys or any(tool_pattern.covers(one, event.call, strictly=True) for one in patterns):
        return None
    reason = f"{NAME}: {'; '.join(whys[:_MAX_LISTED])}."
    if any(why.endswith(FOR_PERSON) for why in whys):
        return Opinion("deny", reason, lasting=True)
    return Opinion("ask", reason)


def _whys(event: PreToolUse, facts: Facts) -> Iterator[str]:
    place = _placed(event, facts)
    own = protected_files(
        facts.daemon, place.project, place.home, client_folder(event), place.owned
    )
    if event.tool_name == "Bash":
        if event.call.primary is not None:
            yield from _shell(event.call.primary, place, own, facts)
    elif event.tool_name in _WRITERS:
        path = event.call.primary or ""
        if not path and event.call.part_of:
            yield "the files that the patch changes are not known"
        written = TouchedFile(path, "writes", _led(path, place))
        yield from _files((written,), _At(place.home), own, facts)
    else:
        yield from _other(event, place, own, facts)


def _placed(event: PreToolUse, facts: Facts) -> CallContext:
    """Return the context of a call, with the folders that XDG variables name."""
    place = context_of(event, facts)
    if event.tool_name == "Bash" and "XDG_" not in (event.call.primary or ""):
        return place
    return replace(place, values={**_system(facts.daemon), **place.values})


@lru_cache(maxsize=4)
def _system(daemon: DaemonState) -> Mapping[str, tuple[str, ...]]:
    """Return the XDG variables of the folders around hookd's own, with their values."""
    named = {
        "XDG_RUNTIME_DIR": daemon.socket,
        "XDG_STATE_HOME": daemon.database,
        "XDG_CONFIG_HOME": daemon.settings,
    }
    return {
        name: (posixpath.dirname(posixpath.dirname(path)),)
        for name, path in named.items()
        if posixpath.dirname(path).endswith("/hookd")
    }


def _led(path: str, place: CallContext) -> tuple[str, ...]:
    return (place.located(path) or posixpath.join(place.cwd or "/", path),)


def _other(
    event: PreToolUse, place: CallContext, own: ProtectedFiles, facts: Facts
) -> Iterator[str]:
    """Judge an MCP tool by the files it is given, and the commands it may run."""
    texts = (one for one in event.tool_input.values() if isinstance(one, str))
    if any(map(is_typed_command, texts)):  # a scheduled prompt looks like a typed one
        yield f"the tool is given a command of hookd, which {FOR_PERSON}"
    tools_named = [name.rpartition("__")[2].lower() for name in event.call.names]
    changing = [tool for tool in tools_named if not tool.startswith(_READ_ONLY_PREFIXES)]
    if event.tool_name.startswith("mcp__") and changing:
        whole = any(map(_REPLACES.search, changing))
        yield from _given(event.tool_input, place, own, whole=whole)
    named = (event.tool_input.get(name) for name in _FOLDER_FIELDS)
    folder = next((one for one in named if isinstance(one, str) and one), None)
    if folder:
        place = replace(place, cwd=_led(folder, place)[0])
    for one in tools.given(event.tool_name, event.tool_input):
        if len(one.text) > LIMIT:
            yield "the tool is given a command that is too long to check"
        elif one.kind == "shell":
            values = {**place.values, **values_in(one.text)}
            yield from _shell(one.text, replace(place, values=values), own, facts)
        else:
            yield from _program(one, place, own, facts)


def _program(one: Given, place: CallContext, own: ProtectedFiles, facts: Facts) -> Iterator[str]:
    """Judge a program in another language that a tool runs."""
    if why := source_change(one.text, own, facts.daemon.pid):
        yield f"the tool {why}"
    for text in effects_of(one.text, one.kind).texts:
        yield from _shell(text, place, own, facts)


def _shell(text: str, place: CallContext, own: ProtectedFiles, facts: Facts) -> Iterator[str]:
    guards = frozenset(one.rule_id for one in facts.guards)
    holds = anywhere(facts.settings.approvals)
    found = text_changes(RunningDaemon(facts.daemon.pid, guards, text, holds), place, own)
    for one in found.commands:
        if isinstance(one, str):
            yield one
        elif clause := one.of_hookd if _installs_hookd(one, facts) else one.of_others:
            yield clause
    yield from landed(found.landings, own, facts, place)
    yield from _files(found.files, _At(place.home, found.folders[:_MAX_FOLDERS]), own, facts)
    yield from found.hints
    if _alone(facts) and any(one.kind == "unreadable" for one in assess_text(text, place)):
        yield "the command cannot be parsed, and may change hookd"


def _installs_hookd(one: Installation, facts: Facts) -> bool:
    """Return whether a command installs hookd from a folder. Raise MissingFacts."""
    return any(has_source(folder, facts) for folder in one.folders)


def _alone(facts: Facts) -> bool:
    """Return whether no other guard asks about commands that cannot be parsed."""
    other = facts.options.get("destructive-guard")
    return other is not None and other.mode == "off"


class _At(NamedTuple):
    """Folders that a partly unknown word may be relative to."""

    home: str
    folders: tuple[str, ...] = ()


def _files(
    files: tuple[TouchedFile, ...], at: _At, own: ProtectedFiles, facts: Facts
) -> Iterator[str]:
    """Yield the changed files that are protected, links followed."""
    if len(files) > _MAX_FILES:
        yield "the call changes too many files to check"
        return
    if not files:
        return
    real = _Real(facts, own, tuple(path for file in files for path in file.paths))
    for file in files:
        removes = file.how == "removes"
        unknown = own.may_hold(file.text, at.folders, at.home, removes=removes)
        unknown = unknown or (not file.paths and own.named(file.text))
        if (unknown and not file.named) or any(real.meets(path, file) for path in file.paths):
            does = "removes" if removes else "changes"
            yield f"the call {does} {short(file.text)}, which is protected"
        elif any(map(real.unknown, file.paths)):
            yield f"{short(file.text)} could be a link to a protected path: {_UNRESOLVED}"


@lru_cache(maxsize=64)
def _ground(real: tuple[str | None, ...], files: int, folders: int) -> ProtectedFiles:
    """Return the protected files with links followed, cached for all calls.

    `real` has so many files and folders, then trees; None: a path that could not be resolved.
    """
    parts = real[:files], real[files : files + folders], real[files + folders :]
    known, within, trees = (tuple(filter(None, part)) for part in parts)
    return ProtectedFiles(known, within, trees)


class _Real:
    """Real paths of files and protected files; nothing is resolved if no file is known."""

    def __init__(self, facts: Facts, own: ProtectedFiles, touched: tuple[str, ...]) -> None:
        self._facts, self._own = facts, own
        self._unresolved, self._real = False, ProtectedFiles(())
        if touched:
            facts.require_all(*map(fact_requests.RealPath, touched), own.real_paths)
            real = facts.require(own.real_paths) or (None,)
            self._unresolved = None in real
            self._real = _ground(real, len(own.files), len(own.folders))

    def _led(self, path: str) -> str | None:
        return self._facts.require(fact_requests.RealPath(path))

    def unknown(self, path: str) -> bool:
        """Return whether a path could not be resolved, so that it may be a protected one."""
        return (self._unresolved or self._led(path) is None) and not is_stream(path)

    def meets(self, path: str, file: TouchedFile) -> bool:
        """Return whether a path of a file is protected."""
        for one, own in ((path, self._own), (self._led(path), self._real)):
            if one is None:
                continue
            if file.how == "removes":
                met = own.below(one, file.named)
            else:  # what is copied to `folder/.` is what lies in it then
                met = own.holds(one) if path.endswith(("/.", "/")) else own.has(one)
            if met:
                return True
        return False


def _given(
    tool_input: Mapping[str, object], place: CallContext, own: ProtectedFiles, *, whole: bool
) -> Iterator[str]:
    """Yield the protected paths among the arguments of a tool, at any depth.

    `whole`: the tool changes folders with their contents.
    """
    is_own = own.below if whole else own.has
    rest: list[object] = [tool_input]
    while rest:
        one = rest.pop()
        if isinstance(one, Mapping):
            rest.extend(one.values())
        elif isinstance(one, list):
            rest.extend(one)
        elif isinstance(one, str) and "\n" not in one and own.telling.search(one.lower()):
            path = one.removeprefix("file://")
            mounted = _led(path.partition(":")[0], place) if _MOUNTED.match(path) else ()
            given = any(own.holder(led) or own.above(led) for led in mounted)
            if path and (given or any(map(is_own, _led(path, place)))):
                yield f"the tool is given {short(path)}, which is protected"
    for path in tools.joined(tool_input):
        if own.telling.search(path.lower()) and any(map(is_own, _led(path, place))):
            yield f"the tool is given {short(path)}, which is protected"


def _event(tool: str, **tool_input: object) -> PreToolUse:
    return PreToolUse(tool_name=tool, tool_input=tool_input, cwd="/home/me/shop")


def _bash_of(command: str) -> PreToolUse:
    return _event("Bash", command=command)


_LINKS = {"/home/me/shop/link": "/home/me/.claude/settings.json"}


def _examples() -> tuple[PolicyExample, ...]:
    daemon = DaemonState(
        pid=4242,
        socket="/home/me/.local/state/hookd/run/hookd.sock",
        database="/home/me/.local/state/hookd/hookd.db",
        log="/home/me/.local/state/hookd/hookd.log",
        settings="/home/me/.config/hookd/settings.json",
        claude="/home/me/.claude",
    )
    looked = (f"/home/me/shop/{name}" for name in ("app.py", ".hookd/settings.json", "link"))
    protected = protected_files(daemon, "/home/me/shop", "/home/me").real_paths
    facts = Facts(
        project=Project(1, "/home/me/shop"),
        session=Session(1, "s"),
        guards=(Guard(1, "no-force", "user", "{}"),),
        daemon=daemon,
        resolved={
            protected: protected.paths,
            **{fact_requests.RealPath(path): _LINKS.get(path, path) for path in looked},
        },
    )
    lets = replace(facts, options={NAME: Options(allow=("Bash(hookd restart)",))})
    return (
        PolicyExample(_bash_of("hookd policy disable destructive-guard"), facts, says="ask"),
        PolicyExample(_bash_of("HOOKD_HOME=/x python3 -m hookd stop"), facts, says="ask"),
        PolicyExample(_bash_of("hookd guard add no-force Bash --ask x"), facts, says="ask"),
        PolicyExample(_bash_of("hookd guard add more Bash --ask x"), facts, says=""),
        PolicyExample(_bash_of("hookd log 'hookd stop'"), facts, says=""),
        PolicyExample(_bash_of("hookd allow 4711 --yes"), facts, says="deny"),
        PolicyExample(_bash_of("hookd allow list"), facts, says=""),
        PolicyExample(_bash_of("hookd restart"), facts, says="ask"),
        PolicyExample(_bash_of("hookd restart"), lets, says=""),
        PolicyExample(_bash_of("echo '{}' > .hookd/settings.json"), facts, says="ask"),
        PolicyExample(_bash_of("cat .hookd/settings.json"), facts, says=""),
        PolicyExample(_event("Edit", file_path="/home/me/shop/link"), facts, says="ask"),
        PolicyExample(_event("Edit", file_path="/home/me/shop/app.py"), facts, says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=13,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="ask",
    allowable=True,
    opine=opine,
    by_part=True,
    by_reading=True,
    examples=_examples,
)
