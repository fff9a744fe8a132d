"""Commands of package managers that remove hookd, or may install something in its place."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from hookd.core.model.fact_requests import FileText
from hookd.core.model.facts import Facts
from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.self_guard.protected_files import ProtectedFiles
from hookd.policy_support.self_guard.readers import is_plain
from hookd.programs.catalogue import with_trait
from hookd.risk.inline.source import language_of
from hookd.risk.model import CommandCall
from hookd.risk.path_areas import paths
from hookd.shell.argv import Item
from hookd.shell.commands import Command
from hookd.shell.quoting import names

_MANAGERS = with_trait("installs")
_REMOVING = ("-e", "-r", "-R", "-P", "--remove", "--purge", "--uninstall", "--erase")
_BY_FLAGS = with_trait("installs-by-flag")
_PIP = lazy_compile(r"pip\d?(?:\.\d+)?")
_REMOVES = names("uninstall remove rm purge unlink autoremove uninstall-all disable")
_INSTALLS = names("install upgrade reinstall add inject sync update")
_ALL = names("uninstall-all reinstall-all upgrade-all")
_AWAY = "uninstalls hookd"
_OTHER = "may replace hookd by another program"
_NAME = lazy_compile(r"hookd(?:\[[^\]]*\])?(?:\s*(?:[=<>!~@].*)?)$", re.DOTALL)
_FILE = lazy_compile(r"hookd-[\w.]+(?:-[\w.]+)*\.(?:whl|tar\.gz|zip|tgz)$")
_REMOTE = lazy_compile(r"(?:git\+|https?:|ssh:|git@).*/hookd(?:\.git)?(?:[@#].*)?$")
_CALLED = lazy_compile(r"""(?mi)^[^\n#]{0,200}\bname[ \t]*=[ \t]*["']?hookd["']?[ \t]*(?:,|$|#)""")
_DESCRIBED = ("pyproject.toml", "setup.cfg", "setup.py")
_MAX_SOURCES, _MAX_NAME_CHARS = 4, 2_048


def package_change(
    call: CommandCall, own: ProtectedFiles, text: str = "", *, built: bool = False
) -> str:
    """Return what a command does to hookd's package, as a clause.

    `text` is the whole text that the command is part of. `built`: one of the folders that it
    installs from has the source of hookd.
    """
    manager = _manager(call)
    if manager is None:
        return ""
    if own.has(call.command.words[0].replace("~", call.context.home, 1)) or _is_into(
        call, own, text
    ):
        return _OTHER
    verbs = {item.text for item in manager.items if not item.unknown}
    named = any(
        _is_hookd(item.text) or (item.unknown and "hookd" in item.text) for item in manager.items
    )
    if named and manager.program in _BY_FLAGS and manager.has(*_REMOVING):
        return _AWAY
    if verbs & _REMOVES:
        everything = manager.program in ("pipx", "uv") and (verbs & _ALL or manager.has("--all"))
        return _AWAY if named or everything else ""
    if not verbs & _INSTALLS:
        return ""
    return _OTHER if named or built else ""


def installed_folders(call: CommandCall) -> tuple[str, ...]:
    """Return the local folders that a command installs, if it is one of a package manager."""
    manager = None if is_plain(call.program) else _manager(call)
    if manager is None or all(item.unknown or item.text not in _INSTALLS for item in manager.items):
        return ()
    return tuple(_sources(manager))


def _is_into(call: CommandCall, own: ProtectedFiles, text: str) -> bool:
    """Return whether a package manager may write to the environment that hookd runs from."""
    if not own.environment or not _WRITING.search(call.text):
        return False
    if posixpath.basename(own.environment) not in f"{text} {call.text} {call.context.cwd}":
        return False
    whole = _HOME.sub(call.context.home, text or call.text)
    inside = f"{call.context.cwd or ''}/".startswith(f"{own.environment}/")
    return inside or re.search(rf"{re.escape(own.environment)}(?![\w.-])", whole) is not None


_WRITING = lazy_compile(
    r"\b(?:install|uninstall|sync|add|remove|update|upgrade|venv|inject|download)\b"
)
_HOME = lazy_compile(r"~(?=/)|\$HOME\b|\$\{HOME\}")


def _manager(call: CommandCall) -> CommandCall | None:
    """Return the call of a package manager, including modules of Python."""
    if call.program in _MANAGERS or _PIP.fullmatch(call.program):
        return call
    if language_of(call.command) != "python":
        return None
    for item in call.values("-m"):
        if (
            item.text in ("venv", "virtualenv", "ensurepip", "uv")
            or item.text in _MANAGERS
            or _PIP.fullmatch(item.text)
        ):
            return replace(call, command=_tail(call.command, item.place))
    return None


def _tail(command: Command, start: int) -> Command:
    """Return the command that begins at one of a command's words."""
    holes = (hole for hole in command.holes if hole.at > start)
    moved = tuple(replace(hole, at=hole.at - start) for hole in holes)
    return Command(command.words[start:], command.exact, moved)


def _is_hookd(text: str) -> bool:
    name = posixpath.basename(text)
    return len(text) <= _MAX_NAME_CHARS and bool(
        _NAME.match(text) or _FILE.search(name) or _REMOTE.match(text)
    )


def _sources(call: CommandCall) -> Iterator[str]:
    """Yield the local folders that are installed."""
    local = (item for item in call.items if _is_folder(item))
    for _, item in zip(range(_MAX_SOURCES), local, strict=False):
        yield from paths(replace(item, text=item.text.split("[")[0]), call.context)[:1]


def _is_folder(item: Item) -> bool:
    text = item.text
    return text.startswith((".", "/", "~")) or (text.endswith("/") and "://" not in text)


def has_source(folder: str, facts: Facts) -> bool:
    """Return whether the package that lies in a folder is called hookd. Raise MissingFacts."""
    files = [FileText(f"{folder}/{name}", folder) for name in _DESCRIBED]
    facts.require_all(*files)
    found = [one for one in map(facts.require, files) if one is not None]
    return any(_CALLED.search(one.text) for one in found)
