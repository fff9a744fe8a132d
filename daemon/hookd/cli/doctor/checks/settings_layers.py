"""Read the settings that Claude Code reads in this folder, layer by layer."""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hookd.cli.doctor.checks.hook_entries import Flaw, Hook, parse_hooks
from hookd.cli.install import scope_folder
from hookd.cli.install.shims import NAMES
from hookd.clients.claude_code.registration import Json

MANAGED = "managed"


@dataclass(frozen=True)
class Layer:
    """One settings file. `refused` says why Claude Code applies nothing of it; then it is empty.

    `names` tells whether the text names hookd's shim, also where the file is refused.
    """

    name: str
    path: Path
    value: Json
    hooks: tuple[Hook, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    refused: str = ""
    names: bool = False


def managed_folder() -> Path:
    """Return where an administrator's settings stand on this system."""
    if sys.platform == "darwin":
        return Path("/Library/Application Support/ClaudeCode")
    return Path("/etc/claude-code")


def read_layers(user: Path, project: Path, managed: Path) -> list[Layer]:
    """Return the files that are there, the one that overrides the others first."""
    found = (_read(name, path, project) for name, path in _files(user, project, managed))
    return [layer for layer in found if layer is not None]


def install(layer: str, more: str = "") -> str:
    """Return the command that renews hookd's entries in a layer."""
    scope = f" --scope {layer}" if layer in ("project", "local") else ""
    again = f"hookd install{scope}{more}"
    return "have your administrator renew them" if layer == MANAGED else again


def _files(user: Path, project: Path, managed: Path) -> Iterator[tuple[str, Path]]:
    parts = sorted((managed / "managed-settings.d").glob("*.json"), reverse=True)
    yield from ((MANAGED, part) for part in parts if not part.name.startswith("."))
    yield MANAGED, managed / "managed-settings.json"
    folder = project / ".claude"
    yield "local", folder / "settings.local.json"
    # In the home folder, both are one file. realpath: Path.resolve raises on a loop of links.
    if os.path.realpath(folder / "settings.json") != os.path.realpath(user):
        yield "project", folder / "settings.json"
    yield "user", user


def _read(name: str, path: Path, project: Path) -> Layer | None:
    try:
        if path.exists() and not path.is_file():
            return Layer(name, path, {}, refused="it is not a file")
        return _parse(name, path, path.read_bytes(), project)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return Layer(name, path, {}, refused=f"it cannot be read: {error.strerror}")


def _parse(name: str, path: Path, raw: bytes, project: Path) -> Layer:
    names = bool(NAMES.search(raw))
    try:
        value = json.loads(raw.decode("utf-8-sig") or "{}", parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        return Layer(name, path, {}, refused=f"it is not valid JSON: {_place(error)}", names=names)
    if not isinstance(value, dict):
        return Layer(name, path, {}, refused="it must be a JSON object", names=names)
    found, flaws = parse_hooks(value, name, path, project)
    hooks = tuple(configured(hook) for hook in found)
    if spoilt := [flaw for flaw in flaws if flaw.spoils]:
        return Layer(name, path, {}, (), flaws, spoilt[0].text, names)
    return Layer(name, path, value, hooks, flaws, names=names)


def configured(hook: Hook) -> Hook:
    """Return a hook with the configuration that the shim would read beside its link."""
    if not hook.linked:
        return hook
    return replace(hook, config=scope_folder.read(Path(hook.words[0]).parent))


def _place(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")
