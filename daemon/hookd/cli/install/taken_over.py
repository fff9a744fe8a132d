"""Entries of another hookd that an install replaces: another clone's, or another home's."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hookd.cli.doctor.checks.hook_entries import Hook, parse_hooks
from hookd.cli.doctor.checks.settings_layers import configured
from hookd.cli.install.settings_file import plain
from hookd.clients.hook_groups import Json
from hookd.core.model.shim_config import ShimConfig

_RUNTIME = "XDG_RUNTIME_DIR="
"""Changes only the socket's path: database and settings are the same."""


class _Owner(NamedTuple):
    """A registered hookd: its program, its socket, and whether its data are elsewhere."""

    program: str
    socket: str
    foreign: bool


def notes(settings: Path, value: Json, config: ShimConfig) -> list[str]:
    """Return a sentence for each other hookd whose entries are replaced."""
    said = []
    for program, socket, foreign in _owners(settings, value, config):
        whose = f"replaces the entries of {program or 'another hookd'}"
        if foreign:
            what = "its guard rules, settings and history stay there, and no longer apply"
            said.append(f"{whose}, whose daemon is on {socket}: {what}")
        elif program and os.path.realpath(program) != os.path.realpath(config.hookd):
            said.append(f"{whose}, with the same database and settings")
    return said


def loosens(settings: Path, value: Json, config: ShimConfig) -> str:
    """Return how replaced entries weaken the guards: rules elsewhere no longer apply; else ""."""
    moved = any(owner.foreign for owner in _owners(settings, value, config))
    return "replaces the entries of another hookd" if moved else ""


def _owners(settings: Path, value: Json, config: ShimConfig) -> Iterator[_Owner]:
    """Yield each hookd that the settings register, once."""
    found, _ = parse_hooks(plain(value), "user", settings, settings.parent)
    ours = (configured(hook) for hook in found if hook.ours)
    yield from dict.fromkeys(_owner(hook, config) for hook in ours)


def _owner(hook: Hook, config: ShimConfig) -> _Owner:
    socket = hook.option("--socket") or ""
    moved = bool(socket) and os.path.realpath(socket) != os.path.realpath(config.socket)
    if moved and hook.config is not None:
        moved = _places(hook.config) != _places(config)
    return _Owner(hook.option("--hookd") or "", socket, moved)


def _places(config: ShimConfig) -> set[str]:
    return {entry for entry in config.environment if not entry.startswith(_RUNTIME)}
