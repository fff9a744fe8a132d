"""The home of which files hookd goes by: what its daemon keeps, and the settings that hold.

Whoever changes one of them may switch guards off. They are known by their place; the settings of
any project, and those of Claude Code, also by their name.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache

from hookd.core.commands.places import files
from hookd.core.protocol import EVENTS
from hookd.core.shim_config import CONFIG
from hookd.core.standing import Daemon

_FOLDERS = (".hookd", ".claude")
_SETTINGS = ("settings.json", "settings.local.json")
_WILD = frozenset("*?[{")
_UNKNOWN = frozenset("$`")
_BRACES = re.compile(r"\{[^{}]*\}")
_HOME = re.compile(r"~(?=/|$)|\$HOME\b|\$\{HOME\}")


@dataclass(frozen=True)
class Ground:
    """The files that hookd stands on here, and the folders that are its own alone.

    Absolute paths without dots; upper and lower case are the same. Whatever is in one of `trees`,
    at any depth, is one of them too: the shims with the links and configurations of all scopes.
    """

    files: tuple[str, ...]
    folders: tuple[str, ...] = ()
    trees: tuple[str, ...] = ()

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(map(_plain, (*self.files, *self.folders)))

    @cached_property
    def _around(self) -> frozenset[str]:
        return frozenset(map(posixpath.dirname, self._own)) - {"/"}

    @cached_property
    def names(self) -> frozenset[str]:
        """The last part of each, and of the folder that it lies in, in lower case."""
        known = (*self._own, *self._around, *self._linked)
        return frozenset(map(posixpath.basename, known))

    @cached_property
    def _linked(self) -> frozenset[str]:
        """What is in the scope folders, by the example of one."""
        names = (CONFIG, *map(str.lower, EVENTS))
        return frozenset(f"{one}user/{name}" for one in self._roots for name in names)

    @cached_property
    def _roots(self) -> tuple[str, ...]:
        return tuple(f"{_plain(one)}/" for one in self.trees)

    @cached_property
    def reached(self) -> tuple[str, ...]:
        """The socket and the database, in lower case: whoever can speak to them needs no hookd."""
        return tuple(one for one in self._own if one.endswith((".sock", ".db")))

    def has(self, path: str) -> bool:
        """Whether a path is one of them, or by its name that of a project, plugin or service."""
        low = _plain(path)
        folder, name = posixpath.split(low)
        if (
            low in self._own
            or low.startswith(self._roots)
            or (name in _SETTINGS and posixpath.basename(folder) in _FOLDERS)
        ):
            return True
        if name == "hooks.json":
            return any(low.startswith(f"{one.lower()}/plugins/") for one in self.folders)
        return "hookd" in name and name.endswith((".service", ".plist"))

    def holds(self, path: str) -> bool:
        """Whether a path is one of them, or the folder that one lies in."""
        low = _plain(path)
        return self.has(path) or low in self._around or posixpath.basename(low) in _FOLDERS

    def below(self, path: str, named: Iterable[str] = ()) -> bool:
        """Whether a path is one of them, or one lies anywhere below it.

        `named` are globs of names: only files that are called so count.
        """
        start = f"{_plain(path).rstrip('/')}/"
        if start.startswith(self._roots):
            return True
        known = self._own | self._linked
        found = [one for one in known if f"{one}/" == start or one.startswith(start)]
        if globs := [glob.lower() for glob in named]:
            names = {posixpath.basename(one) for one in found}
            return any(fnmatchcase(name, glob) for name in names for glob in globs)
        return bool(found) or self.holds(path)

    def may_hold(
        self, text: str, folders: Iterable[str], home: str, *, removes: bool = False
    ) -> bool:
        """Whether a word may be one of them that is not known in full: a glob, or a variable.

        `folders` are those that it may begin in.
        """
        spelled = _BRACES.sub("*", _HOME.sub(lambda _: home, text)).lower()
        if not (_WILD | _UNKNOWN) & set(spelled):
            return False
        known = self._own | self._linked
        if removes:
            known |= {above for one in known for above in _above(one)}
        if _UNKNOWN & set(spelled):
            return _ends(_after_unknown(spelled), known)
        wholes = [_steps(_plain(posixpath.join(folder, spelled))) for folder in folders]
        trees = [_steps(one) for one in self._roots]
        return any(_same(whole, _steps(one)) for whole in wholes for one in known) or any(
            _same(whole[: len(tree)], tree) for whole in wholes for tree in trees
        )


@lru_cache(maxsize=64)
def ground(daemon: Daemon, project: str | None, home: str, claude: str = "") -> Ground:
    """Return what hookd stands on; `claude` is the folder of Claude Code that the window uses.

    It is asked for at every call, and the same for all of a window.
    """
    config = posixpath.dirname(daemon.settings)
    kept = (daemon.socket, daemon.database, daemon.log, daemon.settings, *daemon.own)
    said = files(project, home, config, macos=True), files(project, home, config)
    settings = (place.path for places in said for place in places)
    own = (f"{one}/{name}" for one in {daemon.claude, claude} - {""} for name in _SETTINGS)
    found = (*kept, *settings, *own)
    folders = map(posixpath.dirname, (daemon.settings, daemon.database, daemon.socket))
    trees = (one for one in daemon.own if posixpath.basename(one) == "shims")
    return Ground(_absolute(found), _absolute(folders), _absolute(trees))


def _absolute(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in paths if one[:1] == "/"))


def _plain(path: str) -> str:
    normal = posixpath.normpath(path).lower()
    return normal[1:] if normal.startswith("//") else normal


def _above(path: str) -> Iterator[str]:
    while (path := posixpath.dirname(path)) != "/":
        yield path


def _steps(path: str) -> list[str]:
    return [step for step in path.split("/") if step]


def _same(globs: list[str], steps: list[str]) -> bool:
    """Whether a path is one that a glob stands for; a dot at the beginning of a name is its own."""
    return len(globs) == len(steps) and all(
        fnmatchcase(step, glob) and (step[:1] != "." or glob[:1] in (".", "["))
        for glob, step in zip(globs, steps, strict=True)
    )


def _after_unknown(text: str) -> list[str]:
    steps = text.split("/")
    last = max((at for at, step in enumerate(steps) if _UNKNOWN & set(step)), default=-1)
    return [step for step in steps[last + 1 :] if step not in ("", ".")]


def _ends(globs: list[str], known: Iterable[str]) -> bool:
    """Whether what is known of the end of a word tells one of them apart from any other file."""
    telling = len(globs) > 1 or "hookd" in "".join(globs)
    return telling and any(_same(globs, _steps(one)[-len(globs) :]) for one in known)
