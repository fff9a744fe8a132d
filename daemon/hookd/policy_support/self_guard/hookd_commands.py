"""Commands of hookd's own that change what it guards, whether it runs, or whether it is asked.

What only reads or reports is named here, and so is what is done every day, such as a log entry. All
other commands of hookd's own are taken for a change, also those that are not known yet.
"""

import re
from collections.abc import Mapping

from hookd.core.model.renamed_commands import current_command
from hookd.core.model.renamed_methods import current_method
from hookd.core.model.shim_paths import link_event
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.self_guard.typed_keys import typed_keys, types_command
from hookd.risk.inline.source import language_of
from hookd.risk.model import CommandCall
from hookd.shell.argv import Item
from hookd.shell.quoting import names

_ALL = frozenset[str]()
_CALM: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        names(
            "help status doctor logs effort log work checkpoint task skill handover loop fleet"
            " agent event why message query dialogue demo stats metrics version completion"
            " claim release send inbox wait reply"
        ),
        _ALL,
    ),
    "session": names("list show"),
    "daemon": names("start status logs"),
    "db": names("size check backup"),
    "settings": names("check schema"),
    "guard": names("list builtin explain export schema test"),
    "allow": names("list remove"),
    "approval": names("show"),
    "mail": names("list show"),
    "web": _ALL,
    "hook": names("list log test"),
    "policy": names("list show"),
    "service": names("status"),
    "redact": names("test"),
    "resume": _ALL,
    "start": _ALL,
    "serve": _ALL,
}
"""Commands that change nothing of what holds, with the subcommands of which that is true."""

_UNLESS = {
    "start": "--settings",
    "serve": "--settings",
    "daemon": "--settings",
    "hook": "--untrusted",
    "guard": "--junit",
    "completion": "--install",
    "approval": "--follow -f",
    "web": "--allow-changes",
}
"""Flags with which a harmless command is not harmless."""

FOR_PERSON = "is for a person, in a terminal of their own"
"""Ending of the reason for commands that a model may never run."""

_CHANGES = {
    **dict.fromkeys(("allow", "approval", "board", "web", "mail"), FOR_PERSON),
    **dict.fromkeys(("stop", "restart", "daemon"), "ends the daemon that judges calls"),
    **dict.fromkeys(("install", "uninstall", "service"), "changes whether hookd is called"),
    "pause": "lets calls pass unchecked",
    "trust": "changes which projects are trusted",
    "hook": "changes which hooks run",
    "policy": "changes which policies apply",
    **dict.fromkeys(("guard", "deny"), "changes which guard rules apply"),
    "session": "deletes what hookd has recorded",
    "rpc": "calls the daemon directly",
    "run": "starts another client",
}
_DRY = ("install", "uninstall", "hook", "session")
_HELP = frozenset({"-h", "--help", "--version"})
_CALM_METHODS = names(
    "rpc.discover session.list effort.start effort.resume effort.phase effort.list effort.history"
    " effort.log effort.finish task.list skill.list handover.list handover.save messages.list"
    " injections.list events.list events.body events.slow stats.summary stats.rebuild guards.list"
    " guards.files loop.start loop.cancel"
    " work.add work.take work.done work.block work.release work.list"
    " loop.status agents.list userHooks.list userHooks.runs allowances.list allowances.remove"
    " fleet.status approvals.list mail.send mail.list mail.inbox mail.read daemon.status"
    " daemon.query daemon.integrity daemon.size daemon.resume claims.add claims.release claims.list"
)
_SPLIT = lazy_compile(r"hookd.*\w", re.DOTALL | re.IGNORECASE)
"""A program that may be several words, such as the output of another: `$(echo hookd stop)`."""

_UNKNOWN = "runs an unknown command of hookd"

_RUNNERS = names("uv coverage")
_STARTERS = names("runpy cProfile profile pdb trace coverage")
"""Modules of Python that run another one."""


@dataclass(frozen=True, slots=True)
class RunningDaemon:
    """The running daemon: its process id and the names of guard rules.

    `text` is the whole text of the command, including variables that it sets. `holds`: permission
    requests wait for answers from outside the client.
    """

    pid: int = 0
    guards: frozenset[str] = frozenset()
    text: str = ""
    holds: bool = False


