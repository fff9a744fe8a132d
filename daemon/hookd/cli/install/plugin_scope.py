"""Scope of the Claude Code plugin: its hooks run the links of this folder, without any settings.

The plugin's hook program reads the folder's path from the file `scope` in the folder that the
client keeps for the plugin's data. `hookd plugin setup` writes both.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from hookd import paths
from hookd.cli.install import scope, scope_folder, settings_file
from hookd.cli.install.scope import Scope
from hookd.cli.lib.claude_version import Client
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import registration
from hookd.core.model.shim_config import ShimConfig
from hookd.core.model.shim_paths import scope_parts

NAME: Scope = "plugin"
"""Kind of the scope, and first part of its folder's name."""

STAMP = "scope"
"""File in the plugin's data folder with the path of the scope's folder."""

FAILED = "setup.failed"
"""File there with the reason why the last setup has failed, in one line."""

_REMOVED = b"removed by hookd plugin remove\n"
"""The reason after `hookd plugin remove`; the plugin's hook program knows its first word."""

_PLUGIN = "hookd"

SKIPS = (2, 1, 281)
"""The oldest client that was tried. 2.1.138 refuses all hooks of a plugin for one unknown event."""


def registry() -> Path:
    """Return the client's list of installed plugins: the file that registers the scope."""
    return Path(os.path.realpath(paths.claude() / "plugins" / "installed_plugins.json"))


def folder() -> Path:
    """Return the plugin's scope folder for this folder of the client."""
    return Path(f"{scope_folder.shims()}/{scope_folder.name(NAME, registry())}")


def config() -> ShimConfig | None:
    """Return the configuration of the plugin's scope, None if the plugin is not set up."""
    return scope_folder.read(folder())


def enabled(settings: Iterable[Mapping[str, Any]]) -> str:
    """Return the id of the enabled plugin, such as `hookd@hookd`, "" if it is not.

    `settings` are those that the client applies, the strongest first.
    """
    state: dict[str, bool] = {}
    for one in settings:
        plugins = one.get("enabledPlugins")
        for name, on in plugins.items() if isinstance(plugins, dict) else ():
            if name.partition("@")[0] == _PLUGIN:
                state.setdefault(name, on is not False)
    return next((name for name, on in state.items() if on), "")


def known(settings: Iterable[Mapping[str, Any]]) -> str:
    """Return the id of the plugin, also where it is disabled; "" if settings do not name it."""
    plugins = (one.get("enabledPlugins") for one in settings)
    names = (name for one in plugins if isinstance(one, dict) for name in one)
    return next((name for name in names if name.partition("@")[0] == _PLUGIN), "")


def settings_here() -> list[Mapping[str, Any]]:
    """Return the settings of this folder that can enable a plugin, the strongest first."""
    files, found = [scope.user_settings()], list[Mapping[str, Any]]()
    with suppress(OSError):  # a working folder that was removed
        root = scope.project_root(Path.cwd(), Path.home()) / ".claude"
        files = [root / "settings.local.json", root / "settings.json", *files]
    for file in files:
        with suppress(Problem, OSError, RecursionError):  # hookd doctor reports it
            found.append(settings_file.read(file).value)
    return found


def is_registered() -> bool:
    """Return whether the plugin is set up, or settings of this folder have entries of hookd."""
    if config() is not None:
        return True
    return any(registration.registered(dict(one)) for one in settings_here())


def expect_unregistered(settings: Mapping[str, Any]) -> None:
    """Raise Problem if the plugin runs hookd already, and these settings do not."""
    name = enabled([settings, *settings_here()])
    if not name or config() is None or registration.registered(dict(settings)):
        return
    raise Problem(
        f"The plugin {name} registers hookd with Claude Code already; nothing was written.",
        f"hookd doctor; to register it in settings instead: claude plugin disable {name}",
    )


def refusal(client: Client) -> str:
    """Return how a client that is too old treats the plugin, as a sentence; "" if it is not."""
    if client.version is None or client.version >= SKIPS:
        return ""
    least = ".".join(map(str, SKIPS))
    return f"Claude Code {client.text} can refuse all hooks of the plugin; {least} does not."


def version(name: str) -> str:
    """Return the installed version of a plugin, "" if it is not known."""
    try:
        found = settings_file.read(registry()).value["plugins"][name][0]["version"]
    except (Problem, OSError, RecursionError, LookupError, TypeError):
        return ""
    return found if isinstance(found, str) else ""


def data_folder(name: str) -> Path:
    """Return the folder that the client keeps for the data of a plugin, by the plugin's id."""
    return paths.claude() / "plugins" / "data" / name.replace("@", "-")


def write_stamp(data: Path, place: Path) -> None:
    """Tell the plugin's hook program where its scope folder is."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = data / STAMP
    old, new = settings_file.contents(file), f"{place}\n".encode()
    if old != new:
        settings_file.replace(file, old, new, 0o600)


def disconnect(data: Path) -> None:
    """Let the plugin's hook program run nothing, and not connect itself again."""
    (data / STAMP).unlink(missing_ok=True)
    if data.is_dir():
        settings_file.replace(data / FAILED, settings_file.contents(data / FAILED), _REMOVED, 0o600)


def take_out(*, every: bool = False) -> str:
    """Let the plugin run nothing; return its id, "" if settings here name none.

    What its hooks run is removed, with `every` also what those in other folders of the client run.
    """
    if name := known(settings_here()):
        disconnect(data_folder(name))
    for place in scope_folder.every():
        plugin = scope_parts(place.name) == ("", NAME)
        if plugin and (every or place.name == folder().name):
            scope_folder.remove(place)
    return name


def failure(data: Path) -> str:
    """Return why the last setup has failed, "" if it has not."""
    try:
        return (data / FAILED).read_text("utf-8", "replace").strip()
    except OSError:
        return ""
