"""Protected paths: hookd's own files and folders, and the settings that decide what hooks run.

A change to one of them may switch guards off. They are known by their place; the settings of any
project, those of its clients, and hookd's installed program also by their name.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache

from hookd.core.hook_rules.sources import hook_files
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.fact_requests import RealPathsOf
from hookd.core.model.shim_config import CONFIG
from hookd.events.model import ToolInput
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

HOLDERS = (".hookd", ".claude")
"""Names of folders that contain settings."""

_SETTINGS = ("settings.json", "settings.local.json")
_PROJECT_FILES = (*_SETTINGS, "rules.yaml")
_MANAGED = (
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
)
_CLIENT_FILES = (
    ".codex/hooks.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".qwen/settings.json",
    ".copilot/hooks/hookd.json",
    ".copilot/settings.json",
    ".config/opencode/plugins/hookd.js",
)
"""Files in the home by which other clients than Claude Code run hookd's hooks."""

_NAMED = lazy_compile(
    r"/\.(?:claude|hookd)/settings(?:\.local)?\.json$"
    r"|/\.codex/(?:hooks\.json|config\.toml)$"
    r"|/\.(?:gemini|qwen|copilot)/settings\.json$"
    r"|/hooks/hookd\.json$|/plugins/hookd\.js$"
    r"|/\.hookd/[^/]"
    r"|/[^/]*hookd[^/]*\.(?:service|plist|scope|timer|socket)(?:\.d)?(?:/|$)"
    r"|/(?:claude-code|claudecode)/managed-settings(?:\.json$|\.d(?:/|$))"
    r"|^/sys/fs/cgroup/."
    r"|/bin/hookd(?:-[\w-]+)?$"
    r"|/plugins/(?:data|cache|marketplaces)/hookd(?:[-/]|$)"
    r"|/(?:site|dist)-packages/hookd(?:[-/]|$)"
    r"|/(?:pipx/venvs|uv/tools|cellar)/hookd(?:/|$)"
)
"""Protected paths by their names, in lower case."""

_PROCESS_ROOT = lazy_compile(r"^/proc/(?:self|thread-self|\d+)/root(?=/|$)")
_MAX_PATH_CHARS = 4_096
"""Characters of a path: no file has a longer one."""

_WILD = frozenset("*?[{")
_UNKNOWN = frozenset("$`")
_BRACES = lazy_compile(r"\{[^{}]*\}")
_HOME = lazy_compile(r"~(?=/|$)|\$HOME\b|\$\{HOME\}")


