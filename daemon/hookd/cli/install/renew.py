"""Renew every registration: run `hookd install` once more for each settings file that names hookd.

Each runs in a process of its own, as a person would run it: its choices are kept, and if it fails,
the others are renewed all the same.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from hookd import paths
from hookd.cli.install import clients, plugin_scope, scope_folder, shims
from hookd.cli.lib import transport
from hookd.core.model.shim_config import ShimConfig
from hookd.core.model.shim_paths import scope_parts
from hookd.lazy_dataclass import dataclass

_TIMEOUT_S = 120
"""Limit of one `hookd install`, which may compile."""


@dataclass(frozen=True)
class Renewal:
    """One settings file: whether something changed, or why it could not be renewed."""

    scope: str
    settings: str
    changed: bool = False
    problem: str = ""
    step: str = ""


def registered() -> Iterator[tuple[Path, ShimConfig]]:
    """Yield the scope folders whose settings file still names hookd's shims.

    The hooks of the plugin name them for as long as the client has the plugin.
    """
    for folder in scope_folder.every():
        config = scope_folder.read(folder)
        if config and config.settings and _is_named(folder.name, Path(config.settings)):
            yield folder, config


def renew() -> Iterator[Renewal]:
    """Renew each registration, and yield what became of it."""
    for folder, config in registered():
        yield _renewed(folder.name, config.settings)


def arguments(scope: str, settings: str) -> list[str]:
    """Return the command of hookd that renews a scope's folder, by its name."""
    client, kind = scope_parts(scope) or ("", "file")
    if kind == "plugin":
        return ["plugin", "setup"]
    words = ["install", *(["--client", client] if client else [])]
    if kind in ("project", "local"):
        project = clients.project_of(client, Path(settings))
        return [*words, "--scope", kind, "--project-dir", str(project)]
    if client:
        # Its folder may be another one than that of this command.
        own_file = clients.EVERY[client].user_file
        usual = os.path.realpath(own_file) == settings
        return words if kind == "user" and usual else [*words, "--settings", settings]
    return words if kind == "user" else [*words, "--settings", settings]


def _is_named(scope: str, settings: Path) -> bool:
    if _is_plugin(scope):
        return bool(plugin_scope.known(plugin_scope.settings_here()))
    return shims.names_shims(settings)


def _is_plugin(scope: str) -> bool:
    return scope_parts(scope) == ("", "plugin")


def _renewed(scope: str, settings: str) -> Renewal:
    # The program that a person runs: a link to it outlives the folder of a version.
    words = [str(transport.hookd()), *arguments(scope, settings), "--json"]
    environment = paths.whole_environment()
    # The folder of the usual place is `user`, that of another one is `user-` and a digest.
    environment.pop("CLAUDE_CONFIG_DIR", None)
    if scope.startswith("user-"):
        environment["CLAUDE_CONFIG_DIR"] = str(Path(settings).parent)
    elif _is_plugin(scope):
        environment["CLAUDE_CONFIG_DIR"] = str(Path(settings).parents[1])
    try:
        done = subprocess.run(
            words,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Renewal(scope, settings, problem=f"{error}", step="hookd upgrade, again")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("hookd: ")
        sentence, _, step = said.partition("\n  next: ")
        return Renewal(scope, settings, problem=sentence, step=step or "hookd doctor")
    facts = json.loads(done.stdout)
    changed = any(one.get("changed") for one in facts.get("clients", [facts]))
    return Renewal(scope, settings, changed=changed)