def change(call: CommandCall, known: RunningDaemon) -> str:
    """Return what a command changes of hookd, in words whose subject is it; "" where nothing."""
    if (words := _arguments(call)) is not None:
        return _of_hookd(call, words, known)
    name = call.program.removesuffix(".native")
    if name == "hookd-plugin-setup":
        return "changes which hookd the plugin runs"
    if name in ("hookd-hook", "hookd-plugin-hook", "hookd-statusline") or any(
        link_event(word) for word in call.command.words[:1]
    ):
        return "sends hookd an event that is not from Claude Code"
    if types_command(call):
        return f"types a command of hookd, which {FOR_PERSON}"
    return typed_keys(call) if known.holds else ""


def guessed(call: CommandCall, known: RunningDaemon) -> str:
    """Return what a command would change, where its words may be no command at all."""
    words = _arguments(call)
    named = words and not words[0].unknown and current_command(words[0].text) in _CHANGES
    return change(call, known) if named else ""


def _arguments(call: CommandCall) -> tuple[Item, ...] | None:
    """Return the words that hookd is given, less flags; None where it is not what runs."""
    program = call.command.words[0] if call.command.words else ""
    if call.program == "hookd" or (not call.program and "hookd" in program.lower()):
        return call.items
    python = language_of(call.command) == "python"
    if not python and call.program not in _RUNNERS:
        return None
    glued = [place for flag, place in call.words.flags if flag.startswith("-mhookd")]
    named = call.values("-m", "--module")
    modules = [item.place for item in named if _is_module(item.text)]
    if any(item.text in _STARTERS for item in named):
        modules += [item.place for item in call.items[1:3] if _is_module(item.text)]
    scripts = [item.place for item in call.items[:1] if python and _is_script(item.text)]
    start = min((*glued, *modules, *scripts), default=None)
    return None if start is None else tuple(one for one in call.items if one.place > start)


def _is_module(text: str) -> bool:
    return text == "hookd" or text.startswith("hookd.")


def _is_script(text: str) -> bool:
    return text.rpartition("/")[2] == "hookd" or text.endswith(("/hookd/__main__.py", "hookd)"))


def _of_hookd(call: CommandCall, words: tuple[Item, ...], known: RunningDaemon) -> str:
    flags = {flag for flag, _ in call.words.flags}
    if not words:
        program = call.command.words[0] if call.command.words and not call.program else ""
        return _UNKNOWN if _SPLIT.search(program) else ""
    if words[0].unknown:
        return _UNKNOWN
    asks_for_help = flags and flags <= _HELP and not call.words.holes
    if asks_for_help or _is_calm(call, words, known):
        return ""
    return _CHANGES.get(
        current_command(words[0].text), "is a command of hookd that may change what applies"
    )


def _is_calm(call: CommandCall, words: tuple[Item, ...], known: RunningDaemon) -> bool:
    verb = current_command(words[0].text)
    second = _told(words[1]) if len(words) > 1 else None
    calm = _CALM.get(verb)
    if calm is not None and (not calm or second is None or second in calm):
        return verb not in _UNLESS or not call.may_have(*_UNLESS[verb].split())
    if verb == "rpc":
        return second is not None and current_method(second) in _CALM_METHODS
    return (verb in _DRY and _dry(call)) or (verb == "guard" and _adds(call, words[1:], known))


def _told(item: Item) -> str:
    return "" if item.unknown else item.text


def _dry(call: CommandCall) -> bool:
    """Whether it only shows what it would do; as the value of another flag it is none."""
    places = {place: flag for flag, place in call.words.flags}
    return any(flag == "--dry-run" and place - 1 not in places for place, flag in places.items())


def _adds(call: CommandCall, words: tuple[Item, ...], known: RunningDaemon) -> bool:
    """Whether a guard rule is added that holds something back, and none is replaced by it."""
    if [_told(item) for item in words[:1]] != ["add"]:
        return False
    # Whichever word is the name: one behind a flag may be that flag's value.
    fresh = all(not item.unknown and item.text not in known.guards for item in words[1:])
    return fresh and not _shared(call) and call.has("--deny", "--ask", "--builtin")


def _shared(call: CommandCall) -> bool:
    """Return whether the rule may go into the project's rules file."""
    scopes = call.values("--scope")
    return call.may_have("--project") or any(one.unknown or one.text == "project" for one in scopes)
