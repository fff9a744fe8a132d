"""Settings files of Claude Code in this folder, layer by layer, and switches that disable hooks."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hookd.cli.doctor.checks.hook_entries import Flaw, Hook, parse_hooks
from hookd.cli.doctor.checks.result import Finding, fail, ok, warn
from hookd.cli.install import scope_folder
from hookd.clients.hook_groups import Json
from hookd.core.model.shim_paths import named_in
from hookd.lazy_dataclass import dataclass

MANAGED, PLUGIN = "managed", "plugin"


@dataclass(frozen=True)
class Layer:
    """One settings file. `refused` is why Claude Code ignores it; then it is empty.

    `names` is whether the text names hookd's shim, also in a refused file.
    """

    name: str
    path: Path
    value: Json
    hooks: tuple[Hook, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    refused: str = ""
    names: bool = False


def managed_folder() -> Path:
    """Return the folder of an administrator's settings on this system."""
    if sys.platform == "darwin":
        return Path("/Library/Application Support/ClaudeCode")
    return Path("/etc/claude-code")


def read_layers(user: Path, project: Path, managed: Path) -> list[Layer]:
    """Return the existing files, the strongest first."""
    found = (_read(name, path, project) for name, path in _files(user, project, managed))
    return [layer for layer in found if layer is not None]


def install(layer: str, more: str = "") -> str:
    """Return the command that updates hookd's entries in a layer."""
    if layer == PLUGIN:
        return "hookd plugin setup"
    scope = f" --scope {layer}" if layer in ("project", "local") else ""
    again = f"hookd install{scope}{more}"
    return "have your administrator update them" if layer == MANAGED else again


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
    names = any(True for _ in named_in(raw))
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


_SWITCHES_CHECK = "switches"


def check_switches(layers: Sequence[Layer]) -> Iterator[Finding]:
    """Report switches that disable hookd's hooks, with their files.

    `layers` begin with the strongest.
    """
    administered = [layer for layer in layers if layer.name == MANAGED]
    # Hooks of managed settings run regardless of other settings.
    kept = any(hook.ours for layer in administered for hook in layer.hooks)
    said = list(_disabled(layers, kept))
    for key, off in (
        ("allowManagedHooksOnly", _is_true),
        ("strictPluginOnlyCustomization", _bars_hooks),
    ):
        if layer := _first_with(administered, key, off):
            what = f"{key} in {layer.path} lets no hooks of the user or the project run"
            said.append(_silenced(what, kept, "have your administrator register hookd there"))
    yield from said or [ok(_SWITCHES_CHECK, "No settings switch hooks off.")]


def _disabled(layers: Sequence[Layer], kept: bool) -> Iterator[Finding]:
    """Yield the effect of `disableAllHooks`: the strongest file that has it decides."""
    key = "disableAllHooks"
    layer = _first_with(layers, key, lambda value: isinstance(value, bool))
    if layer is None or layer.value[key] is False:
        return
    what = f"{key} is true in {layer.path}: Claude Code runs no hooks"
    if layer.name == MANAGED:
        yield _silenced(what, False, "have your administrator remove it")
    else:
        yield _silenced(what, kept, "remove it from that file")


def _first_with(layers: Sequence[Layer], key: str, fits: Callable[[Any], bool]) -> Layer | None:
    return next((one for one in layers if key in one.value and fits(one.value[key])), None)


def _is_true(value: Any) -> bool:
    return value is True


def _bars_hooks(value: Any) -> bool:
    return value is True or (isinstance(value, list) and "hooks" in value)


def _silenced(what: str, kept: bool, step: str) -> Finding:
    if kept:
        return warn(
            _SWITCHES_CHECK, f"{what}, but for those in managed settings, as hookd's is.", step
        )
    return fail(_SWITCHES_CHECK, f"{what}.", step)