@dataclass(frozen=True)
class ProtectedFiles:
    """The protected files, and the folders that are hookd's own.

    Absolute paths without dots; upper and lower case are the same. Below each of `trees` every path
    is protected. `alone` are further files whose folders are not protected. `home` and `project`
    are folders that can hold settings; `added` are further ones that the user works in.
    `environment` is the folder of Python's environment that hookd runs from.
    """

    files: tuple[str, ...]
    folders: tuple[str, ...] = ()
    trees: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    home: str = ""
    project: str = ""
    added: tuple[str, ...] = ()
    environment: str = ""

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(map(_plain, (*self.files, *self.folders)))

    @cached_property
    def _alone(self) -> frozenset[str]:
        return frozenset(map(_plain, self.alone))

    @cached_property
    def _below(self) -> tuple[str, ...]:
        return tuple(f"{_plain(one)}/" for one in self.trees)

    @cached_property
    def _around(self) -> frozenset[str]:
        return frozenset(map(posixpath.dirname, self._own)) - {"/"}

    @cached_property
    def _above(self) -> frozenset[str]:
        """The folders above what is protected outside of the project."""
        inside = tuple(f"{_plain(one)}/" for one in (self.project, *self.added) if one)
        far = (one for one in (*self._own, *self._alone) if not one.startswith(inside))
        return frozenset(above for one in far for above in (*_parents(one), "/"))

    @cached_property
    def _roots(self) -> frozenset[str]:
        """The folders that are two names above a protected file at most: what is unpacked there."""
        twice = map(posixpath.dirname, self._around)
        known = (self.home, self.project, *self.added)
        return frozenset((*self._around, *twice, *(_plain(one) for one in known if one)))

    @cached_property
    def _ancestors(self) -> frozenset[str]:
        some = (*self._own, *self._alone)
        return frozenset(above for one in some for above in (*_parents(one), "/"))

    @cached_property
    def _each(self) -> frozenset[str]:
        return self._own | self._alone | self._linked

    @cached_property
    def _whole(self) -> frozenset[str]:
        """All of them with the folders above: who removes one of these removes them."""
        return self._each | {above for one in self._each for above in _parents(one)}

    @cached_property
    def _direct(self) -> frozenset[str]:
        return frozenset(posixpath.dirname(_plain(one)) for one in self.files)

    @cached_property
    def names(self) -> frozenset[str]:
        """The last part of each, and of the folder that it lies in, in lower case."""
        some = (*self._own, *self._around, *self._alone, *self._linked)
        return frozenset(map(posixpath.basename, some))

    @cached_property
    def _linked(self) -> frozenset[str]:
        """Files in the scope folders of the shims, by the example of one."""
        names = (CONFIG, *map(str.lower, EVENTS))
        folders = (one for one in self._below if one.endswith("/shims/"))
        return frozenset(f"{one}user/{name}" for one in folders for name in names)

    @cached_property
    def real_paths(self) -> RealPathsOf:
        """The request for the real paths of the files, the folders, and the trees of shims."""
        shims = tuple(one for one in self.trees if one.endswith("/shims"))
        return RealPathsOf((*self.files, *self.folders, *shims))

    @cached_property
    def telling(self) -> re.Pattern[str]:
        """Pattern that is in the lower-case text of every path that may be protected."""
        words = {"hookd", *HOLDERS, "managed-settings", "claudecode", "claude-code"}
        words |= {name for name in self.names if "." in name}
        words |= {posixpath.basename(one) for one in _CLIENT_FILES}
        words |= {*map(posixpath.basename, self.trees), *(one[1:-1] for one in self._below)}
        return re.compile("|".join(map(re.escape, sorted(words))))

    @cached_property
    def reached(self) -> tuple[str, ...]:
        """The socket and the database, in lower case: whoever can speak to them needs no hookd."""
        return tuple(one for one in self._own if one.endswith((".sock", ".db")))

    def has(self, path: str) -> bool:
        """Return whether a path is protected."""
        low = _plain(path)
        if low in self._own or low in self._alone or low.startswith(self._below):
            return True
        if len(low) <= _MAX_PATH_CHARS and _NAMED.search(low):
            return True
        if low.endswith("/hooks.json"):
            return any(low.startswith(f"{one.lower()}/plugins/") for one in self.folders)
        return False

    def holds(self, path: str) -> bool:
        """Return whether a path is protected, or the folder that such a file lies in."""
        low = _plain(path)
        return self.has(path) or low in self._around or posixpath.basename(low) in HOLDERS

    def holder(self, path: str) -> bool:
        """Return whether a path is protected, or a folder that is there for such files alone."""
        return self.has(path) or posixpath.basename(_plain(path)) in HOLDERS

    def above(self, path: str) -> bool:
        """Return whether anything that is protected outside of the project lies below a path."""
        return _plain(path) in self._above

    def root(self, path: str) -> bool:
        """Return whether a folder is the home, a project, or holds protected files."""
        return self.holder(path) or _plain(path) in self._roots

    def direct(self, folder: str) -> bool:
        """Return whether protected files lie in a folder itself."""
        return self.holder(folder) or _plain(folder) in self._direct

    def reaches(self, folder: str) -> bool:
        """Return whether a protected path lies below a folder, at any depth."""
        return posixpath.basename(_plain(folder)) in HOLDERS or self.spans(folder)

    def spans(self, folder: str) -> bool:
        """Return whether a path below a folder is protected by its place, not by its name alone."""
        low = _plain(folder)
        return low in self._ancestors or low in self._own or low.startswith(self._below)

    def under(self, folder: str) -> tuple[str, ...]:
        """Return the protected paths below a folder, relative to it."""
        low = f"{_plain(folder).rstrip('/')}/"
        if posixpath.basename(low[:-1]) in HOLDERS:
            return _PROJECT_FILES
        some = (*self.files, *self.folders, *self.alone)
        return tuple(one[len(low) :] for one in some if _plain(one).startswith(low))

    def below(self, path: str, named: Iterable[str] = ()) -> bool:
        """Return whether a path is protected, or anything below it is.

        `named` are globs of names: only files that are called so count.
        """
        start = f"{_plain(path).rstrip('/')}/"
        if start.startswith(self._below):
            return True
        found = [one for one in self._each if f"{one}/" == start or one.startswith(start)]
        if globs := [glob.lower() for glob in named]:
            names = {posixpath.basename(one) for one in found}
            return any(fnmatchcase(name, glob) for name in names for glob in globs)
        return bool(found) or self.holds(path)

    def named(self, text: str) -> bool:
        """Return whether a path below a folder that is not known ends like a file of hookd."""
        if text[:1] in ("/", "~") or (_WILD | _UNKNOWN) & set(text):
            return False
        steps = [step for step in text.lower().split("/") if step not in ("", ".")]
        return "hookd" in "".join(steps[-1:]) and _ends(steps, self._own)

    def may_hold(
        self, text: str, folders: Iterable[str], home: str, *, removes: bool = False
    ) -> bool:
        """Return whether a partly unknown path may be protected: a glob, a variable.

        `folders` are those that it may begin in.
        """
        spelled = _BRACES.sub("*", _HOME.sub(lambda _: home, text)).lower()
        if not (_WILD | _UNKNOWN) & set(spelled):
            return False
        known = self._whole if removes else self._each
        if _UNKNOWN & set(spelled):
            return _ends(_after_unknown(spelled), known)
        wholes = [_steps(_plain(posixpath.join(folder, spelled))) for folder in folders]
        trees = [_steps(one) for one in self._below]
        return any(_same(whole, _steps(one)) for whole in wholes for one in known) or any(
            _same(whole[: len(tree)], tree) for whole in wholes for tree in trees
        )


