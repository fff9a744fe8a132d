"""Hook files: the settings files of every layer, and the dialect of each."""

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from hookd.core.hook_rules.model import Layer
from hookd.lazy_dataclass import dataclass

Dialect = Literal["hookd", "claude", "gencode", "opta"]
"""The program that a file belongs to. gencode and Opta use milliseconds and own variables."""

LAYERS: tuple[Layer, ...] = get_args(Layer)
"""All layers, the weakest first."""

MANAGED = "/etc/hookd/settings.json"
MANAGED_MACOS = "/Library/Application Support/hookd/settings.json"
"""The administrator's settings; no other layer can turn them off."""


@dataclass(frozen=True, slots=True)
class HookFileLocation:
    """One settings file. `runs` is False if its hooks are only listed."""

    layer: Layer
    path: str
    dialect: Dialect = "hookd"
    runs: bool = True


def hook_files(
    root: str | None,
    home: str,
    config: str,
    extra: Iterable[HookFileLocation] = (),
    *,
    macos: bool = False,
) -> tuple[HookFileLocation, ...]:
    """Return the files of all layers, the weakest first; they need not exist.

    `root` is the project's, `config` hookd's own folder; `extra` are files of plugins and those
    that were named on the command line. Claude Code's come first in their layer. A project that is
    the home folder has no second copy of the user's files.
    """
    managed = HookFileLocation("managed", MANAGED_MACOS if macos else MANAGED)
    project = () if root is None else _project(root)
    found: dict[str, HookFileLocation] = {}
    for place in (*_user(home, config), *extra, *project, managed):
        found.setdefault(place.path, place)
    return tuple(sorted(found.values(), key=lambda place: LAYERS.index(place.layer)))


def dialect_of(path: str) -> Dialect:
    """Return the dialect of a file, by its folder."""
    folder, name = ["", *path.split("/")][-2:]
    if folder == ".claude":
        return "claude"
    if folder in {".gen", ".mycode"}:
        return "gencode"
    return "opta" if folder in {".opta", "opta"} and name == "config.json" else "hookd"


def _user(home: str, config: str) -> Iterator[HookFileLocation]:
    yield _place("user", f"{home}/.claude/settings.json")
    yield HookFileLocation("user", f"{config}/settings.json")
    yield _place("user", f"{home}/.config/opta/config.json")
    yield _place("user", f"{home}/.gen/settings.json")


def _project(root: str) -> Iterator[HookFileLocation]:
    yield _place("project", f"{root}/.claude/settings.json")
    yield _place("project", f"{root}/.hookd/settings.json")
    yield _place("project", f"{root}/.opta/config.json")
    yield _place("project", f"{root}/.gen/settings.json")
    yield _place("project", f"{root}/.mycode/settings.json")
    yield _place("local", f"{root}/.claude/settings.local.json")
    yield _place("local", f"{root}/.hookd/settings.local.json")
    yield _place("local", f"{root}/.gen/settings.local.json")


def _place(layer: Layer, path: str) -> HookFileLocation:
    dialect = dialect_of(path)
    # Claude Code runs its own hooks; hookd would run them a second time.
    return HookFileLocation(layer, path, dialect, runs=dialect != "claude")
