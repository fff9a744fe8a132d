"""Option `--wake` of install: the entry on Stop that wakes an idle Claude Code for mail."""

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from hookd import paths
from hookd.cli.install import scope, scope_folder, settings_file
from hookd.cli.install.scope import Target
from hookd.cli.lib import transport
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import wake_entry
from hookd.clients.hook_groups import Json, ShapeError


def registered(value: Json, target: Target, kept: Collection[str], *, wanted: bool | None) -> Json:
    """Return settings with the entry, or without it; with `wanted` None as they have it.

    The project's file is shared, so it names no path of this machine.
    """
    if wanted is None:
        wanted = bool(wake_entry.entries(value))
    if not wanted:
        return wake_entry.unregister(value, kept)
    if target.scope == "project":
        return wake_entry.register(value, "hookd", {}, kept)
    program = str(transport.hookd())
    return wake_entry.register(value, program, paths.place_environment(), kept)


def facts(before: Json, after: Json) -> Json:
    """Return whether an idle client is woken; empty if there is and was no entry."""
    old, new = bool(wake_entry.entries(before)), bool(wake_entry.entries(after))
    return {"wake": new} if old or new else {}


def text(wake: bool) -> str:
    """Return in one line whether an idle client is woken."""
    return "mail wakes an idle Claude Code" if wake else "mail wakes no idle Claude Code"


def places() -> list[Path]:
    """Return the settings files of this user's registrations that have the entry."""
    configs = filter(None, map(scope_folder.read, scope_folder.every()))
    files = [scope.user_settings(), *(Path(one.settings) for one in configs if one.settings)]
    found = []
    for file in dict.fromkeys(files):
        with suppress(Problem, ShapeError, OSError, RecursionError):  # hookd doctor reports it
            if wake_entry.entries(settings_file.read(file).value):
                found.append(file)
    return found