@lru_cache(maxsize=64)
def protected_files(
    daemon: DaemonState,
    project: str | None,
    home: str,
    claude: str = "",
    added: tuple[str, ...] = (),
) -> ProtectedFiles:
    """Return what is protected; `claude` is the folder of Claude Code that the window uses.

    It is asked for at every call, and the same for all of a window.
    """
    config = posixpath.dirname(daemon.settings)
    kept = (daemon.socket, daemon.database, daemon.log, daemon.settings, *daemon.own)
    said = hook_files(project, home, config, macos=True), hook_files(project, home, config)
    settings = (place.path for places in said for place in places)
    clients = tuple(one for one in dict.fromkeys((daemon.claude, claude)) if one)
    own = (f"{one}/{name}" for one in clients for name in _SETTINGS)
    found = (*kept, *settings, *own, *_MANAGED)
    folders = map(posixpath.dirname, (daemon.settings, daemon.database, daemon.socket))
    own_folders = _absolute(folders)
    shims = tuple(one for one in daemon.own if posixpath.basename(one) == "shims")
    hooks = (f"{one}/hooks" for one in clients)
    process = (f"/proc/{daemon.pid}",) if daemon.pid else ()
    data = map(posixpath.dirname, shims)
    environment = _environment(daemon.python)
    apart = environment and not f"{environment}/".startswith(f"{project}/")
    venv = (environment,) if apart else ()
    trees = (*own_folders, *_absolute(data), *_absolute(shims), *hooks, *process, *venv)
    return ProtectedFiles(
        _absolute(found),
        own_folders,
        tuple(one for one in trees if not _contains(one, (project, home, *clients))),
        (
            *(f"{one}/.claude.json" for one in (home, *clients) if one),
            *(f"{home}/{name}" for name in _CLIENT_FILES if home),
        ),
        home,
        project or "",
        added,
        environment,
    )


def client_folder(event: ToolInput) -> str:
    """Return the configuration folder of Claude Code that the window uses; "" if unknown."""
    folder, found, _ = (event.transcript_path or "").partition("/projects/")
    return folder if found else ""


def _environment(python: str) -> str:
    """Return the environment of an interpreter; "" where it is the system's own."""
    folder, name = posixpath.split(posixpath.dirname(python))
    return folder if name == "bin" and not _SYSTEM.match(f"{folder}/") else ""


_SYSTEM = lazy_compile(r"/$|/(?:usr|usr/local|opt/(?:homebrew|local)|nix|Library|System)/(?!.*env)")


def _contains(tree: str, roots: Iterable[str | None]) -> bool:
    """Return whether a folder is too wide to be hookd's own: a root lies in it."""
    start = f"{_plain(tree).rstrip('/')}/"
    return any(f"{_plain(one)}/".startswith(start) for one in roots if one)


def _absolute(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in paths if one[:1] == "/"))


def _plain(path: str) -> str:
    normal = posixpath.normpath(path).lower()
    if normal.startswith("/proc/"):
        normal = _PROCESS_ROOT.sub("", normal) or "/"
    return normal[1:] if normal.startswith("//") else normal


def _parents(path: str) -> Iterator[str]:
    while (path := posixpath.dirname(path)) != "/":
        yield path


def _steps(path: str) -> list[str]:
    return [step for step in path.split("/") if step]


def _same(globs: list[str], steps: list[str]) -> bool:
    """Return whether a glob matches a path; wildcards do not match a leading dot."""
    return len(globs) == len(steps) and all(
        fnmatchcase(step, glob) and (step[:1] != "." or glob[:1] in (".", "["))
        for glob, step in zip(globs, steps, strict=True)
    )


def _after_unknown(text: str) -> list[str]:
    steps = text.split("/")
    last = max((at for at, step in enumerate(steps) if _UNKNOWN & set(step)), default=-1)
    return [step for step in steps[last + 1 :] if step not in ("", ".")]


def _ends(globs: list[str], known: Iterable[str]) -> bool:
    """Return whether the known end of a path identifies a protected file."""
    telling = len(globs) > 1 or "hookd" in "".join(globs)
    return telling and any(_same(globs, _steps(one)[-len(globs) :]) for one in known)
